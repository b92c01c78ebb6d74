/** The questions to the browser that the types of the language do not have. Source: WebAuthn Level 3, section 5.1. */
interface PasskeyAbilities {
  isUserVerifyingPlatformAuthenticatorAvailable?(): Promise<boolean>;
  getClientCapabilities?(): Promise<Record<string, boolean>>;
}

const browser = (): PasskeyAbilities | undefined =>
  (globalThis as { PublicKeyCredential?: PasskeyAbilities }).PublicKeyCredential;

/** Whether this device asks for a fingerprint, a face or a PIN itself. */
export const hasOwnAuthenticator = async (): Promise<boolean> =>
  (await browser()?.isUserVerifyingPlatformAuthenticatorAvailable?.()) ?? false;

/** Whether the browser says that it gives no keys to a page. Whether a passkey gives one shows when it is made. */
export const isUnlockRuledOut = async (): Promise<boolean> =>
  (await browser()?.getClientCapabilities?.())?.['extension:prf'] === false;
