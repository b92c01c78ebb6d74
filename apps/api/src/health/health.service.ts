import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { ServiceError } from '@app/common';
import { Database, type Statement } from '@app/database';

const PING: Statement = { name: 'ping', text: 'SELECT 1' };

@Injectable()
export class HealthService implements BeforeApplicationShutdown {
  private leaving = false;

  constructor(private readonly database: Database) {}

  /** @throws ServiceError `database_unavailable`, `overloaded`. */
  async assertReady(): Promise<void> {
    if (this.leaving) throw new ServiceError('overloaded', { retryAfterSeconds: 5 });
    await this.database.query(PING, []);
  }

  beforeApplicationShutdown(): void {
    this.leaving = true;
  }
}
