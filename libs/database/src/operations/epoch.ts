import type { Executor, Statement } from '../connection/statement';

/** The last known epoch is asked for again after this time, when it is used. */
const ASK_AGAIN_MS = 1_000;

const FIND_EPOCH: Statement = {
  name: 'epochs find',
  text: `SELECT id, (SELECT count(*) FROM epochs) = 1 AS is_first
    FROM epochs ORDER BY started_at DESC, id LIMIT 1`,
};

/**
 * SQL that begins a new epoch and returns its id. It is the newest whatever the clock of the server says.
 */
export const BEGIN_EPOCH = `
  INSERT INTO epochs (id, started_at)
    SELECT left(replace(gen_random_uuid()::text, '-', ''), 12),
      greatest(now(), (SELECT max(started_at) FROM epochs) + interval '1 millisecond')
    RETURNING id`;

/** An epoch of the database; see `EpochEntity`. */
export interface Epoch {
  id: string;
  is_first: boolean;
}

/** The current epoch of the database. */
export async function findEpoch(executor: Executor): Promise<Epoch> {
  return (await executor.query<Epoch>(FIND_EPOCH, []))[0];
}

/**
 * SQL that checks whether a list of entity tags contains the tag of a row.
 *
 * The statement itself compares the epoch, because what a process knows of the epoch may be old. A tag without
 * an epoch is one of the first epoch.
 *
 * @param revision the column. @param tags a parameter of the type `text[]`.
 */
export function tagsAllow(revision: string, tags: string): string {
  return `EXISTS (
    SELECT 1 FROM (${FIND_EPOCH.text}) e
    WHERE ${revision} || '-' || e.id = ANY (${tags}::text[])
      OR (e.is_first AND ${revision}::text = ANY (${tags}::text[])))`;
}

/** Whether a list of entity tags allows a row with this revision. */
export function isAllowed(tags: string[], revision: number, epoch: Epoch): boolean {
  return tags.includes(`${revision}-${epoch.id}`) || (epoch.is_first && tags.includes(String(revision)));
}

/**
 * What this process knows of the epoch. It may be out of date by a second of use. A tag that is made from it
 * is then one of an older epoch, and matches nothing: the client reads the record again.
 */
export class Epochs {
  private known: Epoch | undefined;
  private asking: Promise<Epoch> | undefined;
  private askAgainAt = 0;

  constructor(private readonly executor: Executor) {}

  /**
   * The epoch in which answers are marked: `undefined` in the first one. After a second it is asked for in the
   * background.
   *
   * @returns a promise only before the first answer of the database.
   */
  get mark(): string | undefined | Promise<string | undefined> {
    if (performance.now() >= this.askAgainAt) void this.ask().catch(() => undefined);
    return this.known ? markOf(this.known) : this.ask().then(markOf);
  }

  /** The last known epoch. */
  async last(): Promise<Epoch> {
    return this.known ?? this.ask();
  }

  /** Asks the database. */
  ask(): Promise<Epoch> {
    this.askAgainAt = performance.now() + ASK_AGAIN_MS;
    this.asking ??= findEpoch(this.executor)
      .then((epoch) => (this.known = epoch))
      .finally(() => (this.asking = undefined));
    return this.asking;
  }
}

function markOf({ id, is_first: isFirst }: Epoch): string | undefined {
  return isFirst ? undefined : id;
}
