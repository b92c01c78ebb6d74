import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { ServiceError } from '@app/common';
import { ServiceConfig } from '@app/config';
import { Database, findEpoch, type Statement } from '@app/database';

const FIND_MIGRATION: Statement = {
  name: 'find migration',
  text: 'SELECT name FROM migrations WHERE name = ANY ($1)',
};

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

  constructor(
    private readonly database: Database,
    private readonly config: ServiceConfig,
  ) {}

  /** @throws ServiceError `database_unavailable`; `overloaded` while the service shuts down. */
  async ready(): Promise<ReadyStatus> {
    if (this.isShuttingDown) throw new ServiceError('overloaded', { retryAfterSeconds: 5 });
    const names = this.database.dataSource.migrations.map(({ name }) => name);
    if ((await this.database.query(FIND_MIGRATION, [names])).length < names.length)
      throw new ServiceError('database_unavailable', { retryAfterSeconds: 2 });
    return { status: 'ok', epoch: await findEpoch(this.database) };
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
