import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ServiceError, Turns } from '@app/common';
import { OpaqueJson } from '@app/opaque';
import { Piscina } from 'piscina';
import type { HeavyCheck } from './heavy-checks.worker';

/** If the code runs from its sources (in tests), the worker is that of the last build. */
const FILES = [
  join(__dirname, 'heavy-checks.worker.js'),
  join(__dirname, '../../../../dist/apps/api/src/interactions/heavy-checks.worker.js'),
];
const MAX_WAITING = 64;
/** Includes the wait for the thread. A check that takes longer is ended together with its thread. */
const TIMEOUT_MS = 10_000;
/** Without work the thread ends, and its memory is free. The next long check starts a new one. */
const IDLE_MS = 5_000;
const MAX_HEAP = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 4 };

/** One thread for long checks, so that they do not delay the requests of others. It starts at its first use. */
@Injectable()
export class HeavyChecksService implements OnApplicationShutdown {
  private readonly pool = new Piscina<HeavyCheck, string>({
    filename: FILES.find((file) => existsSync(file)),
    minThreads: 0,
    maxThreads: 1,
    maxQueue: MAX_WAITING,
    idleTimeout: IDLE_MS,
    env: {},
    resourceLimits: MAX_HEAP,
  });

  /** One check of each account at a time, so that the accounts take turns. */
  private readonly turns = new Turns({ atOnce: 1, patienceMs: TIMEOUT_MS });

  /** @throws ServiceError `overloaded` if the thread is too busy, takes too long or dies. */
  async run(accountId: string, check: HeavyCheck): Promise<OpaqueJson> {
    return this.turns.run(accountId, async () => {
      try {
        return new OpaqueJson(await this.pool.run(check, { signal: AbortSignal.timeout(TIMEOUT_MS) }));
      } catch (cause) {
        throw new ServiceError('overloaded', { retryAfterSeconds: 5, cause });
      }
    });
  }

  /** The threads that run now. */
  get threads(): Piscina['threads'] {
    return this.pool.threads;
  }

  async onApplicationShutdown(): Promise<void> {
    await this.pool.destroy();
  }
}
