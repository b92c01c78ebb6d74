import type { Page } from 'playwright-core';
import { describeInBrowser, hold, PageStage, STAGE_TIMEOUT_MS } from './page-stage';

/** Of the page, in functions that run there. */
declare const document: any;

const PHONE = { width: 390, height: 844 };
const EMAIL = 'grandchild@example.org';
const SECRET = 'copper lantern over quiet harbour';
const NEW_SECRET = 'seven herons cross the wet meadow';
/** Typed by the person; nothing of it may leave the device in plain. */
const TYPED = {
  person: 'فاطمة',
  dog: 'Barnabas',
  medicine: 'Warfarin',
  second: 'Ibuprofen',
  strength: '417 mg',
};

describeInBrowser('a family in the page', () => {
  let stage: PageStage;
  let page: Page;
  let words: string[];
  const sent: string[] = [];

  beforeAll(async () => {
    stage = await PageStage.start();
    const profile = await stage.profile();
    profile.on('request', (request) =>
      sent.push(`${request.method()} ${decodeURIComponent(request.url())} ${request.postData() ?? ''}`),
    );
    page = await profile.newPage();
    // Shorter than the time-out of a test, so that what does not come is named.
    page.setDefaultTimeout(STAGE_TIMEOUT_MS / 2);
    stage.listen(page);
    await page.setViewportSize(PHONE);
    await page.goto(stage.url);
  }, STAGE_TIMEOUT_MS);
  afterAll(() => stage?.stop());

  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const follow = (name: string) => page.getByRole('link', { name, exact: true }).first().click();
  const heading = (name: string) => page.getByRole('heading', { name, exact: true }).waitFor();

  it(
    'makes an account: password, twelve words, three of them again',
    async () => {
      await follow('Create an account');
      await page.getByLabel('Email').fill(EMAIL);
      await page.getByLabel('Password', { exact: true }).fill(SECRET);
      const again = page.getByLabel('Password again');
      await again.fill(NEW_SECRET);
      await press('Continue');
      await page.getByText('The two passwords differ.').waitFor();
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
      await again.fill(SECRET);
      await press('Continue');
      await heading('Your twelve words');
      words = (await page.locator('.words li span:last-child').allTextContents()).map((word) => word.trim());
      expect(words).toHaveLength(12);
      await press('I have printed or written them down');
      await heading('Enter three of them');
      for (const label of await page.locator('form label').allTextContents())
        await page.getByLabel(label.trim(), { exact: true }).fill(words[Number(/\d+/.exec(label)![0]) - 1]);
      await press('Create the account');
      await heading('Who is it for?');
    },
    STAGE_TIMEOUT_MS,
  );

  it(
    'adds a person and a dog',
    async () => {
      await follow('Add a person or pet');
      await page.getByLabel('Name', { exact: true }).fill(TYPED.person);
      await press('Save');
      await heading('Nothing to take yet');
      await follow('More');
      await follow('People and pets');
      await follow('Add a person or pet');
      await page.getByLabel('A pet').check();
      await page.getByLabel('Name', { exact: true }).fill(TYPED.dog);
      await press('Save');
      await page.getByRole('button', { name: TYPED.dog }).waitFor();
    },
    STAGE_TIMEOUT_MS,
  );

  it(
    'reads the name of a medicine, and shows the checks before it saves',
    async () => {
      await addMedicine(TYPED.medicine);
      await addMedicine(TYPED.second, async () => {
        await page.getByText('Ask before you take both').first().waitFor();
      });
      await follow('Check medicines together');
      await page
        .getByText(`${TYPED.medicine} + ${TYPED.second}`)
        .or(page.getByText(`${TYPED.second} + ${TYPED.medicine}`))
        .first()
        .waitFor();
    },
    STAGE_TIMEOUT_MS,
  );

  it(
    'says that a paused medicine is not checked',
    async () => {
      const medicine = () =>
        follow('Cabinet').then(() => page.getByRole('link', { name: new RegExp(TYPED.second) }).click());
      await medicine();
      await press('Pause');
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('button', { name: 'Resume' }).waitFor();
      await follow('Cabinet');
      await follow('Check medicines together');
      await page.getByText(`Paused, so it is not checked: ${TYPED.second}.`).waitFor();
      await page.getByText(`Checked: ${TYPED.medicine}`).waitFor();
      await medicine();
      await press('Resume');
      await page.getByRole('button', { name: 'Pause' }).waitFor();
    },
    STAGE_TIMEOUT_MS,
  );

  async function addMedicine(name: string, look = async () => {}) {
    await follow('Cabinet');
    await follow('Add a medicine');
    await page.getByLabel('For whom').selectOption({ label: TYPED.person });
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.getByText(`Read as ${name.toLowerCase()}.`).waitFor();
    await page.getByLabel('Strength').fill(TYPED.strength);
    await page.getByLabel('Time 1').fill('13:30');
    await look();
    await page.getByRole('button', { name: /^Save/ }).click();
    await page.getByRole('link', { name: new RegExp(name) }).waitFor();
  }

  it(
    'says what it cannot read instead of leaving it out, and goes to it',
    async () => {
      await follow('Cabinet');
      await follow('Add a medicine');
      await press('Save');
      const name = page.getByLabel('Name', { exact: true });
      await page.waitForFunction(() => document.activeElement?.getAttribute('aria-invalid') === 'true');
      await name.fill('Paracetamol');
      await page.getByLabel('As needed').check();
      const hours = page.getByLabel('Hours between two doses, at least');
      await hours.fill('6 h');
      await page.getByRole('button', { name: /^Save/ }).click();
      await page.getByText('Enter a number above zero.').waitFor();
      await hours.fill('');
      await name.fill('');
    },
    STAGE_TIMEOUT_MS,
  );

  it(
    'takes a dose after one question, and takes it back',
    async () => {
      await follow('Today');
      const taken = page.getByRole('button', { name: new RegExp(`^Taken: ${TYPED.medicine}`) });
      await taken.waitFor();
      const who = page.locator('.due-who').first();
      expect(await who.textContent()).toBe(`${TYPED.person} · 1 tablet`);
      // The number of the dose stands after a name that is written from right to left.
      const isAfter = await who.evaluate((line: any) => {
        const number = document.createRange();
        number.setStart(line.lastChild, 0);
        number.setEnd(line.lastChild, 1);
        const name = line.querySelector('bdi') ?? line;
        return number.getBoundingClientRect().left > name.getBoundingClientRect().left;
      });
      expect(isAfter).toBe(true);
      await taken.click();
      await page.getByRole('dialog').getByRole('button', { name: 'Take now' }).click();
      await page.getByRole('heading', { name: 'Done today' }).waitFor();
      await page.getByRole('button', { name: new RegExp(`^Undo: ${TYPED.medicine}`) }).click();
      await taken.waitFor();
      await page.locator('.toast').getByRole('button', { name: 'Undo' }).click();
      await page.getByRole('heading', { name: 'Done today' }).waitFor();
    },
    STAGE_TIMEOUT_MS,
  );

  it(
    'locks, refuses a wrong password, and unlocks',
    async () => {
      await press('Lock');
      await heading('Locked');
      expect(await page.getByText(TYPED.person).count()).toBe(0);
      await page.getByLabel('Password', { exact: true }).fill('not the secret at all');
      await press('Unlock');
      await page.getByText('This password does not open your records.').first().waitFor();
      await page.getByLabel('Password', { exact: true }).fill(SECRET);
      await press('Unlock');
      await page.getByRole('heading', { name: 'Done today' }).waitFor();
    },
    STAGE_TIMEOUT_MS,
  );

  it(
    'works without a network, also after a lock, and sends what waits later',
    async () => {
      await page.context().setOffline(true);
      const taken = page.getByRole('button', { name: new RegExp(`^Taken: ${TYPED.second}`) });
      await taken.click();
      await page.getByRole('button', { name: new RegExp(`^Undo: ${TYPED.second}`) }).waitFor();
      await page.getByText('One change waits to be sent.').waitFor();
      await press('Lock');
      await page.getByLabel('Password', { exact: true }).fill(SECRET);
      await press('Unlock');
      await page.getByRole('button', { name: new RegExp(`^Undo: ${TYPED.second}`) }).waitFor();
      await page.getByText('Offline. What you see is from').waitFor();
      // A try may be under way, and is held then: no other one begins before it has ended.
      const tries = page.waitForRequest('**/api/**');
      const release = await hold(page, '**/api/**');
      await page.context().setOffline(false);
      await tries;
      // No try has succeeded yet.
      expect(await page.getByText('Offline. What you see is from').isVisible()).toBe(true);
      release();
      await page.getByText('Offline. What you see is from').waitFor({ state: 'detached' });
      await page.getByText('waits to be sent').waitFor({ state: 'detached' });
      await page.getByRole('button', { name: new RegExp(`^Undo: ${TYPED.second}`) }).waitFor();
    },
    STAGE_TIMEOUT_MS,
  );

  it(
    'sets a new password with the twelve words where it is locked, and loses nothing that waits',
    async () => {
      await page.context().setOffline(true);
      await page.getByRole('button', { name: new RegExp(`^Undo: ${TYPED.second}`) }).click();
      await page.getByText('One change waits to be sent.').waitFor();
      await press('Lock');
      await page.context().setOffline(false);
      await follow('I lost my password');
      await follow('Back');
      await heading('Locked');
      await follow('I lost my password');
      expect(await page.getByLabel('Email').inputValue()).toBe(EMAIL);
      await page.getByLabel('Twelve words').fill(words.join(' '));
      await page.getByLabel('New password', { exact: true }).fill(NEW_SECRET);
      // What can be read is not typed twice.
      await page.getByLabel('Show the password').check();
      expect(await page.getByLabel('Password again').count()).toBe(0);
      await press('Set the new password');
      await page.getByRole('button', { name: new RegExp(`^Taken: ${TYPED.second}`) }).waitFor();
      await press('Lock');
      await heading('Locked');
      await page.getByLabel('Password', { exact: true }).fill(NEW_SECRET);
      await press('Unlock');
      await follow('More');
      await press('Sign out');
      await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
      await follow('I have an account');
      await page.getByLabel('Email').fill(EMAIL);
      await page.getByLabel('Password', { exact: true }).fill(NEW_SECRET);
      await press('Sign in');
      await page.getByRole('button', { name: new RegExp(`^Taken: ${TYPED.second}`) }).waitFor();
    },
    STAGE_TIMEOUT_MS,
  );

  it('sends nothing of what was typed in plain; the search finds what is there', () => {
    const holds = (text: string) => sent.filter((each) => each.toLowerCase().includes(text.toLowerCase()));
    expect(sent.length).toBeGreaterThan(20);
    for (const secret of [...Object.values(TYPED), SECRET, NEW_SECRET, words.join(' ')])
      expect([secret, holds(secret)]).toEqual([secret, []]);
    expect(holds(EMAIL).length).toBeGreaterThan(0);
    expect(sent.filter((each) => !each.includes(` ${stage.url}`) && !/ (blob|data):/.test(each))).toEqual([]);
  });

  it('runs without a complaint of the browser', () => expect(stage.complaints).toEqual([]));
});
