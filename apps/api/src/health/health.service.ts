import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { ServiceError } from '@app/common';
import { ServiceConfig } from '@app/config';
import { Database, type Statement, Storage } from '@app/database';

const FIND_MIGRATION: Statement = {
  name: 'find migration',
  text: 'SELECT name FROM migrations WHERE name = ANY ($1)',
};

/** Changes nothing, and needs all that a write needs: a primary, and room on its disk. */
const TRY_TO_WRITE: Statement = {
  name: 'secret fingerprints touch',
  text: `UPDATE secret_fingerprints SET fingerprint = fingerprint WHERE name = 'jwt'`,
};
const TRY_EVERY_MS = 2_000;
/** A write that takes longer counts as failing, until it ends. */
const TRY_TIMEOUT_MS = 1_000;

/** Checks of the database in a second. Further requests get the last result. An orchestrator asks less often. */
const MAX_CHECKS = 5;
const WINDOW_MS = 1_000;

export interface HealthStatus {
  status: 'ok';
}

export interface ReadyStatus extends HealthStatus {
  /** Epoch of the database. A new value means that the database was restored. */
  epoch: string;
  /** Absent while writes work. */
  writes?: Exclude<WriteState, 'ok'>;
}

/** Whether writes work. Reads work in each of these states. */
export type WriteState = 'ok' | 'read_only' | 'storage_low' | 'failing';

@Injectable()
export class HealthService implements BeforeApplicationShutdown {
  /** Whether `/readyz` answers 503 because the process shuts down. */
  isShuttingDown = false;
  private last: Promise<ReadyStatus> | undefined;
  private isChecking = false;
  /** Whether the last try of a write worked. */
  private canWrite: boolean | undefined;
  private tryAgainAt = 0;
  private checks = 0;
  private windowBegan = 0;

  constructor(
    private readonly database: Database,
    private readonly config: ServiceConfig,
    private readonly storage: Storage,
  ) {}

  /** The last known state of writes. */
  get writes(): WriteState {
    if (this.config.readOnly) return 'read_only';
    if (this.storage.isLow) return 'storage_low';
    return this.canWrite === false ? 'failing' : 'ok';
  }

  /**
   * Asks the database, one check at a time and `MAX_CHECKS` in a second. Otherwise the answer is that of the
   * last check, so that a flood of requests costs the database nothing.
   *
   * @throws ServiceError `database_unavailable`; `overloaded` while the service shuts down.
   */
  async ready(): Promise<ReadyStatus> {
    if (this.isShuttingDown) throw new ServiceError('overloaded', { retryAfterSeconds: 5 });
    const now = performance.now();
    if (now - this.windowBegan >= WINDOW_MS) {
      this.windowBegan = now;
      this.checks = 0;
    }
    if (this.last === undefined || (!this.isChecking && this.checks < MAX_CHECKS)) {
      this.checks++;
      this.isChecking = true;
      this.last = this.check().finally(() => (this.isChecking = false));
    }
    return this.last;
  }

  private async check(): Promise<ReadyStatus> {
    // As TypeORM names them: a migration need not name itself.
    const names = this.database.dataSource.migrations.map((each) => each.name ?? each.constructor.name);
    if ((await this.database.query(FIND_MIGRATION, [names])).length < names.length)
      throw new ServiceError('database_unavailable', { retryAfterSeconds: 2 });
    const { id: epoch } = await this.database.epochs.ask();
    await this.tryToWrite();
    return { status: 'ok', epoch, ...(this.writes === 'ok' ? {} : { writes: this.writes }) };
  }

  private async tryToWrite(): Promise<void> {
    if (this.config.readOnly || performance.now() < this.tryAgainAt) return;
    this.tryAgainAt = performance.now() + TRY_EVERY_MS;
    const attempt = this.database.query(TRY_TO_WRITE, []).then(
      () => (this.canWrite = true),
      () => (this.canWrite = false),
    );
    const late = Symbol('late');
    const outcome = await Promise.race([attempt, sleep(TRY_TIMEOUT_MS, late, { ref: false })]);
    if (outcome === late) this.canWrite = false;
  }

  /**
   * Waits for the grace period. The service still answers during it, because load balancers need time to see
   * that it is not ready.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.isShuttingDown = true;
    await sleep(this.config.shutdownDelaySeconds * 1000);
  }
}
