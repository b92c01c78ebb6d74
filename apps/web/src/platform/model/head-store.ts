import type { HeadStore } from '@app/client';
import { openDB, type IDBPDatabase } from 'idb';

/**
 * Keeps the heads of profiles on this device until the sign-out: with them the page notices when the service returns an
 * older state of a whole profile. Security: holds profile ids and sealed texts only.
 */
const NAME = 'health-records-heads';

let opened: Promise<IDBPDatabase> | undefined;

function database(): Promise<IDBPDatabase> {
  opened ??= openDB(NAME, 1, { upgrade: (fresh) => void fresh.createObjectStore('heads') }).catch(
    (error: unknown) => {
      opened = undefined;
      throw error;
    },
  );
  return opened;
}

export const headStore: HeadStore = {
  async read(profileId) {
    return ((await (await database()).get('heads', profileId)) as string | undefined) ?? null;
  },
  async write(profileId, sealed) {
    await (await database()).put('heads', sealed, profileId);
  },
};

/** After a sign-out nothing of the account stays on this device. */
export async function forgetHeads(): Promise<void> {
  await (await database()).clear('heads');
}
