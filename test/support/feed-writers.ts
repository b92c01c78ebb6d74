import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type PoolClient, Pool } from 'pg';
import type { Api } from '@app/testing';
import { aBlob } from './factories';
import type { Household } from './record-kinds';
import { until } from './until';

/** An account whose statistics are written. */
export type WrittenAccount = Household & { accountId: string };

interface OwnRecord {
  id: string;
  account: WrittenAccount;
}

/** What happened, so that a test can see that it happened at all. */
export interface Events {
  commits: number;
  undone: number;
  deletes: number;
  deadlocks: number;
  /** Connections and requests that ended before their answer. */
  broken: number;
  /** Connections that {@link endConnections} has ended. */
  ended: number;
}

/** What all writers of a run share. */
export interface FeedRun {
  accounts: readonly WrittenAccount[];
  pool: Pool;
  events: Events;
}

const DEADLOCK = '40P01';
const ATTEMPTS = 5;
const LATE_COMMITS = 20;
const SHORT_PAUSE_MS = 10;
const LONG_PAUSE_MS = 250;

const WRITERS = 'feed-writers';

/** Connections that may be ended by anybody at any time. */
export function breakablePool(connectionString: string, max: number): Pool {
  // Deadlocks are found at once instead of after a second.
  const options = '-c deadlock_timeout=20ms';
  const pool = new Pool({ connectionString, max, options, application_name: WRITERS });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/**
 * Writes statistics until it is told to stop: by requests to its replica, and in transactions of its own that stay
 * open for a while, touch several records of several accounts, meet deadlocks, and are rolled back or broken.
 */
export class FeedWriter {
  #own: OwnRecord[] = [];

  constructor(
    private readonly run: FeedRun,
    private readonly api: () => Api,
  ) {}

  async write(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      try {
        if (randomInt(2) === 0) await this.#request();
        else await this.#transaction();
      } catch {
        // Whether it was written, nobody knows: nobody writes these records again.
        this.#own = [];
        this.run.events.broken += 1;
        await sleep(randomInt(20));
      }
    }
  }

  #anAccount(): WrittenAccount {
    return this.run.accounts[randomInt(this.run.accounts.length)];
  }

  /** One of the own records, in two of three cases. */
  #earlier(): OwnRecord | undefined {
    return randomInt(3) > 0 ? this.#own.splice(randomInt(this.#own.length + 1), 1)[0] : undefined;
  }

  async #request(): Promise<void> {
    const earlier = this.#earlier();
    const api = this.api();
    if (!earlier) {
      const account = this.#anAccount();
      const body = { id: randomUUID(), profile_id: account.profileId, encrypted_data: aBlob() };
      this.#expect(await api.post('/api/health-stats', body, account), 201);
      this.#own.push({ id: body.id, account });
      return;
    }
    const path = `/api/health-stats/${earlier.id}`;
    if (randomInt(2) === 0) {
      this.#expect(await api.delete(path, undefined, earlier.account), 204);
      this.run.events.deletes += 1;
    } else {
      this.#expect(await api.put(path, { encrypted_data: aBlob() }, earlier.account), 200);
      this.#own.push(earlier);
    }
  }

  #expect({ status, text }: { status: number; text: string }, wanted: number): void {
    if (status !== wanted) throw new Error(`${status}: ${text}`);
    this.run.events.commits += 1;
  }

  async #transaction(): Promise<void> {
    // Each statement locks its account until the end, in whatever order.
    const changes = Array.from({ length: randomInt(1, 4) }, () => {
      const earlier = this.#earlier();
      const kind = earlier && randomInt(2) === 0 ? 'delete' : earlier ? 'update' : 'insert';
      return { kind, ...(earlier ?? { id: randomUUID(), account: this.#anAccount() }) };
    });
    const pauseMs = randomInt(randomInt(20) === 0 ? LONG_PAUSE_MS : SHORT_PAUSE_MS);
    const fate = randomInt(20);
    for (let attempt = 1; ; attempt += 1) {
      const client = await this.run.pool.connect();
      try {
        await client.query('BEGIN');
        for (const { kind, id, account } of changes) await change(client, kind, id, account);
        await sleep(pauseMs);
        // A client that dies in the middle of its transaction.
        if (fate === 0) throw new Error('broken off');
        await client.query(fate < 4 ? 'ROLLBACK' : 'COMMIT');
        client.release();
        break;
      } catch (error) {
        client.release(true);
        if ((error as { code?: string }).code !== DEADLOCK || attempt === ATTEMPTS) throw error;
        this.run.events.deadlocks += 1;
      }
    }
    if (fate < 4) {
      this.run.events.undone += 1;
      this.#own = [];
      return;
    }
    this.run.events.commits += 1;
    this.run.events.deletes += changes.filter(({ kind }) => kind === 'delete').length;
    this.#own.push(...changes.filter(({ kind }) => kind !== 'delete'));
  }
}

const STATEMENTS: Record<string, string> = {
  insert: `INSERT INTO health_stats (account_id, id, profile_id, encrypted_data) VALUES ($1, $2, $3, '"x"')`,
  update: `UPDATE health_stats SET revision = revision + 1, updated_at = now(), encrypted_data = '"' || revision || '"'
            WHERE account_id = $1 AND id = $2`,
  delete: 'DELETE FROM health_stats WHERE account_id = $1 AND id = $2',
};

async function change(client: PoolClient, kind: string, id: string, account: WrittenAccount): Promise<void> {
  const { accountId, profileId } = account;
  await client.query(STATEMENTS[kind], kind === 'insert' ? [accountId, id, profileId] : [accountId, id]);
}

/**
 * Two transactions change the same two records in opposite order, so that they meet a deadlock: one is refused, and
 * tries again.
 */
export async function meetDeadlocks(
  { accounts, pool, events }: FeedRun,
  isOver: () => boolean,
): Promise<void> {
  const account = accounts[0];
  const [one, two] = [randomUUID(), randomUUID()];
  const write = async (ids: string[]) => {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      for (const id of ids) await client.query(STATEMENTS.update, [account.accountId, id]);
      await client.query('COMMIT');
      client.release();
    } catch (error) {
      client.release(true);
      if ((error as { code?: string }).code === DEADLOCK) events.deadlocks += 1;
      throw error;
    }
  };
  const isDone = (work: Promise<unknown>) =>
    work.then(
      () => true,
      () => false,
    );
  const insert = `${STATEMENTS.insert} ON CONFLICT DO NOTHING`;
  for (const id of [one, two])
    while (!(await isDone(pool.query(insert, [account.accountId, id, account.profileId]))));
  const changeBoth = async (ids: string[]) => {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) if (await isDone(write(ids))) return;
  };
  while (!isOver()) await Promise.all([changeBoth([one, two]), changeBoth([two, one])]);
}

