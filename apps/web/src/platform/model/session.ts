import {
  HealthRecordsClient,
  type SecondStepAsked,
  type SecondStepChoice,
  SessionEndedError,
  WebStorageSessionStore,
  type ClientState,
} from '@app/client';
import { indexedDbStore } from '@app/client/offline';
import { bySecondStep, webPasskeys } from '@app/client/passkeys';
import { sharedProfiles } from '@app/client/spaces';
import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { keepText } from './device-texts';
import { claimDrafts } from './drafts';
import { headStore } from './head-store';
import { lockAfterMinutes } from './preferences';

/** The public key of the knowledge base that this build has signed; empty while developing. */
declare const __KNOWLEDGE_KEY__: string;

/** The client of the page. There is one, and only the model speaks to it. */
export const client = new HealthRecordsClient({
  baseUrl: location.origin,
  sessionStore: new WebStorageSessionStore(localStorage, window),
  // Encrypted records and unsent writes stay on this device: the page works without a network.
  offline: indexedDbStore('health-records'),
  headStore,
  passkeys: webPasskeys(),
  spaces: sharedProfiles(),
  idleLock: { afterMs: () => lockAfterMinutes.value * 60_000 || Infinity },
  // A service that leaves a warning out must alter the base, or serve an older one.
  ...(__KNOWLEDGE_KEY__ && { knowledgeTrust: { publicKeys: [__KNOWLEDGE_KEY__], storage: localStorage } }),
  // The engine is a separate download, which a page without checks does not need.
  interactionEngine: async (knowledgeBase) => {
    const { deviceInteractionEngine } = await import('@app/client/interactions/device-engine');
    return deviceInteractionEngine(knowledgeBase);
  },
});

const REMEMBERED_EMAIL = 'health-records/email';

export const sessionState = signal<ClientState>('signed-out');
export const email = signal('');
/** Whether the session ended without an action of the person. */
export const endedUnasked = signal(false);
/** Whether the person locked the page, not its clock or a reload. */
export const lockedByHand = signal(false);

/** A line above the screens that is loaded when it is needed. */
export const notice = signal<{ Show: ComponentType } | undefined>(undefined);

export function showNotice(Show: ComponentType | undefined): void {
  notice.value = Show && { Show };
}

const onUnlock: (() => void)[] = [];
const onLock: (() => void)[] = [];

/** Calls the listener after each unlock, sign-in and sign-up. */
export function whenUnlocked(listener: () => void): void {
  onUnlock.push(listener);
}

/** Calls the listener when the keys are dropped. Nothing decrypted may stay in the memory of the page. */
export function whenLocked(listener: () => void): void {
  onLock.push(listener);
}

export function followSession(): void {
  sessionState.value = client.state;
  if (client.email) {
    email.value = client.email;
    try {
      keepText(REMEMBERED_EMAIL, client.email);
    } catch {
      // The sign-in then asks for it.
    }
  }
}

/** Resumes the session of an earlier visit. */
export async function resumeSession(): Promise<void> {
  email.value = localStorage.getItem(REMEMBERED_EMAIL) ?? '';
  client.on('unlocked', () => {
    endedUnasked.value = false;
    lockedByHand.value = false;
    followSession();
    claimDrafts(email.value);
    onUnlock.forEach((listener) => listener());
  });
  client.on('locked', () => {
    followSession();
    onLock.forEach((listener) => listener());
  });
  client.on('session-ended', ({ reason }) => {
    endedUnasked.value = reason === 'refresh_refused';
    if (reason === 'logged_out_elsewhere') email.value = '';
    followSession();
    onLock.forEach((listener) => listener());
  });
  await client.resume();
  followSession();
  // Only at the start: a tab that has just locked for want of use must not take the key of one that is about to.
  if (client.state === 'locked') void client.unlockFromOtherTab().catch(() => undefined);
}

/** The name of this device in the lists of devices and of passkeys. The service can read it. */
export function deviceLabel(): string {
  const { userAgent } = navigator;
  const browser = /(Firefox|Edg|OPR|Chrome|Safari)\//.exec(userAgent)?.[1] ?? 'Browser';
  const system = /(Android|iPhone|iPad|Windows|Mac OS X|Linux)/.exec(userAgent)?.[1] ?? '';
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'Mac' };
  return [names[browser] ?? browser, names[system] ?? system].filter(Boolean).join(' · ');
}

export interface SignUp {
  email: string;
  secret: string;
  phrase: string;
}

/** Creates the account. The family is empty afterwards. */
export async function signUp({ email: address, secret, phrase }: SignUp): Promise<void> {
  await client.register({
    email: address,
    password: secret,
    recoveryPhrase: phrase,
    deviceLabel: deviceLabel(),
  });
}

/** @param choose asks for a second step where the account has one. What it throws ends the sign-in. */
export async function signIn(
  address: string,
  secret: string,
  choose: (asked: SecondStepAsked) => Promise<SecondStepChoice>,
): Promise<void> {
  await client.login(address, secret, { deviceLabel: deviceLabel(), secondStep: bySecondStep(choose) });
}

export async function unlock(secret: string): Promise<void> {
  try {
    await client.unlock(secret);
  } catch (error) {
    if (error instanceof SessionEndedError) followSession();
    throw error;
  }
}

/** Where the passkey cannot unlock, the page is locked afterwards, and the password opens it. */
export async function signInByPasskey(): Promise<void> {
  await client.passkeys!.login({ deviceLabel: deviceLabel() });
  followSession();
}

/** Whether the service has no passkeys. */
export const arePasskeysOff = signal(false);

/** A ticket lives for five minutes. */
const TICKET_MS = 4 * 60_000;

/** Lets the browser offer passkeys in the field of the email, until the signal. What fails here, the button tells. */
export async function signInByAutofill(stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const turn = new AbortController();
    const end = () => turn.abort();
    const ending = setTimeout(end, TICKET_MS);
    stop.addEventListener('abort', end);
    try {
      await client.passkeys!.login({ deviceLabel: deviceLabel(), useAutofill: true, signal: turn.signal });
      return followSession();
    } catch (error) {
      arePasskeysOff.value = (error as { code?: string }).code === 'passkeys_off';
      // Only the end of a ticket is a reason to ask again.
      if (!turn.signal.aborted) return;
    } finally {
      clearTimeout(ending);
      stop.removeEventListener('abort', end);
    }
  }
}

/** Whether a passkey has unlocked on this device. Only then the page offers it: another may not be able to. */
export const canUnlockByPasskey = () => client.passkeys!.canUnlockHere();

export async function unlockByPasskey(): Promise<void> {
  try {
    await client.passkeys!.unlock();
  } catch (error) {
    if (error instanceof SessionEndedError) followSession();
    throw error;
  }
}

export function lock(): void {
  lockedByHand.value = true;
  client.lock();
  followSession();
}

export async function recover(address: string, phrase: string, newSecret: string): Promise<void> {
  await client.recover(address, phrase, newSecret, { deviceLabel: deviceLabel() });
}
