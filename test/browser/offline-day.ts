import { randomUUID } from 'node:crypto';
import type { BrowserContext, Page } from 'playwright-core';
import type { Stage } from './browser';

/** Pseudo-random numbers from a seed: 0 to below `below`. Source: Numerical Recipes, linear congruential generator. */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What the devices were told is stored, and what they were not told. */
export class Ledger {
  /** Medicines by id, with the members of their details that updates have added. */
  readonly medicines = new Map<string, Set<string>>();
  readonly doses = new Map<string, string>();
  readonly deleted = new Set<string>();
  /** Writes whose tab was killed before the answer: they may be there or not. */
  readonly unknown = new Set<string>();
}

interface Account {
  email: string;
  password: string;
  profileId: string;
}

type Write =
  | { kind: 'create'; id: string; isTemporary: boolean }
  | { kind: 'update'; place: number; member: string }
  | { kind: 'delete'; id: string }
  | { kind: 'dose'; id: string; place: number };

/** A browser with two tabs of one session, each of which may be killed at any time. */
export class Device {
  readonly tabs: Page[] = [];
  #temporary: string[] = [];

  private constructor(
    private readonly stage: Stage,
    private readonly context: BrowserContext,
    readonly account: Account,
    private readonly ledger: Ledger,
    private readonly random: (below: number) => number,
  ) {}

  static async start(
    stage: Stage,
    account: Account,
    ledger: Ledger,
    random: (below: number) => number,
  ): Promise<Device> {
    const device = new Device(stage, await stage.profile(), account, ledger, random);
    await device.#open(true);
    await device.#open(false);
    return device;
  }

  async #open(isFirst: boolean): Promise<void> {
    const page = await this.stage.tab(this.context);
    const { email, password } = this.account;
    await page.evaluate(
      async ({ url, email, password, isFirst }) => {
        const client = inPage.openClient(url, { offline: inPage.offline.indexedDbStore('day') });
        inPage.client = client;
        if (isFirst) return client.login(email, password);
        await client.resume();
        if (!(await client.unlockFromOtherTab())) await client.unlock(password);
      },
      { url: this.stage.proxy.url, email, password, isFirst },
    );
    this.tabs.push(page);
  }

  /** One write in one of the tabs. It is told to the ledger once the client has taken it. */
  async write(): Promise<void> {
    const write = this.#next();
    this.#tell(write, await this.#run(this.tabs[this.random(this.tabs.length)], write));
  }

  /** A tab dies in the middle of a write, without a word to the page. Another one takes its place. */
  async kill(): Promise<void> {
    const [tab] = this.tabs.splice(this.random(this.tabs.length), 1);
    const write = this.#next();
    this.ledger.unknown.add(write.kind === 'update' ? write.member : write.id);
    const cut = this.#run(tab, write).then(
      (medicine) => this.#tell(write, medicine),
      () => undefined,
    );
    const control = await this.context.newCDPSession(tab);
    void control.send('Page.crash').catch(() => undefined);
    await tab.waitForEvent('crash');
    await Promise.race([cut, tab.close()]);
    await this.#open(false);
  }

  #next(): Write {
    const action = this.random(10);
    const id = randomUUID();
    const place = this.random(1000);
    if (this.ledger.medicines.size < 3 || action < 3)
      return { kind: 'create', id, isTemporary: action === 0 };
    if (action === 3 && this.#temporary.length > 0) return { kind: 'delete', id: this.#temporary.pop()! };
    if (action < 6) return { kind: 'dose', id, place };
    return { kind: 'update', place, member: `w${id}` };
  }

  /** @returns the medicine that was written: one of those that this device knows. */
  async #run(tab: Page, write: Write): Promise<string> {
    return tab.evaluate(
      async ({ write, profileId }) => {
        const { medications } = inPage.client;
        const known = async (place: number) => {
          for (;;) {
            const all = (await medications.list()).filter(({ details }) => details.name !== 'Temporary');
            if (all.length > 0) return all[place % all.length];
            await inPage.client.sync.now();
          }
        };
        if (write.kind === 'create') {
          const details = { name: write.isTemporary ? 'Temporary' : 'Medicine' };
          await medications.create({ id: write.id, profileId, route: 'oral', schedule: null, details });
          return write.id;
        }
        if (write.kind === 'delete') {
          await medications.delete(await medications.get(write.id));
          return write.id;
        }
        const medicine = await known(write.place);
        if (write.kind === 'dose') await medications.logDose(medicine.id, { id: write.id, taken: true });
        else await medications.update(medicine, { details: { [write.member]: true } });
        return medicine.id;
      },
      { write, profileId: this.account.profileId },
    );
  }

  #tell(write: Write, medicine: string): void {
    const { medicines, doses, deleted } = this.ledger;
    if (write.kind === 'create' && write.isTemporary) this.#temporary.push(write.id);
    else if (write.kind === 'create') medicines.set(write.id, new Set());
    else if (write.kind === 'dose') doses.set(write.id, medicine);
    else if (write.kind === 'update') membersOf(medicines, medicine).add(write.member);
    else deleted.add(write.id);
  }

  /** Records that were made to be deleted, and are still there. */
  get temporary(): readonly string[] {
    return this.#temporary;
  }

  /** Sends and reads until nothing waits. @returns what needs a person. */
  async settle(): Promise<unknown[]> {
    return this.tabs[0].evaluate(async () => {
      const { sync } = inPage.client;
      for (let attempt = 0; attempt < 20; attempt += 1) {
        const { pending, problems, state } = await sync.now();
        if (problems.length > 0 || (pending === 0 && state === 'idle')) return problems;
      }
      return ['it never settled'];
    });
  }

  /** All that this device shows. */
  async shown(): Promise<{ medicines: Shown[]; doses: string[] }> {
    return this.tabs[0].evaluate(async () => {
      const { medications } = inPage.client;
      const medicines = await medications.list();
      const lists = await Promise.all(medicines.map(({ id }) => medications.doses(id)));
      return { medicines, doses: lists.flat().map(({ id }) => id) };
    });
  }
}

/** A medicine of a killed tab may be there although nobody was told. */
function membersOf(medicines: Map<string, Set<string>>, id: string): Set<string> {
  const members = medicines.get(id) ?? new Set();
  medicines.set(id, members);
  return members;
}

export interface Shown {
  id: string;
  revision: number;
  details: Record<string, unknown>;
}
