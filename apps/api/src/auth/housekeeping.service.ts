import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { KnownAddressesRepository } from './known-addresses.repository';
import { SecurityEventsRepository } from './security-events.repository';
import { SessionsRepository } from './sessions.repository';

const INTERVAL_MS = 6 * 60 * 60 * 1000;
/** Soon after the start, since a service may be restarted more often than that; not at once, since that is a busy time. */
const FIRST_MS = 5 * 60 * 1000;

/** Forgets what has outlived its time. Any number of replicas may do it: to delete what is gone is no work. */
@Injectable()
export class HousekeepingService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('Housekeeping');
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly sessions: SessionsRepository,
    private readonly events: SecurityEventsRepository,
    private readonly addresses: KnownAddressesRepository,
  ) {}

  onApplicationBootstrap(): void {
    this.runIn(FIRST_MS);
  }

  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }

  async run(): Promise<void> {
    try {
      await this.sessions.expire();
      await this.events.forgetOld();
      await this.addresses.forgetOld();
    } catch (error) {
      // The next round finds it all again.
      this.log.warn(`Housekeeping was cut short (${(error as Error).name}).`);
    }
  }

  private runIn(ms: number): void {
    this.timer = setTimeout(() => void this.run().then(() => this.runIn(INTERVAL_MS)), ms).unref();
  }
}
