import { DeviceStorageError } from '@app/client';
import { signal } from '@preact/signals';
import { keepText } from '../../../platform/model/device-texts';
import { forgetDrafts } from '../../../platform/model/drafts';
import { forgetHeads } from '../../../platform/model/head-store';
import { isPushed, PREFERENCE_PREFIX } from '../../../platform/model/preferences';
import { client, email, endedUnasked, followSession } from '../../../platform/model/session';

/** What a sign-out could not remove from this device; `undefined` after one that removed all. */
export const leftBehind = signal<unknown>(undefined);

/**
 * The only texts that stay after a sign-out: the choices of this device, the newest edition of the knowledge base, and the
 * account of the demo family, whose people are invented.
 */
const STAYS = [PREFERENCE_PREFIX, 'health-records/knowledge'];

/** Removes what this device keeps of the account beside the copy of the records, which the client removes. */
async function forgetAccount(): Promise<void> {
  email.value = '';
  for (const key of Object.keys(localStorage))
    if (!STAYS.some((kept) => key.startsWith(kept))) keepText(key, null);
  void forgetReminders().catch(() => undefined);
  await Promise.all([forgetDrafts(), forgetHeads()]);
}

/** The service sends none any more. Nothing that is shown stays, and the browser gives the subscription back. */
async function forgetReminders(): Promise<void> {
  isPushed.value = false;
  const registration = await navigator.serviceWorker?.getRegistration();
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
  await (await registration?.pushManager?.getSubscription())?.unsubscribe();
}

/** Runs what ends the session, and forgets the account on this device once it has ended. */
async function leave(end: () => Promise<void>): Promise<void> {
  leftBehind.value = undefined;
  try {
    await end();
  } catch (error) {
    // The session has ended here all the same.
    if (client.state !== 'signed-out' || !(error instanceof DeviceStorageError)) throw error;
    leftBehind.value = error;
  } finally {
    if (client.state === 'signed-out') {
      endedUnasked.value = false;
      await forgetAccount().catch((error: unknown) => (leftBehind.value = error));
      followSession();
    }
  }
}

/**
 * Ends the session on this device, and removes everything of the account from it.
 * @param force also where writes wait that the service does not have. They are lost.
 * @throws OutboxNotEmptyError where writes wait
 */
export const signOut = (force = false): Promise<void> => leave(() => client.logout({ force }));

/** @throws OutboxNotEmptyError where writes wait, unless `force` says that they may be lost */
export const signOutEverywhere = (force: boolean): Promise<void> =>
  leave(() => client.logoutEverywhere({ force }));

/**
 * Erases the account on the service, and what this device keeps of it, also what waits to be sent.
 * @param withSpaces also the shared profiles that only this account looks after, for all who see them
 * @throws ApiError `sole_owner` where there are such profiles
 */
export const eraseAccount = (secret: string, withSpaces = false): Promise<void> =>
  leave(() => client.deleteAccount(secret, { force: true, ...(withSpaces && { soleSpaces: 'delete' }) }));
