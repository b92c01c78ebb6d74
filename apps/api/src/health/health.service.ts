import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { ServiceError } from '@app/common';
import { ServiceConfig } from '@app/config';
import { Database, type Statement } from '@app/database';

const FIND_MIGRATION: Statement = {
  name: 'find migration',
  text: 'SELECT name FROM migrations WHERE name = ANY ($1)',
};

/** Checks of the database in a second. Further requests get the last result. An orchestrator asks less often. */
const MAX_CHECKS = 5;
const WINDOW_MS = 1_000;

export interface HealthStatus {
  status: 'ok';
}

export interface ReadyStatus extends HealthStatus {
  /** Epoch of the database. A new value means that the database was restored. */
  epoch: string;
}

@Injectable()
export class HealthService implements BeforeApplicationShutdown {
  private isShuttingDown = false;
  private last: Promise<ReadyStatus> | undefined;
  private isChecking = false;
  private checks = 0;
  private windowBegan = 0;

  constructor(
    private readonly database: Database,
    private readonly config: ServiceConfig,
  ) {}

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
    const names = this.database.dataSource.migrations.map(({ name }) => name);
    if ((await this.database.query(FIND_MIGRATION, [names])).length < names.length)
      throw new ServiceError('database_unavailable', { retryAfterSeconds: 2 });
    return { status: 'ok', epoch: (await this.database.epochs.ask()).id };
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
