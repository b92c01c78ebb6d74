import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock } from '@app/common';
import { ServiceConfig } from '@app/config';
import { PushSender } from './push-sender.service';
import { ReminderSender } from './reminder-sender.service';
import { RemindersRepository } from './reminders.repository';

const INTERVAL_MS = 1_000;
/** Accounts of one search, and those that are worked on at a time. Requests of people come first. */
const FOUND = 200;
const WORKERS = 4;

/**
 * Sends what is due, once a second. Any number of processes do so at once: whoever claims a reminder sends it. What
 * a process has claimed when it dies, another one sends two minutes later.
 */
@Injectable()
export class ReminderScheduler implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('Reminders');
  private readonly stopping = new AbortController();
  private running: Promise<void> = Promise.resolve();

  constructor(
    private readonly config: ServiceConfig,
    private readonly clock: Clock,
    private readonly push: PushSender,
    private readonly sender: ReminderSender,
    private readonly reminders: RemindersRepository,
  ) {}

  onApplicationBootstrap(): void {
    if (this.push.publicKey !== undefined && !this.config.readOnly) this.running = this.run();
  }

  /** Ends what is under way first. */
  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    const { signal } = this.stopping;
    let wasAway = false;
    while (!signal.aborted) {
      // A full search has more behind it.
      const isMore = await this.sendDue().catch((error: Error) => {
        // The database is away. What is due stays there.
        if (!wasAway) this.log.warn(`Reminders wait (${error.name}).`);
        return undefined;
      });
      wasAway = isMore === undefined;
      if (!isMore) await sleep(INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  /** @returns whether there is more. */
  private async sendDue(): Promise<boolean> {
    const found = await this.reminders.findDue(this.clock.now(), FOUND);
    // Processes begin at different accounts, so that few search in vain.
    const accounts = shuffled(found);
    const work = async () => {
      for (let id = accounts.pop(); id !== undefined && !this.stopping.signal.aborted; id = accounts.pop())
        await this.sender.sendDue(id);
    };
    await Promise.all(Array.from({ length: WORKERS }, work));
    return found.length === FOUND;
  }
}

function shuffled<T>(items: readonly T[]): T[] {
  const start = Math.floor(Math.random() * items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}
