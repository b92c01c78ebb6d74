import { type HealthRecordsClient, MemorySessionStore } from '@app/client';
import { offlineStore, type RowStore } from '@app/client/offline';
import { memoryRows } from '../../../libs/client/src/offline/row-store';
import { openClient, type Person } from '../../support/people';
import { LyingFetch } from './lying-fetch';

/** What a device shows, by record: the sealed content, or the dose. */
export type Content = Record<string, Record<string, unknown>>;

/** One device of a person. Everything that it hears comes through a layer that can lie. */
export class Device {
  readonly network = new LyingFetch();
  readonly session = new MemorySessionStore();
  /** What the person was told: codes of problems, errors and doubts. */
  readonly told = new Set<string>();
  client: HealthRecordsClient;

  constructor(
    private readonly url: string,
    readonly person: Person,
    readonly hasCache: boolean,
    readonly rows: RowStore = memoryRows(),
  ) {
    this.client = this.#open();
  }

  async signIn(): Promise<void> {
    await this.client.login(this.person.email, this.person.password);
    this.client.sync.stop();
    await this.content();
  }

  /** The page is loaded again. @returns whether the keys could be opened. */
  async reload(): Promise<boolean> {
    this.client.close();
    this.client = this.#open();
    return this.#telling(async () => {
      await this.client.resume();
      if (this.client.state === 'signed-out')
        await this.client.login(this.person.email, this.person.password);
      else await this.client.unlock(this.person.password);
      this.client.sync.stop();
    });
  }

  /** Sends what waits and reads what is new. @returns whether it came to an end. */
  async sync(times = 3): Promise<boolean> {
    let isDone = true;
    for (let time = 0; time < times; time += 1) {
      isDone = await this.#telling(() => this.client.sync.now());
      const status = this.client.sync.status as { state: string; failure?: { code: string } | null };
      for (const { code } of this.client.sync.status.problems) this.told.add(code);
      if (status.state === 'offline') this.told.add('offline');
      if (status.failure) this.told.add(status.failure.code);
    }
    return isDone;
  }

  /** Everything that the device shows. What it cannot show is told. */
  async content(): Promise<Content> {
    const { client } = this;
    const content: Content = {};
    const put = (kind: string, list: readonly any[]) => {
      for (const each of list) {
        const { id, details, doubt, altered } = each;
        if (doubt) this.told.add(doubt.code);
        if (altered.length > 0) this.told.add('altered');
        const sealed = { ...details, history: undefined, questions: undefined };
        const { relationship, route, schedule, status, recordedAt, profileId, kind: profileKind } = each;
        const meta = { relationship, route, schedule, status, recordedAt, profileId, profileKind };
        content[`${kind} ${id}`] = JSON.parse(JSON.stringify({ ...sealed, ...meta }));
      }
    };
    const options = {
      onUnreadable: ({ error }: { error: { code: string } }) => void this.told.add(error.code),
    };
    await this.#telling(async () => put('profile', await client.profiles.list(options)));
    await this.#telling(async () => put('appointment', await client.appointments.list({}, options)));
    await this.#telling(async () => put('health_stat', await client.healthStats.list({}, options)));
    await this.#telling(async () => put('medication', await client.medications.list({}, options)));
    for (const key of Object.keys(content).filter((each) => each.startsWith('medication '))) {
      await this.#telling(async () => {
        for (const dose of await client.medications.doses(key.split(' ')[1])) {
          const { id, taken, medicationId } = dose;
          const { confirmed, doubt } = dose;
          if (doubt) this.told.add(doubt.code);
          if (confirmed) content[`dose ${id}`] = { taken, medicationId };
        }
      });
    }
    return content;
  }

  /** Ends the session: an account has only so many. */
  async leave(): Promise<void> {
    this.network.begin(undefined);
    await this.client.logout({ force: true }).catch(() => undefined);
    this.client.close();
  }

  get waits(): number {
    return this.client.sync.status.pending;
  }

  async #telling(run: () => Promise<unknown>): Promise<boolean> {
    try {
      await run();
      return true;
    } catch (error) {
      this.told.add((error as { code?: string }).code ?? `raw ${String(error)}`);
      return false;
    }
  }

  #open(): HealthRecordsClient {
    const client = openClient(this.url, {
      fetch: this.network.fetch,
      sessionStore: this.session,
      retry: { attempts: 1 },
      wait: () => Promise.resolve(),
      timeoutMs: 5000,
      ...(this.hasCache ? { offline: offlineStore(this.rows) } : {}),
    });
    client.on('records-gone', () => void this.told.add('records_gone'));
    return client;
  }
}
