import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnAbortService,
} from '@simplewebauthn/browser';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/browser';
import { toBase64Url, type Bytes } from '../encoding';
import { passkeyInput } from '../crypto/labels';
import { randomBytes } from '../crypto/web-crypto';
import { PasskeyError } from './passkey-error';

const CHALLENGE_BYTES = 32;
const PRF_BYTES = 32;

/** The functions of `@simplewebauthn/browser` that are used. */
export interface WebAuthnFunctions {
  startRegistration(options: {
    optionsJSON: PublicKeyCredentialCreationOptionsJSON;
  }): Promise<RegistrationResponseJSON>;
  startAuthentication(options: {
    optionsJSON: PublicKeyCredentialRequestOptionsJSON;
    useBrowserAutofill?: boolean;
  }): Promise<AuthenticationResponseJSON>;
}

export const BROWSER: WebAuthnFunctions = { startRegistration, startAuthentication };

/** What an authenticator has answered, ready to be sent, and apart from it what must never be sent. */
export interface Answer<R> {
  response: R;
  /** 32 bytes. Whoever has them can unlock. */
  prf: Bytes | undefined;
}

/** What the browser and its authenticators do, with the results of PRF taken out of each answer. */
export class WebAuthenticator {
  constructor(private readonly webAuthn: WebAuthnFunctions) {}

  /** @returns also whether PRF works, with or without a result. */
  async create(
    options: PublicKeyCredentialCreationOptionsJSON,
  ): Promise<Answer<RegistrationResponseJSON> & { hasPrf: boolean }> {
    const create = (extensions: object | undefined) =>
      this.webAuthn.startRegistration({ optionsJSON: { ...options, ...(extensions && { extensions }) } });
    let created: RegistrationResponseJSON;
    try {
      created = await create(prfRequest()).catch((error: unknown) => {
        // Some authenticators fail where they do not know PRF. They can still sign in.
        if (!['UnknownError', 'NotSupportedError'].includes(nameOf(error))) throw error;
        return create(undefined);
      });
    } catch (cause) {
      throw asPasskeyError(cause);
    }
    const hasPrf = prfOf(created)?.enabled === true;
    const answer = apart(created);
    return { ...answer, hasPrf: hasPrf || answer.prf !== undefined };
  }

  /** The answer to a challenge of the service. */
  async get(
    options: PublicKeyCredentialRequestOptionsJSON,
    { useAutofill = false, signal }: { useAutofill?: boolean | undefined; signal?: AbortSignal } = {},
  ): Promise<Answer<AuthenticationResponseJSON>> {
    // A question that begins while this one waits has ended it, and takes the listener away.
    const cancel = () => WebAuthnAbortService.cancelCeremony();
    signal?.addEventListener('abort', cancel);
    try {
      const optionsJSON = {
        ...options,
        // Without it, another PRF answers.
        userVerification: 'required' as const,
        extensions: prfRequest(),
      };
      return apart(await this.webAuthn.startAuthentication({ optionsJSON, useBrowserAutofill: useAutofill }));
    } catch (cause) {
      throw asPasskeyError(cause);
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  /** Asks one of these passkeys for its key alone. Nobody checks the signature, so the challenge is made here. */
  async ask(credentialIds: readonly string[]): Promise<{ credentialId: string; prf: Bytes | undefined }> {
    const { response, prf } = await this.get({
      challenge: toBase64Url(randomBytes(CHALLENGE_BYTES)),
      allowCredentials: credentialIds.map((id) => ({ id, type: 'public-key' })),
    });
    return { credentialId: response.id, prf };
  }
}

/** The types of the library do not know PRF yet. Source: WebAuthn Level 3, section 10.1.4. */
function prfRequest(): object {
  return { prf: { eval: { first: passkeyInput() } } };
}

function prfOf(response: {
  clientExtensionResults: object;
}): { enabled?: boolean; results?: { first?: unknown } } | undefined {
  return (response.clientExtensionResults as { prf?: object }).prf;
}

function apart<R extends { clientExtensionResults: object }>(response: R): Answer<R> {
  const first = prfOf(response)?.results?.first;
  const prf = first instanceof ArrayBuffer ? new Uint8Array(first) : undefined;
  return {
    // The whole answer of the browser has the key that unlocks. Nothing of the extensions is sent.
    response: { ...response, clientExtensionResults: {} },
    prf: prf?.length === PRF_BYTES ? prf : undefined,
  };
}

/** The name of the browser's own error: the library keeps it beside one of its own. */
function nameOf(error: unknown): string {
  return (error as Error)?.name ?? '';
}

function asPasskeyError(cause: unknown): PasskeyError {
  const options = { cause };
  switch (nameOf(cause)) {
    case 'NotAllowedError':
    case 'AbortError':
      return new PasskeyError('passkey_cancelled', 'The person has not used a passkey.', options);
    case 'InvalidStateError':
      return new PasskeyError('passkey_exists', 'This device has a passkey of this account.', options);
    default:
      return browserSupportsWebAuthn()
        ? new PasskeyError('passkey_failed', 'The passkey was refused.', options)
        : new PasskeyError('passkey_unavailable', 'This browser has no passkeys.', options);
  }
}
