import type { Account } from '../account/account';
import type { KeyRing } from '../account/key-ring';
import type { TrustBooks } from '../account/trust-book';
import type { HttpTransport } from '../http/http-transport';
import type { ServiceAnswer } from '../http/service-request';
import type { SessionTransport } from '../http/session-transport';
import type { OfflineEngine } from '../offline/offline-store';
import type { CallOptions } from '../records/record-types';

/** A passkey of the account, as the service lists it. */
export interface Passkey {
  id: string;
  /** base64url. */
  credentialId: string;
  label: string;
  /** Whether it synchronises to other devices of the person. */
  isBackedUp: boolean;
  /** Whether the service holds a wrap of the account key for it. Without one it signs in only. */
  canUnlock: boolean;
  /** `true`: no device of this account has added it, by the trust book. The service, or somebody with the password, has. */
  isForeign?: true;
  createdAt: string;
  /** The last sign-in. */
  lastUsedAt: string | null;
}

/** What a new passkey is made with. */
export interface NewPasskey {
  currentPassword: string;
  /** What the list calls it, in plaintext: 1 to 64 characters. */
  label: string;
}

export interface PasskeyLoginOptions extends CallOptions {
  /** What the list of sessions calls this device. */
  deviceLabel?: string;
  /** Offers passkeys in the field of the email (`autocomplete="username webauthn"`), and waits. */
  useAutofill?: boolean;
}

/** Who has signed in by a passkey, and whether it has also opened the keys. */
export interface PasskeyLogin {
  email: string;
  /** `false`: the passkey has signed in and cannot unlock. The password does. */
  isUnlocked: boolean;
}

/** Sign-in and unlock by passkey. All methods that ask the person may throw PasskeyError. */
export interface Passkeys {
  /** Oldest first. @throws IntegrityError for a trust book that does not open, or is older than this device has seen. */
  list(options?: CallOptions): Promise<Passkey[]>;
  /** How many passkeys the devices of this account have added that the service does not list. */
  countMissing(options?: CallOptions): Promise<number>;
  /** Asks the person to make one. @throws WrongPasswordError; ApiError `passkeys_off`, `passkeys_exceeded` */
  add(passkey: NewPasskey, options?: CallOptions): Promise<Passkey>;
  /**
   * Lets a passkey unlock again: after all keys were replaced, it signs in only. Asks the person for it.
   * @returns whether it can unlock now. @throws WrongPasswordError
   */
  renew(passkey: Passkey, currentPassword: string, options?: CallOptions): Promise<boolean>;
  /** Gives a passkey another label. */
  rename(id: string, label: string, options?: CallOptions): Promise<Passkey>;
  /** It signs in and unlocks no more. @throws WrongPasswordError */
  remove(id: string, currentPassword: string, options?: CallOptions): Promise<void>;
  /** Signs in, and unlocks where the passkey can. @throws ApiError `invalid_credentials`, `passkeys_off` */
  login(options?: PasskeyLoginOptions): Promise<PasskeyLogin>;
  /**
   * Opens the keys of a resumed or locked session; without a network where the passkey has unlocked on this device.
   * @throws SessionEndedError; IntegrityError `key_mismatch`
   */
  unlock(options?: CallOptions): Promise<void>;
  /** Whether `unlock` has something to ask for without a network. */
  canUnlockHere(): Promise<boolean>;
  /** The same as `client.secondStep`. */
  readonly secondStep: SecondSteps;
}

/** Whether the account asks for a second step after the password. */
export interface SecondStepState {
  isRequired: boolean;
  /** Whether an app gives codes. Passkeys have a list of their own. */
  hasApp: boolean;
}

/** A new app that is not confirmed yet. */
export interface NewApp {
  /** Base32, to be typed. Whoever has it can make codes. */
  secret: string;
  /** `otpauth://…`, for a QR code. */
  uri: string;
  /** For `confirmApp`, within five minutes. */
  ticket: string;
}

/** A second step after the password: a code of an app, or a passkey. */
export interface SecondSteps {
  /** Whether the account asks for a second step, and by what. */
  state(options?: CallOptions): Promise<SecondStepState>;
  /** @throws WrongPasswordError; ApiError `second_step_unsafe` where the loss of one thing would lock the person out. */
  set(isRequired: boolean, currentPassword: string, options?: CallOptions): Promise<SecondStepState>;
  /** Nothing changes before `confirmApp`. @throws WrongPasswordError */
  addApp(currentPassword: string, options?: CallOptions): Promise<NewApp>;
  /** The app takes the place of the one before. @throws ApiError `second_step_wrong`; `invalid_credentials` for an old ticket. */
  confirmApp(ticket: string, code: string, options?: CallOptions): Promise<void>;
  /** @throws WrongPasswordError; ApiError `second_step_unsafe` */
  removeApp(currentPassword: string, options?: CallOptions): Promise<void>;
}

/** What the account takes as a second step at this login. */
export interface SecondStepAsked {
  hasApp: boolean;
  hasPasskey: boolean;
  /** Why the choice before has led nowhere; `undefined` at first. */
  failure: unknown;
}

/** A code of the app, or `passkey`. */
export type SecondStepChoice = { code: string } | 'passkey';

/** The parts of the client that passkeys need. */
export interface PasskeyParts {
  http: HttpTransport;
  transport: SessionTransport;
  keys: KeyRing;
  account: Account;
  engine: OfflineEngine | undefined;
  /** Loaded with the first use. */
  trustBooks: () => Promise<TrustBooks>;
  /** Starts a session with the answer of a sign-in. */
  signIn(answer: ServiceAnswer['body'], options: CallOptions): Promise<string>;
  /** Says that the keys are open. */
  unlocked(): void;
}

/** The option `passkeys` of the client. */
export type PasskeysFactory = (parts: PasskeyParts) => Passkeys;
