import type { PasskeysFactory } from './passkey-types';
import { BROWSER, WebAuthenticator, type WebAuthnFunctions } from './web-authenticator';
import { WebPasskeys } from './web-passkeys';

export { PasskeyError } from './passkey-error';
export type * from './passkey-types';

/**
 * The option `passkeys` of the client, for browsers.
 * @param webAuthn for tests: an authenticator in memory.
 */
export function webPasskeys(webAuthn: WebAuthnFunctions = BROWSER): PasskeysFactory {
  return (parts) => new WebPasskeys(parts, new WebAuthenticator(webAuthn));
}

/** Whether this browser has passkeys at all. Whether one can unlock shows when it is made. */
export function arePasskeysSupported(): boolean {
  return WebAuthenticator.isSupported();
}
