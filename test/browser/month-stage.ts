import type { BrowserContextOptions, Page } from 'playwright-core';
import { createDatabase, dropDatabase } from '../support/databases';
import { MovedClock } from '../support/moved-clock';
import { startService } from '../support/service';
import { until } from '../support/until';
import { type PageStage, zoneAt } from './page-stage';
import { type Account, PeopleStage, SECRET, type Someone } from './people-stage';

/** Of the page, in functions that run there. */
declare const navigator: any;

const DAY_MS = 24 * 60 * 60_000;
/** The medicine of Rosa is entered in the morning, so to say, and due at 15:00. Each day of the story is soon after that. */
const PLACE = { timezoneId: zoneAt(13) };
/** A page that is looked at without a pause would ask more often than the service answers. */
const [MOST_LOOKS, STEPS] = [20, 40];
const FIRST_MS = 2 * 60 * 60_000;
/** An account that its owner erases is kept so many days. */
export const ERASURE_DAYS = 7;

/** A dose as somebody tapped it: whose tap, and when at the earliest and the latest. */
export interface Tapped {
  by: string;
  from: number;
  to: number;
}

/** A family, the service, and the clocks of all, which go on together by days. */
export class MonthStage {
  /** Of the story: 0 is today. */
  day = 0;
  readonly tapped: Tapped[] = [];
  #present: Someone[] = [];

  readonly people: PeopleStage;
  #databaseUrl = '';
  #clock?: MovedClock;

  private constructor() {
    this.people = PeopleStage.forTests(async () => {
      this.#databaseUrl = await createDatabase();
      await MovedClock.prepare(this.#databaseUrl);
      return startService({ DATABASE_URL: this.#databaseUrl, ERASURE_DAYS: String(ERASURE_DAYS) });
    });
  }

  /** For the tests of a group. Each begins the story anew. */
  static forTests(): MonthStage {
    const month = new MonthStage();
    beforeAll(() => void (month.#clock = MovedClock.of(month.stage.service, month.databaseUrl)));
    afterAll(() => dropDatabase(month.databaseUrl));
    beforeEach(() => month.begin());
    return month;
  }

  get databaseUrl(): string {
    return this.#databaseUrl;
  }

  get stage(): PageStage {
    return this.people.stage;
  }

  /** Begins the story anew, with nobody. */
  async begin(): Promise<void> {
    this.tapped.length = 0;
    this.#present = [];
    this.day = 0;
    await this.#clock!.setAhead(this.#aheadMs);
  }

  get #aheadMs(): number {
    return FIRST_MS + this.day * DAY_MS;
  }

  /** The page of an account, in a browser that is in this day of the story and does not lock. */
  async pageOf(account: Account, options: BrowserContextOptions = {}): Promise<Someone> {
    const { people, stage } = this;
    const profile = await people.browserOf(account.name, { ...PLACE, ...options });
    await profile.clock.install({ time: Date.now() + this.#aheadMs });
    // How many reminders are due on this device.
    await profile.addInitScript(() => {
      navigator.setAppBadge = (count: number) => Promise.resolve(void (navigator.due = count));
      navigator.clearAppBadge = () => Promise.resolve(void (navigator.due = 0));
    });
    const page = await stage.signIn(profile, account.email, SECRET);
    await stage.open(page, '/app/settings', 'Look and language');
    await page.getByLabel('Lock after').selectOption({ label: 'Never' });
    const someone = { ...account, profile, page };
    this.#present.push(someone);
    return someone;
  }

  /** Nobody looks at this page any more. */
  async goHome(someone: Someone): Promise<void> {
    this.#present = this.#present.filter((each) => each !== someone);
    await someone.profile.close();
  }

  /** Lets the days go by, as if all devices had slept, and looks at each of them. */
  async goTo(day: number): Promise<void> {
    const ms = (day - this.day) * DAY_MS;
    this.day = day;
    await this.#clock!.setAhead(this.#aheadMs);
    for (const { profile, page } of this.#present) {
      await profile.clock.fastForward(ms);
      await this.people.lookAgain(page);
    }
  }

  /** Takes the dose that is due today, once the page shows this day and no other. */
  async take(someone: Someone): Promise<void> {
    const { page, profile, name } = someone;
    await this.stage.open(page, '/app/today', 'Today');
    const now = page.locator('section', { has: page.getByRole('heading', { name: 'Now', exact: true }) });
    const due = now.getByRole('button', { name: /^Taken: Amlodipine/ });
    await this.looks(someone, 'the dose of today', async () => {
      const day = await page.evaluate(
        'new Date().toLocaleDateString("en-GB", { weekday: "long", day: "numeric", month: "long" })',
      );
      const isToday = (await page.getByText(String(day), { exact: true }).count()) > 0;
      return isToday && (await due.count()) === 1;
    });
    const from = Number(await page.evaluate('Date.now()'));
    await due.click();
    await until(`${name} has answered`, async () => (await due.count()) === 0);
    this.tapped.push({ by: name, from, to: Number(await page.evaluate('Date.now()')) });
    // Else the next tap may be a second one.
    await profile.clock.fastForward(1000);
  }

  /** How many reminders a device has of what is due now. */
  remindersOn({ page }: Someone): Promise<number> {
    return page.evaluate(() => Number(navigator.due ?? 0));
  }

  /** Waits until all these devices say the same. */
  async remind(wanted: number, ...devices: Someone[]): Promise<void> {
    for (const each of devices)
      await this.looks(
        each,
        `${wanted} reminders at ${each.name}`,
        async () => (await this.remindersOn(each)) === wanted,
      );
  }

  /** Comes back to a page again and again, until it is as wanted. */
  async looks({ page, name }: Someone, what: string, question: () => Promise<boolean>): Promise<void> {
    for (let look = 0; look < MOST_LOOKS; look += 1) {
      await this.people.lookAgain(page);
      for (let step = 0; step < STEPS; step += 1) {
        if (await question()) return;
        await page.waitForTimeout(50);
      }
    }
    throw new Error(
      `${name} does not see on day ${this.day}: ${what}. ${await page.locator('body').innerText()}`,
    );
  }

  /** How the page of the medicine sums up the last thirty days. */
  async monthOn(page: Page): Promise<string> {
    await this.stage.open(page, '/app/cabinet', 'Cabinet');
    await page
      .getByRole('main')
      .getByRole('link', { name: /Amlodipine/ })
      .first()
      .click();
    return page
      .getByText(/due doses were taken/)
      .first()
      .innerText();
  }
}
