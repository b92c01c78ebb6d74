import { setTimeout as sleep } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { ServiceError } from '@app/common';
import { ServiceConfig } from '@app/config';
import { Database, type Statement } from '@app/database';

const FIND_MIGRATION: Statement = {
  name: 'find migration',
  text: 'SELECT 1 FROM migrations WHERE name = $1',
};

@Injectable()
export class HealthService implements BeforeApplicationShutdown {
  private leaving = false;

  constructor(
    private readonly database: Database,
    private readonly config: ServiceConfig,
  ) {}

  /** @throws ServiceError `database_unavailable`, `overloaded`. */
  async assertReady(): Promise<void> {
    if (this.leaving) throw new ServiceError('overloaded', { retryAfterSeconds: 5 });
    const newest = this.database.dataSource.migrations.at(-1)?.name;
    if ((await this.database.query(FIND_MIGRATION, [newest])).length === 0)
      throw new ServiceError('database_unavailable', { retryAfterSeconds: 2 });
  }

  /** Until this is done the service listens and works on: who sends requests must have time to notice. */
  async beforeApplicationShutdown(): Promise<void> {
    this.leaving = true;
    await sleep(this.config.shutdownDelaySeconds * 1000);
  }
}
