import {
  type AccountUsage,
  generateRecoveryPhrase,
  type DeviceSession,
  type KeyReplacement,
  type Passkey,
  type SecurityEvent,
} from '@app/client';
import { client, deviceLabel } from '../../../platform/model/session';

/** Devices, events and the secrets of the account. The page asks the service for them when it shows them. */
export interface SecurityView {
  devices: DeviceSession[];
  events: SecurityEvent[];
  usage: AccountUsage;
}

const SHOWN_EVENTS = 100;

export async function securityView(): Promise<SecurityView> {
  const events: SecurityEvent[] = [];
  for await (const event of client.securityEvents.iterate({ pageSize: SHOWN_EVENTS })) {
    events.push(event);
    if (events.length === SHOWN_EVENTS) break;
  }
  return { devices: await client.sessions.list(), events, usage: await client.usage() };
}

export const endDevice = (id: string) => client.sessions.end(id);

export const changeSecret = (current: string, next: string) => client.changePassword(current, next);

export const passkeysOfAccount = (): Promise<Passkey[]> => client.passkeys!.list();

/** @returns the passkey, which may sign in only. */
export const addPasskey = (currentPassword: string): Promise<Passkey> =>
  client.passkeys!.add({ currentPassword, label: deviceLabel() });

export const renamePasskey = (id: string, name: string): Promise<Passkey> =>
  client.passkeys!.rename(id, name);

export const removePasskey = (id: string, currentPassword: string): Promise<void> =>
  client.passkeys!.remove(id, currentPassword);

export const secondStepOfAccount = () => client.secondStep!.state();

export const setSecondStep = (isRequired: boolean, currentPassword: string) =>
  client.secondStep!.set(isRequired, currentPassword);

export const addApp = (currentPassword: string) => client.secondStep!.addApp(currentPassword);

export const confirmApp = (ticket: string, code: string) => client.secondStep!.confirmApp(ticket, code);

export const removeApp = (currentPassword: string) => client.secondStep!.removeApp(currentPassword);

/** New words in place of the old ones. @returns the words, to be shown once */
export async function renewWords(secret: string): Promise<string> {
  const phrase = await generateRecoveryPhrase();
  await client.setRecoveryPhrase(secret, phrase);
  return phrase;
}

export const makeWords = generateRecoveryPhrase;

/** Every other device is signed out. The syncs that follow seal the records anew. */
export const replaceKeys = (replacement: KeyReplacement) => client.rotateKeys(replacement);

/** Passkeys that only sign in since the keys were replaced. */
export const passkeysToRenew = async (): Promise<Passkey[]> =>
  (await passkeysOfAccount()).filter(({ canUnlock, isForeign }) => !canUnlock && !isForeign);

export const renewPasskey = (passkey: Passkey, currentPassword: string): Promise<boolean> =>
  client.passkeys!.renew(passkey, currentPassword);

export const missingPasskeys = (): Promise<number> => client.passkeys!.countMissing();
