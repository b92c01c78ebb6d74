import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Queue, refusedBy } from '@app/common';
import { OpaqueJson } from '@app/opaque';
import { Piscina } from 'piscina';
import type { HeavyCheck } from './heavy-checks.worker';

/** If the code runs from its sources (in tests), the worker is that of the last build. */
const FILES = [
  join(__dirname, 'heavy-checks.worker.js'),
  join(__dirname, '../../../../dist/apps/api/src/interactions/heavy-checks.worker.js'),
];
/** A check that takes longer is ended together with its thread. */
const TIMEOUT_MS = 10_000;
/** Without work a thread ends, and its memory is free. The next check starts a new one. */
const IDLE_MS = 5_000;
const MAX_HEAP = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 4 };
/** Checks up to this size do not wait behind longer ones. */
const SHORT = { names: 12, characters: 400 };

type Thread = 'short' | 'long';

/**
 * One thread for long checks and one for shorter ones, so that they do not delay the requests of others. A thread
 * starts at its first use. In the queue of a thread the accounts take turns.
 */
@Injectable()
export class HeavyChecksService implements OnApplicationShutdown {
  private readonly pools = { short: newThread(), long: newThread() };
  private readonly queue = new Queue('checks');

  /**
   * @param names all names of the request. They decide on the thread.
   * @throws ServiceError `overloaded` if the thread is too busy, takes too long or dies.
   */
  async run(accountId: string, check: HeavyCheck, names: readonly string[]): Promise<OpaqueJson> {
    const thread: Thread = isWithin(SHORT, names) ? 'short' : 'long';
    return this.queue.run([thread, accountId], async () => {
      try {
        const signal = AbortSignal.timeout(TIMEOUT_MS);
        return new OpaqueJson(await this.pools[thread].run(check, { signal }));
      } catch (cause) {
        throw refusedBy('checks', 'overloaded', { retryAfterSeconds: 5, cause });
      }
    });
  }

  /** The threads that run now. */
  get threads(): Piscina['threads'] {
    return [...this.pools.short.threads, ...this.pools.long.threads];
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all([this.pools.short.destroy(), this.pools.long.destroy()]);
  }
}

function newThread(): Piscina<HeavyCheck, string> {
  return new Piscina<HeavyCheck, string>({
    filename: FILES.find((file) => existsSync(file)),
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: IDLE_MS,
    env: {},
    resourceLimits: MAX_HEAP,
  });
}

/** Whether a list of names is no longer than `most`. */
export function isWithin(most: { names: number; characters: number }, names: readonly string[]): boolean {
  const characters = names.reduce((sum, name) => sum + name.length, 0);
  return names.length <= most.names && characters <= most.characters;
}
