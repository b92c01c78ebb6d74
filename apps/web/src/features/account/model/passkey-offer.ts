import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { hasOwnAuthenticator, isUnlockRuledOut } from './passkey-ability';
import { preference } from '../../../platform/model/preferences';
import { addPasskey } from './security';
import { arePasskeysOff, canUnlockByPasskey, showNotice, whenLocked } from '../../../platform/model/session';

/** Whether this device has made the offer. It makes it once. */
const wasMade = preference<boolean>('passkey-offered', false);

/** How long the password of the sign-in is kept for the offer. */
const STANDS_MS = 5 * 60_000;

/** The password that was just typed; `undefined` once the offer is answered, or the page is locked. */
const typed = signal<string | undefined>(undefined);
let ending: ReturnType<typeof setTimeout> | undefined;

/** The offer is over, with an answer or without one. */
export function endOffer(): void {
  clearTimeout(ending);
  typed.value = undefined;
  showNotice(undefined);
}

whenLocked(endOffer);

/**
 * Offers a passkey after a sign-in by password, where one can unlock: once on each device. The password is kept for some
 * minutes, so that the person need not type it again.
 */
export async function makeOffer(secret: string, Show: ComponentType): Promise<void> {
  if (wasMade.value || arePasskeysOff.value || !(await hasOwnAuthenticator()) || (await isUnlockRuledOut()))
    return;
  if (await canUnlockByPasskey()) return;
  wasMade.value = true;
  typed.value = secret;
  ending = setTimeout(endOffer, STANDS_MS);
  showNotice(Show);
}

/** @returns whether the new passkey can unlock. */
export async function takeOffer(): Promise<boolean> {
  const secret = typed.value;
  if (secret === undefined) return false;
  const { canUnlock } = await addPasskey(secret);
  return canUnlock;
}