/**
 * A transaction that began first commits last, after a follower has read what was committed in between: its record has
 * an earlier time than one that the follower has.
 */
export async function meetLateCommit(
  { accounts: [account], pool }: FeedRun,
  hasRead: (id: string) => boolean,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const client = await pool.connect();
    try {
      await client.query('BEGIN');
      const between = randomUUID();
      await pool.query(STATEMENTS.insert, [account.accountId, between, account.profileId]);
      await until('a follower reads what was committed in between', () => Promise.resolve(hasRead(between)));
      await change(client, 'insert', randomUUID(), account);
      await client.query('COMMIT');
      client.release();
      return;
    } catch (error) {
      client.release(true);
      // One of the connections was ended.
      if (attempt === LATE_COMMITS) throw error;
    }
  }
}

/** Ends connections of the writers at random, until it is told to stop. */
export async function endConnections(
  databaseUrl: string,
  events: Events,
  isOver: () => boolean,
): Promise<void> {
  const pool = breakablePool(databaseUrl, 1);
  while (!isOver()) {
    const { rowCount } = await pool
      .query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name = $1
          ORDER BY random() LIMIT 1`,
        [WRITERS],
      )
      .catch(() => ({ rowCount: 0 }));
    events.ended += rowCount ?? 0;
    await sleep(100 + randomInt(200));
  }
  await pool.end();
}
