import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Database, type Executor, Housekeeping, type Statement } from '@app/database';
import { ACCESS_TOKEN_TTL_SECONDS } from './tokens';

/** Each process reads the list this often. An access token ends at the latest this long after its session. */
const RELOAD_MS = 10_000;
/** No access token of a session that ended before is valid any more. */
const REMEMBERED_SECONDS = ACCESS_TOKEN_TTL_SECONDS + 60;

const RECORD: Statement = {
  name: 'ended sessions insert',
  text: 'INSERT INTO ended_sessions (account_id, id) VALUES ($1, $2) ON CONFLICT DO NOTHING',
};
const LIST: Statement = {
  name: 'ended sessions list',
  text: `SELECT id FROM ended_sessions WHERE ended_at > now() - interval '${REMEMBERED_SECONDS} seconds'`,
};
const FORGET: Statement = {
  name: 'ended sessions forget',
  text: `DELETE FROM ended_sessions WHERE ended_at < now() - interval '${REMEMBERED_SECONDS} seconds'`,
};

/**
 * The sessions that ended while their access tokens are still valid.
 *
 * Statements compare the account's token version, which the end of one session does not raise. So each process
 * keeps the list of these sessions in memory and refuses their tokens. If the database does not answer, the
 * process keeps the list that it has.
 */
@Injectable()
export class EndedSessions implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('EndedSessions');
  private ids = new Set<string>();
  private reloading: Promise<void> | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    housekeeping: Housekeeping,
  ) {
    housekeeping.add(() => database.query(FORGET, []));
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.reload();
    this.timer = setInterval(() => void this.reload(), RELOAD_MS).unref();
  }

  async onApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.reloading;
  }

  has(sessionId: string): boolean {
    return this.ids.has(sessionId);
  }

  /** Records that sessions end, in the transaction that ends them. Call `reload` after it. */
  async record(transaction: Executor, accountId: string, sessionIds: string[]): Promise<void> {
    for (const id of sessionIds) await transaction.query(RECORD, [accountId, id]);
  }

  /** Reads the list anew. It never rejects. */
  async reload(): Promise<void> {
    // A list that is being read may not have the newest entries.
    await this.reloading;
    this.reloading ??= this.read().finally(() => (this.reloading = undefined));
    await this.reloading;
  }

  private async read(): Promise<void> {
    try {
      const rows = await this.database.query<{ id: string }>(LIST, []);
      this.ids = new Set(rows.map(({ id }) => id));
    } catch (error) {
      this.log.warn(`The list of ended sessions was not read (${(error as Error).name}).`);
    }
  }
}
