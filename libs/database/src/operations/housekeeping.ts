import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';

const INTERVAL_MS = 60 * 60 * 1000;
/**
 * The first round is early, because the service may restart often. It is not immediate, because a start is a
 * busy time.
 */
const FIRST_MS = 5 * 60 * 1000;

/**
 * Deletes expired rows every hour. Several processes may do this: a delete without matching rows costs almost
 * nothing.
 */
@Injectable()
export class Housekeeping implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly log = new Logger('Housekeeping');
  private readonly tasks: (() => Promise<unknown>)[] = [];
  private timer: NodeJS.Timeout | undefined;

  /** Adds a task to every round; a repository does so when it is created. */
  add(task: () => Promise<unknown>): void {
    this.tasks.push(task);
  }

  /** Begins the rounds; Nest calls it. */
  onApplicationBootstrap(): void {
    this.runIn(FIRST_MS);
  }

  /** Ends the rounds; Nest calls it. */
  onApplicationShutdown(): void {
    clearTimeout(this.timer);
  }

  /** @returns whether all tasks were done. */
  async run(): Promise<boolean> {
    try {
      for (const task of this.tasks) await task();
      return true;
    } catch (error) {
      // The next round deletes the rest.
      this.log.warn(`Housekeeping was cut short (${(error as Error).name}).`);
      return false;
    }
  }

  private runIn(ms: number): void {
    this.timer = setTimeout(() => void this.run().then(() => this.runIn(INTERVAL_MS)), ms).unref();
  }
}
