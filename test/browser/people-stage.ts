import type { HealthRecordsClient } from '@app/client';
import { memoryOfflineStore } from '@app/client/offline';
import { sharedProfiles, type SpaceRole, type Spaces } from '@app/client/spaces';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { openClient } from '../support/people';
import type { startService } from '../support/service';
import { hurry, PageStage, STAGE_TIMEOUT_MS } from './page-stage';

/** Of the page, in functions that run there. */
declare const document: any;
declare const Event: any;

const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1280, height: 800 };
export const SECRET = 'correct horse battery staple';
/** A page looks so often at what waits, and at news. In these tests it looks sooner, see `hurry`. */
const LOOKS_MS = [60_000, 20_000];
export const WAIT_MS = 90_000;

/** An account, and a device of it that is no page. */
export interface Account {
  id: string;
  name: string;
  email: string;
  client: HealthRecordsClient;
  spaces: Spaces;
}

/** The record of Rosa, which Mara has brought and keeps together with others. */
export interface Circle {
  /** Of the space. */
  id: string;
  profileId: string;
  mara: Account;
  others: Account[];
}

/** A person with a page of their own, in a browser of their own. */
export interface Someone extends Account {
  profile: BrowserContext;
  page: Page;
}

/** Accounts that share the record of Rosa, and what they do on their pages. */
export class PeopleStage {
  #accounts = 0;
  readonly #open: BrowserContext[] = [];
  /** The screens whose fit was looked at. */
  readonly #seen = new Set<string>();

  #stage?: PageStage;

  private constructor() {}

