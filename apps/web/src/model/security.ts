import {
  type AccountUsage,
  generateRecoveryPhrase,
  type DeviceSession,
  type SecurityEvent,
} from '@app/client';
import { client } from './session';

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

/** New words in place of the old ones. @returns the words, to be shown once */
export async function renewWords(secret: string): Promise<string> {
  const phrase = generateRecoveryPhrase();
  await client.setRecoveryPhrase(secret, phrase);
  return phrase;
}
