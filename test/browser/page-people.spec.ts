import { HealthRecordsClient } from '@app/client';
import type { BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, PageStage, STAGE_TIMEOUT_MS } from './page-stage';

const PHONE = { width: 360, height: 740 };
const SECRET = 'correct horse battery staple';
/** A minute passes between two looks of a page at what waits. */
const WAIT_MS = 90_000;

jest.setTimeout(3 * STAGE_TIMEOUT_MS);

/** A person with a page of their own, in a browser of their own. */
interface Someone {
  name: string;
  email: string;
  profile: BrowserContext;
  page: Page;
}

/** Two parents, a carer and a child, each with an account: the record of a grandmother goes from hand to hand. */
describeInBrowser('shared profiles of the page', () => {
  let stage: PageStage;
  let accounts = 0;
  const open: BrowserContext[] = [];

  beforeAll(async () => (stage = await PageStage.start()), STAGE_TIMEOUT_MS);
  afterAll(() => stage?.stop());
  afterEach(async () => {
    for (const profile of open.splice(0)) await profile.close();
  });

  const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const sections = (page: Page) => page.getByRole('navigation', { name: 'Sections' });
  const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });
  const toasted = (page: Page, text: string | RegExp) =>
    page.locator('.toast').getByText(text).first().waitFor();
  const dialog = (page: Page) => page.getByRole('dialog');

  async function browserOf(name: string): Promise<BrowserContext> {
    const profile = await stage.profile({ viewport: name === 'Mara' ? { width: 1280, height: 800 } : PHONE });
    open.push(profile);
    return profile;
  }

  /** An account, with a person and a medicine where it brings them. */
  async function someone(name: string, brings?: string): Promise<Someone> {
    const email = `people${++accounts}@example.org`;
    const client = new HealthRecordsClient({ baseUrl: stage.service.api.url });
    await client.register({ email, password: SECRET, recoveryPhrase: null });
    if (brings) {
      const { id: profileId } = await client.profiles.create({ details: { name: brings } });
      const details = { name: 'Amlodipine', schedule: { times: ['15:00'] }, startDate: '2026-01-01' };
      await client.medications.create({ profileId, route: 'oral', schedule: { timesPerDay: 1 }, details });
    }
    const profile = await browserOf(name);
    return { name, email, profile, page: await stage.signIn(profile, email, SECRET) };
  }

  async function openPeople(page: Page, record = 'Rosa'): Promise<void> {
    await stage.open(page, '/app/profiles', 'People and pets');
    await page
      .getByRole('link', { name: new RegExp(record) })
      .first()
      .click();
    await page
      .getByRole('link', { name: /^(?:Share this record|Shared with) …$/ })
      .last()
      .click();
    await title(page, 'Shared with').waitFor();
  }

  const row = (page: Page, name: string) => page.locator('li.member', { hasText: name });

  /** Shares the record of Rosa, where it is not shared yet. */
  async function begin({ page, name }: Someone): Promise<void> {
    await openPeople(page);
    expect(await stage.axe(page)).toEqual([]);
    await stage.picture(page, 'people-begin');
    await page.getByLabel('Your name').fill(name);
    await button(page, 'Share the record').click();
    await dialog(page).waitFor();
  }

  /** @returns the link of a new invitation; its dialog stays open. */
  async function invite(page: Page, role: RegExp, isOpen = false): Promise<string> {
    if (!isOpen) await button(page, 'Invite somebody').click();
    await dialog(page).getByRole('radio', { name: role }).check();
    await dialog(page)
      .getByText(/^Whoever you let in sees/)
      .waitFor();
    expect(await stage.axe(page)).toEqual([]);
    await stage.picture(page, 'people-invite');
    await button(page, 'Make the invitation').click();
    await page.getByRole('img', { name: 'QR code of the invitation' }).waitFor();
    expect(await stage.axe(page)).toEqual([]);
    await stage.picture(page, 'people-code');
    await button(page, 'Send a link instead').click();
    return page.getByLabel('Link', { exact: true }).inputValue();
  }

  /** Opens a link in the page of a person, who is signed in, and accepts. @returns the numbers */
  async function accept({ page, name }: Someone, link: string): Promise<string> {
    await page.goto(link);
    await title(page, 'Invitation').waitFor();
    expect(page.url()).not.toContain('#');
    // A reload has locked the page.
    await page.getByText('Mara invites you').waitFor();
    expect(await stage.axe(page)).toEqual([]);
    await stage.picture(page, 'people-join-locked');
    await page.getByRole('link', { name: 'Unlock to accept' }).click();
    await page.getByLabel('Password', { exact: true }).fill(SECRET);
    await button(page, 'Unlock').click();
    await page.getByLabel('Your name').fill(name);
    await stage.picture(page, 'people-join');
    await button(page, 'Accept').click();
    await page.getByText('The device of Mara confirms').waitFor();
    expect(await stage.axe(page)).toEqual([]);
    await stage.picture(page, 'people-join-waits');
    return digitsOf(page);
  }

  const digitsOf = async (page: Page) =>
    (await page.locator('.digits').first().innerText()).replace(/\s+/g, ' ').trim();

  /** Closes the dialog of a link, and lets in who has accepted. */
  async function letIn(page: Page, name: string, digits: string, isOwner = false): Promise<void> {
    await button(page, 'Close').click();
    await page.getByText(new RegExp(`^${name} accepted at`)).waitFor();
    expect(await digitsOf(page)).toBe(digits);
    expect(await button(page, `Let ${name} in`).count()).toBe(isOwner ? 0 : 1);
    expect(await stage.axe(page)).toEqual([]);
    await stage.picture(page, 'people-let-in');
    await page.getByLabel('The numbers agree').check();
    await button(page, `Let ${name} in`).click();
    await row(page, name).waitFor();
  }

  /** Until the record has arrived with the one who accepted. */
  async function arrive(page: Page): Promise<void> {
    await page.getByText('You are in.').waitFor({ timeout: WAIT_MS });
    await page.getByRole('main').getByRole('link', { name: 'Today' }).click();
    await page.getByText('Amlodipine').first().waitFor();
  }

  async function join(owner: Someone, other: Someone, role: RegExp, isFirst = false): Promise<void> {
    const link = await invite(owner.page, role, isFirst);
    const digits = await accept(other, link);
    await letIn(owner.page, other.name, digits, role.source.includes('care'));
    await arrive(other.page);
  }

  it('shares by a link, and shows a dose with who gave it; a role falls, a member goes', async () => {
    const mara = await someone('Mara', 'Rosa');
    const jonas = await someone('Jonas');
    await begin(mara);
    await join(mara, jonas, /^may note/, true);

    // A carer notes a dose, and may change nothing else.
    const { page } = jonas;
    await stage.open(page, '/app/cabinet', 'Cabinet');
    await page.getByText('For Rosa you may note doses and readings.').waitFor();
    expect(await page.getByRole('link', { name: 'Add a medicine' }).count()).toBe(0);
    expect(await stage.axe(page)).toEqual([]);
    await stage.picture(page, 'people-cabinet-carer');
    await stage.open(page, '/app/today', 'Today');
    await page.getByRole('button', { name: /^Taken: Amlodipine/ }).click();
    // It is for the afternoon.
    await button(page, 'Take now').click();
    await toasted(page, /Amlodipine: taken\.$/);
    await stage.open(mara.page, '/app/today', 'Today');
    await mara.page
      .getByText(/Given by Jonas/)
      .first()
      .waitFor({ timeout: WAIT_MS });
    expect(await stage.axe(mara.page)).toEqual([]);
    await stage.picture(mara.page, 'people-given-by');

    // From now on Jonas may look.
    await openPeople(mara.page);
    expect(await stage.axe(mara.page)).toEqual([]);
    await stage.picture(mara.page, 'people-members');
    await button(mara.page, 'Details: Jonas').click();
    await button(mara.page, 'What may Jonas do?').click();
    await dialog(mara.page)
      .getByRole('radio', { name: /^may look/ })
      .check();
    await button(mara.page, 'Change what Jonas may do').click();
    await row(mara.page, 'Jonas').getByText('may look').waitFor();
    await stage.open(page, '/app/security', 'Security');
    await button(page, 'Load again').click();
    await stage.open(page, '/app/today', 'Today');
    await page.getByText('You may look at Rosa’s record.').waitFor({ timeout: WAIT_MS });
    expect(await page.getByRole('button', { name: /^Taken: / }).count()).toBe(0);

    // And now nothing more.
    await button(mara.page, 'Details: Jonas').click();
    await button(mara.page, 'Remove Jonas').click();
    await dialog(mara.page).getByText('Jonas keeps what Jonas has seen; from now on nothing new.').waitFor();
    expect(await stage.axe(mara.page)).toEqual([]);
    await button(mara.page, 'Remove Jonas').click();
    await toasted(mara.page, /^Jonas is removed/);
    await row(mara.page, 'Jonas').waitFor({ state: 'detached' });
    await stage.open(page, '/app/security', 'Security');
    await button(page, 'Load again').click();
    await page
      .getByText(/You have no access to/)
      .first()
      .waitFor({ timeout: WAIT_MS });
    await stage.open(page, '/app/cabinet', 'Cabinet');
    await page.getByRole('main').getByText('Amlodipine').waitFor({ state: 'detached' });
    await stage.open(mara.page, '/app/cabinet', 'Cabinet');
    await mara.page.getByText('Amlodipine').first().waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it('hands over to a child, whose account then keeps the record', async () => {
    const mara = await someone('Mara', 'Rosa');
    const emil = await someone('Emil');
    await begin(mara);
    await join(mara, emil, /^may change/, true);
    await button(mara.page, 'Hand over').click();
    await dialog(mara.page).getByRole('radio', { name: 'leave' }).check();
    expect(await stage.axe(mara.page)).toEqual([]);
    await stage.picture(mara.page, 'people-hand-over');
    await button(mara.page, 'Hand over to Emil').click();
    await toasted(mara.page, 'Handed over to Emil.');
    await mara.page.getByText('Rosa').first().waitFor({ state: 'detached' });

    await stage.open(emil.page, '/app/security', 'Security');
    await button(emil.page, 'Load again').click();
    await openPeople(emil.page);
    await row(emil.page, 'Mara').waitFor({ state: 'detached' });
    await row(emil.page, 'Emil (you)').getByText('shares the care').waitFor();
    await emil.page.getByText('It counts among the records of your account.').waitFor();
    await stage.open(emil.page, '/app/cabinet', 'Cabinet');
    await emil.page.getByText('Amlodipine').first().waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it('keeps an invitation through a sign-in, and says when it was used already', async () => {
    const mara = await someone('Mara', 'Rosa');
    const lena = await someone('Lena');
    await begin(mara);
    const link = await invite(mara.page, /^may look/, true);
    const digits = await accept(lena, link);
    const profile = await browserOf('Kim');
    const page = await profile.newPage();
    stage.listen(page);
    await page.goto(link);
    await page.getByText('The invitation stays here while you sign up or sign in.').waitFor();
    expect(page.url()).not.toContain('#');
    expect(await stage.axe(page)).toEqual([]);
    await stage.picture(page, 'people-join-out');
    const client = new HealthRecordsClient({ baseUrl: stage.service.api.url });
    await client.register({ email: 'kim@example.org', password: SECRET, recoveryPhrase: null });
    await page.getByRole('link', { name: 'I have an account' }).click();
    await page.getByLabel('Email').fill('kim@example.org');
    await page.getByLabel('Password', { exact: true }).fill(SECRET);
    await button(page, 'Sign in').click();
    await sections(page).waitFor();
    await title(page, 'Invitation').waitFor();
    await page.getByText('Mara invites you').waitFor();
    await page.getByLabel('Your name').fill('Kim');
    await button(page, 'Accept').click();
    await page.locator('.note').getByText('Somebody else has accepted this invitation already.').waitFor();
    await letIn(mara.page, 'Lena', digits);
    await arrive(lena.page);
    await page.reload();
    await page.locator('.note').getByText('This invitation does not work').waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it('shows one entry to an account that shares nothing, and asks for nothing', async () => {
    const mara = await someone('Mara', 'Rosa');
    const asked: string[] = [];
    mara.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await stage.open(mara.page, '/app/profiles', 'People and pets');
    await mara.page.getByRole('link', { name: /Rosa/ }).first().click();
    await mara.page.getByRole('link', { name: 'Share this record …' }).waitFor();
    expect(await mara.page.getByText('shared', { exact: true }).count()).toBe(0);
    expect(asked.filter((path) => path.startsWith('/api/space') || path.includes('invitations'))).toEqual([]);
    expect(stage.complaints).toEqual([]);
  });
});