  /**
   * For the tests of a group. Each of them has time for several persons, and its browsers are closed after it.
   * @param start starts the service
   */
  static forTests(start?: typeof startService): PeopleStage {
    const people = new PeopleStage();
    jest.setTimeout(4 * STAGE_TIMEOUT_MS);
    beforeAll(async () => void (people.#stage = await PageStage.start(undefined, start)), STAGE_TIMEOUT_MS);
    afterAll(() => people.#stage?.stop());
    afterEach(() => people.close());
    return people;
  }

  get stage(): PageStage {
    return this.#stage!;
  }

  /** Closes all browsers of a test. */
  async close(): Promise<void> {
    for (const profile of this.#open.splice(0)) await profile.close();
  }

  async browserOf(name: string, options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const profile = await this.stage.profile({ viewport: name === 'Mara' ? DESKTOP : PHONE, ...options });
    this.#open.push(profile);
    await hurry(profile, ...LOOKS_MS);
    return profile;
  }

  /** An account without a page. @param brings a person, with a medicine */
  async account(name: string, brings?: string): Promise<Account> {
    const email = `people${++this.#accounts}@example.org`;
    const client = openClient(this.stage.service.api.url, {
      spaces: sharedProfiles(),
      offline: memoryOfflineStore(),
    });
    await client.register({ email, password: SECRET, recoveryPhrase: null });
    client.sync.stop();
    if (brings) {
      const { id: profileId } = await client.profiles.create({ details: { name: brings } });
      const details = { name: 'Amlodipine', schedule: { times: ['15:00'] }, startDate: '2026-01-01' };
      await client.medications.create({ profileId, route: 'oral', schedule: { timesPerDay: 1 }, details });
      await client.sync.now();
    }
    const { body } = await client.request({ method: 'GET', path: '/api/users/me' });
    return { id: (body as { id: string }).id, name, email, client, spaces: client.spaces! };
  }

  /** A new device of an account, without a page. It has only what it reads now. */
  async deviceOf(account: Account): Promise<Account> {
    const client = openClient(this.stage.service.api.url, { spaces: sharedProfiles() });
    await client.login(account.email, SECRET);
    client.sync.stop();
    return { ...account, client, spaces: client.spaces! };
  }

  /** Opens the page of an account in a browser of its own. */
  async pageOf(account: Account, options: BrowserContextOptions = {}): Promise<Someone> {
    const profile = await this.browserOf(account.name, options);
    return { ...account, profile, page: await this.stage.signIn(profile, account.email, SECRET) };
  }

  async someone(name: string, brings?: string): Promise<Someone> {
    return this.pageOf(await this.account(name, brings));
  }

  /** The record of Rosa, shared without a page with these persons. A page that is open learns it with its next sync. */
  async rosaWith(...others: readonly (readonly [name: string, role: SpaceRole])[]): Promise<Circle> {
    const mara = await this.account('Mara', 'Rosa');
    const [{ id: profileId }] = await mara.client.profiles.list();
    const { id } = await mara.spaces.share(profileId, mara.name);
    const circle: Circle = { id, profileId, mara, others: [] };
    for (const [name, role] of others)
      circle.others.push(await this.letInto(circle, await this.account(name), role));
    return circle;
  }

  /** Invites, accepts and lets in, without a page. */
  async letInto({ id, mara }: Circle, guest: Account, role: SpaceRole): Promise<Account> {
    const made = await mara.spaces.invite(id, role);
    await guest.spaces.accept(await guest.spaces.openInvitation(made.fragment), guest.name);
    await mara.spaces.confirm(id, made.id, true);
    await guest.client.sync.now();
    return guest;
  }

  /** The person comes back to the page, which then asks for news at once. */
  async lookAgain(page: Page): Promise<void> {
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  }

  /** Whether the cabinet shows a medicine of the record. */
  async sees(page: Page, medicine = 'Amlodipine'): Promise<void> {
    await this.stage.open(page, '/app/cabinet', 'Cabinet');
    await page.getByRole('main').getByText(medicine).first().waitFor();
  }

  async seesNothing(page: Page): Promise<void> {
    await this.stage.open(page, '/app/cabinet', 'Cabinet');
    await page.getByRole('main').getByText('Amlodipine').waitFor({ state: 'detached' });
  }

  button(page: Page, name: string | RegExp) {
    return page.getByRole('button', { name, exact: true });
  }

  sections(page: Page) {
    return page.getByRole('navigation', { name: 'Sections' });
  }

  title(page: Page, name: string) {
    return page.getByRole('heading', { level: 1, name, exact: true });
  }

  dialog(page: Page) {
    return page.getByRole('dialog');
  }

  /** A member on the screen of a record. */
  row(page: Page, name: string) {
    return page.locator('li.member', { hasText: name });
  }

  /** Takes a dose before its time. A tap at once, at the same place, would be the second one of a double tap. */
  async takeNow(page: Page): Promise<void> {
    await page.waitForTimeout(800);
    await this.button(page, 'Take now').click();
  }

  toasted(page: Page, text: string | RegExp): Promise<void> {
    return page.locator('.toast').getByText(text).first().waitFor();
  }

  /**
   * Nothing that axe-core finds in the screen, as it is and at 320 px with text of 200 %; and nothing that is wider than
   * 320 px, with text of either size.
   * @param screen names it: each is looked at once.
   */
  async fits(page: Page, screen: string): Promise<void> {
    if (this.#seen.has(screen)) return;
    this.#seen.add(screen);
    const size = page.viewportSize()!;
    const found = await this.stage.axe(page);
    await this.stage.picture(page, screen);
    await page.setViewportSize({ width: 320, height: 640 });
    for (const text of ['100%', '200%']) {
      const wide = await page.evaluate((value) => {
        document.documentElement.style.fontSize = value;
        return document.documentElement.scrollWidth as number;
      }, text);
      if (wide > 320) found.push(`${wide} px wide, with text of ${text}`);
    }
    found.push(...(await this.stage.axe(page)));
    await this.stage.picture(page, `${screen}-large`);
    await page.evaluate(() => (document.documentElement.style.fontSize = ''));
    await page.setViewportSize(size);
    expect(found).toEqual([]);
  }

  /** Opens the screen of who shares a record. */
  async openPeople(page: Page, record = 'Rosa'): Promise<void> {
    await this.stage.open(page, '/app/profiles', 'People and pets');
    await page
      .getByRole('link', { name: new RegExp(record) })
      .first()
      .click();
    await page
      .getByRole('link', { name: /^(?:Share this record|Shared with) …$/ })
      .last()
      .click();
    await this.title(page, 'Shared with').waitFor();
  }

  /** Loads all records anew, as a person can. */
  async loadAgain(page: Page): Promise<void> {
    await this.stage.open(page, '/app/security', 'Security');
    await this.button(page, 'Load again').click();
  }

  /** Shares the record of Rosa, where it is not shared yet. */
  async begin({ page, name }: Someone): Promise<void> {
    await this.openPeople(page);
    await this.fits(page, 'people-begin');
    await page.getByLabel('Your name').fill(name);
    await this.button(page, 'Share the record').click();
    await this.dialog(page).waitFor();
  }

  /** @returns the link of a new invitation; its dialog stays open. */
  async invite(page: Page, role: RegExp, isOpen = false): Promise<string> {
    if (!isOpen) await this.button(page, 'Invite somebody').click();
    await this.dialog(page).getByRole('radio', { name: role }).check();
    await this.dialog(page)
      .getByText(/^Whoever you let in sees/)
      .waitFor();
    await this.dialog(page)
      .getByText(/^Nobody sees anything before you let them in\./)
      .waitFor();
    await this.fits(page, 'people-invite');
    await this.button(page, 'Make the invitation').click();
    await page.getByRole('img', { name: 'QR code of the invitation' }).waitFor();
    await this.fits(page, 'people-code');
    await this.button(page, 'Send a link instead').click();
    await this.fits(page, 'people-link');
    return page.getByLabel('Link', { exact: true }).inputValue();
  }

  /** Opens a link in the page of a person, who is signed in, and accepts. @returns the numbers */
  async accept({ page, name }: Someone, link: string): Promise<string> {
    await page.goto(link);
    await this.title(page, 'Invitation').waitFor();
    expect(page.url()).not.toContain('#');
    // A reload has locked the page.
    await page.getByText('Mara invites you').waitFor();
    await this.fits(page, 'people-join-locked');
    await page.getByRole('link', { name: 'Unlock to accept' }).click();
    await page.getByLabel('Password', { exact: true }).fill(SECRET);
    await this.button(page, 'Unlock').click();
    await page.getByLabel('Your name').fill(name);
    await this.fits(page, 'people-join');
    await this.button(page, 'Accept').click();
    await page.getByText('The device of Mara confirms').waitFor();
    await this.fits(page, 'people-join-waits');
    return this.digitsOf(page);
  }

  async digitsOf(page: Page): Promise<string> {
    return (await page.locator('.digits').first().innerText()).replace(/\s+/g, ' ').trim();
  }

  /** Closes the dialog of a link, and lets in who has accepted. */
  async letIn(page: Page, name: string, digits: string, isOwner = false): Promise<void> {
    await this.button(page, 'Close').click();
    await page.getByText(new RegExp(`^${name} accepted at`)).waitFor();
    expect(await this.digitsOf(page)).toBe(digits);
    expect(await this.button(page, `Let ${name} in`).count()).toBe(isOwner ? 0 : 1);
    await this.fits(page, 'people-let-in');
    await page.getByLabel('The numbers agree').check();
    await this.button(page, `Let ${name} in`).click();
    await this.row(page, name).waitFor();
  }

  /** Until the record has arrived with the one who accepted. */
  async arrive(page: Page): Promise<void> {
    await page.getByText('You are in.').waitFor({ timeout: WAIT_MS });
    await page.getByRole('main').getByRole('link', { name: 'Today' }).click();
    await page.getByText('Amlodipine').first().waitFor();
  }

  async join(owner: Someone, other: Someone, role: RegExp, isFirst = false): Promise<void> {
    const link = await this.invite(owner.page, role, isFirst);
    const digits = await this.accept(other, link);
    await this.letIn(owner.page, other.name, digits, role.source.includes('care'));
    await this.arrive(other.page);
  }
}
