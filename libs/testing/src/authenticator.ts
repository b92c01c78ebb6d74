import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import type { Api } from './api';
import { TEST_SETTINGS } from './service';

// CBOR by hand: to load a library for it takes a fifth of a second for each test file.
/** A COSE key for ES256 on P-256, up to its `x`. Source: RFC 9053 section 7.1.1. */
const COSE_X = Buffer.from('a5010203262001215820', 'hex');
const COSE_Y = Buffer.from('225820', 'hex');
/** `{ fmt: 'none', attStmt: {}, authData: … }`, up to the length of the last. */
const ATTESTED = Buffer.from('\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59', 'latin1');
const FLAGS = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, backedUp: 0x10, attested: 0x40 };

/** What a dishonest authenticator or page says instead. */
export interface Lies {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  isUserVerified?: boolean;
  counter?: number;
  userHandle?: string;
  id?: string;
  signature?: string;
}

/** The options of the service, as far as an authenticator reads them. */
interface Options {
  challenge: string;
  rp?: { id: string };
  rpId?: string;
  user?: { id: string };
}

/** A passkey in memory, with the page's origin: what a browser and an authenticator do together. ES256. */
export class Authenticator {
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  readonly id = randomBytes(16).toString('base64url');
  #handle = '';

  /** @param counter `undefined`: it does not count. */
  constructor(
    private readonly origin: string,
    private counter?: number,
  ) {}

  /** Makes a passkey, as a browser answers it. */
  create({ challenge, rp, user }: Options, lies: Lies = {}) {
    this.#handle = user!.id;
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' });
    const id = Buffer.from(this.id, 'base64url');
    const authData = Buffer.concat([
      this.#authData(rp!.id, FLAGS.attested, lies),
      Buffer.alloc(16),
      uint16(id.length),
      id,
      COSE_X,
      Buffer.from(x!, 'base64url'),
      COSE_Y,
      Buffer.from(y!, 'base64url'),
    ]);
    return this.#answer(lies, {
      clientDataJSON: this.#clientData('webauthn.create', challenge, lies).toString('base64url'),
      attestationObject: Buffer.concat([ATTESTED, uint16(authData.length), authData]).toString('base64url'),
      transports: ['internal'],
    });
  }

  /** Signs with a passkey, as a browser answers it. */
  get({ challenge, rpId }: Options, lies: Lies = {}) {
    if (this.counter !== undefined) this.counter++;
    const authData = this.#authData(rpId!, 0, lies);
    const clientData = this.#clientData('webauthn.get', challenge, lies);
    const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
    return this.#answer(lies, {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: lies.signature ?? sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
      userHandle: lies.userHandle ?? this.#handle,
    });
  }

  #answer<R extends object>(lies: Lies, response: R) {
    const id = lies.id ?? this.id;
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  #clientData(type: string, challenge: string, lies: Lies): Buffer {
    const client = { type, challenge, origin: this.origin, ...given(lies, 'type', 'challenge', 'origin') };
    return Buffer.from(JSON.stringify(client));
  }

  #authData(rpId: string, flags: number, { isUserVerified = true, ...lies }: Lies): Buffer {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(lies.counter ?? this.counter ?? 0);
    const { userPresent, userVerified, backupEligible, backedUp } = FLAGS;
    const all = userPresent | backupEligible | backedUp | (isUserVerified ? userVerified : 0) | flags;
    const hash = createHash('sha256')
      .update(lies.rpId ?? rpId)
      .digest();
    return Buffer.concat([hash, Buffer.from([all]), counter]);
  }
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function given(lies: Lies, ...names: (keyof Lies)[]) {
  return Object.fromEntries(names.filter((name) => name in lies).map((name) => [name, lies[name]]));
}

/** The body with which `POST /api/passkeys` adds a new passkey to an account. */
export async function aNewPasskey(api: Api, account: { token: string; password: string }) {
  const { token, password } = account;
  const asked = await api.post('/api/passkeys/options', { current_password: password }, { token });
  const { ticket, options } = asked.body;
  const response = new Authenticator(TEST_SETTINGS.WEB_ORIGIN).create(options);
  return { ticket, response, label: 'a phone' };
}
