import { batch, signal } from '@preact/signals';
import type { RecordsChanged, UnreadableRecord } from '@app/client';
import { whenLocked } from './session';

/** The state of loading the records of the family. */
export type LoadState = 'empty' | 'loading' | 'ready' | 'failed';

export const loadState = signal<LoadState>('empty');
/** The error that stopped the loading, or that of the last write that failed. */
export const loadError = signal<unknown>(undefined);
/** Records that cannot be decrypted. The page names them and never omits them silently. */
export const unreadable = signal<UnreadableRecord[]>([]);

/**
 * Reads records, and returns what shows them. A load that was begun before a lock shows nothing after it.
 * @param changed what was changed since the last load; absent at a load of everything
 */
export type Part = (changed?: Change) => Promise<() => void>;

/** What was changed. */
export interface Change {
  kinds: ReadonlySet<string>;
  /** The medicines whose doses were changed; absent where it may be any. */
  dosesOf?: ReadonlySet<string>;
}
const parts: { part: Part; kinds: readonly string[] }[] = [];

/**
 * Registers a loader that runs after an unlock. The code of a screen may arrive
 * after the family is loaded. Its loader then runs at once, and until it ends the state is `loading`.
 */
export function loadedWithFamily(part: Part, ...kinds: string[]): void {
  parts.push({ part, kinds });
  if (loadState.value !== 'empty') loadLate(part);
}

/** Registers a loader that runs only when the family is loaded again. */
export function reloadedWithFamily(part: Part, ...kinds: string[]): void {
  parts.push({ part, kinds });
}

let before: Promise<unknown> = Promise.resolve();

/** Runs an action that fills the account. Loading waits until it has ended. */
export function loadAfter(act: () => Promise<void>): Promise<void> {
  const done = act();
  before = done.catch(() => undefined);
  return done;
}

let running: Promise<void> | undefined;
/** What the run that is under way could not read. The notices of the run before stay until its end. */
let gathered: UnreadableRecord[] | undefined;
let locks = 0;

/** Loads everything that the screens show. Calls at the same time share one run. */
export function loadRecords(): Promise<void> {
  return running ?? begin(run());
}

function begin(work: Promise<void>): Promise<void> {
  const mine = work.finally(() => {
    if (running === mine) running = undefined;
  });
  running = mine;
  return mine;
}

/** Loads what was changed, after the run that is under way: it may have read the records before. */
export async function reloadChanged({ kinds, dosesOf }: RecordsChanged): Promise<void> {
  const begun = locks;
  await running;
  if (begun !== locks) return;
  const change = { kinds: new Set(kinds), ...(dosesOf && { dosesOf: new Set(dosesOf) }) };
  // The deletion of a person is one of all records. Before the first load ends, nothing is there to add to.
  const isPart = loadState.value === 'ready' && !change.kinds.has('profile');
  await begin(run(isPart ? change : undefined));
}

async function run(changed?: Change): Promise<void> {
  const begun = locks;
  if (loadState.value !== 'ready') loadState.value = 'loading';
  gathered = [];
  try {
    await before;
    for (const { part, kinds } of [...parts]) {
      if (changed && !kinds.some((kind) => changed.kinds.has(kind))) continue;
      const show = await part(changed);
      if (begun !== locks) return;
      show();
    }
    const kept = changed ? unreadable.value.filter(({ kind }) => !changed.kinds.has(kindInFeed(kind))) : [];
    const unread = [...kept, ...gathered];
    batch(() => {
      // Another list, empty as well, would draw the whole shell.
      if (unread.length + unreadable.value.length > 0) unreadable.value = unread;
      loadState.value = 'ready';
      loadError.value = undefined;
    });
  } catch (error) {
    if (begun !== locks) return;
    batch(() => {
      loadError.value = error;
      if (loadState.value !== 'ready') loadState.value = 'failed';
    });
  } finally {
    if (begun === locks) gathered = undefined;
  }
}

/** The client names kinds in its own words; the feed has the words of the service. */
const kindInFeed = (kind: string) => kind.replace('-', '_');

function loadLate(part: Part): void {
  loadState.value = 'loading';
  const begun = locks;
  const mine = (running ?? Promise.resolve())
    .then(() => part())
    .then(
      (show) => {
        if (begun !== locks) return;
        show();
        if (running === mine) loadState.value = 'ready';
      },
      (error: unknown) => {
        if (begun !== locks) return;
        batch(() => {
          loadError.value = error;
          loadState.value = 'failed';
        });
      },
    );
  running = mine;
  void mine.finally(() => {
    if (running === mine) running = undefined;
  });
}

whenLocked(() => {
  locks += 1;
  running = undefined;
  gathered = undefined;
  batch(() => {
    loadState.value = 'empty';
    loadError.value = undefined;
    unreadable.value = [];
  });
});

export function noteUnreadable(record: UnreadableRecord): void {
  const noted = gathered ?? unreadable.value;
  if (noted.some(({ id }) => id === record.id)) return;
  if (gathered) gathered.push(record);
  else unreadable.value = [...noted, record];
}
