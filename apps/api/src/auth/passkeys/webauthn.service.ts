import { generateKeyPairSync } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ServiceError } from '@app/common';
import { ServiceConfig } from '@app/config';
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { isoCBOR, isoUint8Array } from '@simplewebauthn/server/helpers';
import type { PasskeyEntity } from './entities/passkey.entity';

const SERVICE_NAME = 'Health Records Service';
/** Ed25519, ES256 and RS256: what authenticators have. To look for others makes newer versions of Node print warnings. */
const ALGORITHMS = [-8, -7, -257];
/** A ticket lives for as long. */
const TIMEOUT_MS = 5 * 60 * 1000;

/** The bytes of a challenge, an id or a key. */
type Bytes = Uint8Array<ArrayBuffer>;

/** How a browser finds a credential. */
type StoredCredential = Pick<PasskeyEntity, 'credential_id' | 'transports'>;

/** Whom a new passkey is for. */
export interface PasskeyOwner {
  /** 16 bytes of the account id. */
  handle: Bytes;
  email: string;
  existing: readonly StoredCredential[];
}

/** A credential that its authenticator has proven to hold. */
export interface ProvenCredential {
  credentialId: Buffer;
  publicKey: Buffer;
  counter: number;
  backedUp: boolean;
}

/** What WebAuthn asks of a relying party, by `@simplewebauthn/server`. Every answer must be verified by the user. */
@Injectable()
export class WebauthnService {
  private readonly origin: string | undefined;
  /** Checked in the place of an unknown credential, so that both cost the same. */
  private readonly decoyKey = aPublicKey();

  constructor(config: ServiceConfig) {
    this.origin = config.webOrigin;
  }

  /** Whether there are passkeys. */
  get isOn(): boolean {
    return this.origin !== undefined;
  }

  async creationOptions(
    challenge: Bytes,
    { handle, email, existing }: PasskeyOwner,
  ): Promise<PublicKeyCredentialCreationOptionsJSON> {
    return generateRegistrationOptions({
      rpName: SERVICE_NAME,
      rpID: this.party().id,
      userID: handle,
      userName: email,
      userDisplayName: email,
      challenge,
      timeout: TIMEOUT_MS,
      attestationType: 'none',
      supportedAlgorithmIDs: ALGORITHMS,
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
      excludeCredentials: existing.map(named),
    });
  }

  /** @param allowed the only ones that may answer. Default: any. */
  async requestOptions(
    challenge: Bytes,
    allowed?: readonly StoredCredential[],
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return generateAuthenticationOptions({
      rpID: this.party().id,
      challenge,
      timeout: TIMEOUT_MS,
      userVerification: 'required',
      ...(allowed && { allowCredentials: allowed.map(named) }),
    });
  }

  /** @throws ServiceError `passkeys_off`. @returns `undefined` for an answer that does not prove the credential. */
  async created(
    response: RegistrationResponseJSON,
    challenge: string,
  ): Promise<ProvenCredential | undefined> {
    const { id, origin } = this.party();
    try {
      const { registrationInfo } = await verifyRegistrationResponse({
        response: withoutAttestation(response),
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: id,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      });
      if (!registrationInfo) return undefined;
      const { credential, credentialBackedUp } = registrationInfo;
      return {
        credentialId: Buffer.from(credential.id, 'base64url'),
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        backedUp: credentialBackedUp,
      };
    } catch {
      return undefined;
    }
  }

  /**
   * Security: does the same work for a passkey that does not exist.
   *
   * @throws ServiceError `passkeys_off`. @returns `undefined` for an answer that does not prove the passkey.
   */
  async used(
    response: AuthenticationResponseJSON,
    challenge: string,
    passkey: PasskeyEntity | undefined,
  ): Promise<{ counter: number; backedUp: boolean } | undefined> {
    const { id, origin } = this.party();
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: id,
        requireUserVerification: true,
        credential: {
          id: response.id,
          publicKey: passkey ? new Uint8Array(passkey.public_key) : this.decoyKey,
          counter: passkey?.counter ?? 0,
        },
      });
      if (!verified || !passkey) return undefined;
      return { counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp };
    } catch {
      return undefined;
    }
  }

  private party(): { id: string; origin: string } {
    if (this.origin === undefined) throw new ServiceError('passkeys_off');
    return { id: new URL(this.origin).hostname, origin: this.origin };
  }
}

function named({ credential_id, transports }: StoredCredential) {
  return {
    id: credential_id.toString('base64url'),
    transports: transports.split(',').filter(Boolean) as never[],
  };
}

/**
 * The answer with the attestation `none`, which was asked for.
 *
 * Security: for other attestations the library would follow the addresses in the certificates, which a client chooses.
 */
function withoutAttestation(created: RegistrationResponseJSON): RegistrationResponseJSON {
  const bytes = new Uint8Array(Buffer.from(created.response.attestationObject, 'base64url'));
  const authData = isoCBOR.decodeFirst<Map<string, Uint8Array>>(bytes).get('authData')!;
  const none = new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ]);
  const attestationObject = Buffer.from(isoCBOR.encode(none as never)).toString('base64url');
  return { ...created, response: { ...created.response, attestationObject } };
}

/** A COSE key that nobody can sign for. Source: RFC 9053 section 7.1.1. */
function aPublicKey(): Bytes {
  const { x, y } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
  const [EC2, ES256, P256] = [2, -7, 1];
  const key = new Map<number, unknown>([
    [1, EC2],
    [3, ES256],
    [-1, P256],
    [-2, new Uint8Array(Buffer.from(x!, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y!, 'base64url'))],
  ]);
  return isoUint8Array.concat([isoCBOR.encode(key as never)]);
}
