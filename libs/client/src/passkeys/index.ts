import type { SecondStepper } from '../records/record-types';
import type { Passkeys, PasskeysFactory, SecondStepAsked, SecondStepChoice } from './passkey-types';
import type { WebAuthnFunctions } from './web-authenticator';

export { PasskeyError, type PasskeyFailure } from './passkey-error';
export type * from './passkey-types';

/**
 * The option `passkeys` of the client, for browsers. What asks the browser is loaded with the first call.
 * @param webAuthn for tests: an authenticator in memory.
 */
export function webPasskeys(webAuthn?: WebAuthnFunctions): PasskeysFactory {
  return (parts) => {
    let loading: Promise<Passkeys> | undefined;
    const loaded = () =>
      (loading ??= import('./web-passkeys.js').then(
        ({ passkeysWith }) => passkeysWith(parts, webAuthn),
        (error: unknown) => {
          // Without a network it may not be there yet.
          loading = undefined;
          throw error;
        },
      ));
    return {
      list: async (options) => (await loaded()).list(options),
      add: async (passkey, options) => (await loaded()).add(passkey, options),
      countMissing: async (options) => (await loaded()).countMissing(options),
      renew: async (...call) => (await loaded()).renew(...call),
      rename: async (id, label, options) => (await loaded()).rename(id, label, options),
      remove: async (id, password, options) => (await loaded()).remove(id, password, options),
      login: async (options) => (await loaded()).login(options),
      unlock: async (options) => {
        // A lock that comes while the part is loaded wins, too.
        const attempt = parts.keys.attempt();
        const passkeys = await loaded();
        attempt.check();
        return passkeys.unlock(options);
      },
      canUnlockHere: async () => (await loaded()).canUnlockHere(),
      secondStep: {
        state: async (options) => (await loaded()).secondStep.state(options),
        set: async (...call) => (await loaded()).secondStep.set(...call),
        addApp: async (...call) => (await loaded()).secondStep.addApp(...call),
        confirmApp: async (...call) => (await loaded()).secondStep.confirmApp(...call),
        removeApp: async (...call) => (await loaded()).secondStep.removeApp(...call),
      },
    };
  };
}

/**
 * The option `secondStep` of a login.
 * @param choose asks the person, again after each failure. What it throws ends the login.
 * @param webAuthn for tests: an authenticator in memory.
 */
export function bySecondStep(
  choose: (asked: SecondStepAsked) => Promise<SecondStepChoice>,
  webAuthn?: WebAuthnFunctions,
): SecondStepper {
  return async (asked, send) =>
    (await import('./web-passkeys.js')).secondStepWith(choose, webAuthn)(asked, send);
}

/** Whether this browser has passkeys at all. Whether one can unlock shows when it is made. */
export function arePasskeysSupported(): boolean {
  return typeof (globalThis as { PublicKeyCredential?: unknown }).PublicKeyCredential === 'function';
}
