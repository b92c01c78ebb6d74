import { hkdfSync, randomBytes } from 'node:crypto';
import { Authenticator, TEST_SETTINGS } from '@app/testing';
import type { WebAuthnFunctions } from '../../libs/client/src/passkeys/web-authenticator';

/** A browser with one authenticator, and what it can do. */
export class Browser implements WebAuthnFunctions {
  readonly #secret = randomBytes(32);
  #passkeys: Authenticator[] = [];
  /** What the browser was asked for. */
  readonly asked: Record<string, unknown>[] = [];
  fails: string[] = [];
  /** What the authenticators have given out. */
  readonly outputs: ArrayBuffer[] = [];

  constructor(private readonly prf: 'yes' | 'no' | 'without a result at creation' = 'yes') {}

  startRegistration: WebAuthnFunctions['startRegistration'] = async ({ optionsJSON }) => {
    this.#ask(optionsJSON);
    const passkey = new Authenticator(TEST_SETTINGS.WEB_ORIGIN);
    const created = passkey.create(optionsJSON as never);
    this.#passkeys.push(passkey);
    const hasPrf = this.prf !== 'no' && 'prf' in (optionsJSON.extensions ?? {});
    const results =
      hasPrf && this.prf === 'yes' ? { results: { first: this.#prf(passkey.id, optionsJSON) } } : {};
    const clientExtensionResults = !hasPrf ? {} : { prf: { enabled: true, ...results } };
    return Promise.resolve({ ...created, clientExtensionResults } as never);
  };

  startAuthentication: WebAuthnFunctions['startAuthentication'] = async ({ optionsJSON }) => {
    this.#ask(optionsJSON);
    const allowed = optionsJSON.allowCredentials?.map(({ id }) => id);
    const passkey = this.#passkeys.find(({ id }) => allowed?.includes(id) ?? true);
    if (!passkey) throw named('NotAllowedError');
    const rpId = new URL(TEST_SETTINGS.WEB_ORIGIN).hostname;
    const used = passkey.get({ rpId, ...optionsJSON });
    const first = this.prf === 'no' ? undefined : this.#prf(passkey.id, optionsJSON);
    return Promise.resolve({
      ...used,
      clientExtensionResults: first ? { prf: { results: { first } } } : {},
    } as never);
  };

  #ask(options: object): void {
    this.asked.push(options as Record<string, unknown>);
    const failure = this.fails.shift();
    if (failure) throw named(failure);
  }

  /** The same for the same input, and without user verification another one. */
  #prf(id: string, options: object): ArrayBuffer {
    const { extensions, userVerification, authenticatorSelection } = options as Record<string, never>;
    const input = (extensions as { prf: { eval: { first: Uint8Array } } }).prf.eval.first;
    const selection = authenticatorSelection as { userVerification?: string } | undefined;
    const verified = userVerification ?? selection?.userVerification;
    const output = hkdfSync('sha256', this.#secret, Buffer.from(id + String(verified)), input, 32);
    this.outputs.push(output.slice(0));
    return output;
  }
}

function named(name: string): Error {
  return Object.assign(new Error(name), { name });
}
