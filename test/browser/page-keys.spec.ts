import { HealthRecordsClient } from '@app/client';
import { memoryOfflineStore } from '@app/client/offline';
import type { BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, PageStage, STAGE_TIMEOUT_MS } from './page-stage';

const PHONE = { width: 360, height: 740 };
const SECRET = 'correct horse battery staple';
const NEW_SECRET = 'another long password of the family';

jest.setTimeout(STAGE_TIMEOUT_MS);

/** After a theft: all keys are replaced on a phone, with an authenticator of Chromium behind the page. */
describeInBrowser('the page that replaces all keys', () => {
  let stage: PageStage;
  let profile: BrowserContext;
  let page: Page;
  let accounts = 0;

  beforeAll(async () => (stage = await PageStage.start('http://localhost')), STAGE_TIMEOUT_MS);
  afterAll(() => stage?.stop());
  afterEach(() => profile?.close());

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
  const sections = () => page.getByRole('navigation', { name: 'Sections' });
  const toasted = (text: string) => page.locator('.toast').getByText(text).waitFor();
  const open = () =>
    new HealthRecordsClient({ baseUrl: stage.service.api.url, offline: memoryOfflineStore() });

  /** A family of two with some medicines, its page on a phone with an authenticator, and another device. */
  async function begin(): Promise<{ email: string; other: HealthRecordsClient }> {
    const email = `keys${++accounts}@example.org`;
    const other = open();
    await other.register({ email, password: SECRET, recoveryPhrase: null });
    for (const name of ['Ada', 'Otto']) {
      const { id: profileId } = await other.profiles.create({ details: { name } });
      const details = { name: `Amlodipine of ${name}`, startDate: '2026-01-01' };
      await other.medications.create({ profileId, route: 'oral', schedule: null, details });
    }
    await other.sync.now();
    profile = await stage.profile({ viewport: PHONE });
    page = await stage.signIn(profile, email, SECRET);
    const devtools = await profile.newCDPSession(page);
    await devtools.send('WebAuthn.enable');
    const options = {
      protocol: 'ctap2',
      ctap2Version: 'ctap2_1',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
      hasPrf: true,
    } as const;
    await devtools.send('WebAuthn.addVirtualAuthenticator', { options });
    await stage.open(page, '/app/security', 'Security');
    await page.getByText('Add a passkey on this device').click();
    const form = page.locator('details[open]');
    await form.getByLabel('Password now').fill(SECRET);
    await form.getByRole('button', { name: 'Add the passkey' }).click();
    await toasted('The passkey is added.');
    await page.getByText('signs in and unlocks').waitFor();
    return { email, other };
  }

  /** @returns the new words. */
  async function replace(answer: 'No.' | 'Yes.'): Promise<string> {
    await page.getByText('Change the password').first().click();
    await page.getByRole('link', { name: /^Replace all keys/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Replace all keys' }).waitFor();
    expect(await stage.axe(page)).toEqual([]);
    await stage.picture(page, `keys-${answer.slice(0, -1).toLowerCase()}`);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('alert').first().waitFor();
    await page.getByRole('radio', { name: new RegExp(`^${answer}`) }).check();
    await page.getByLabel('Password now').fill(SECRET);
    await page.getByLabel('New password', { exact: true }).fill(NEW_SECRET);
    await page.getByLabel('Password again').fill(NEW_SECRET);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { level: 1, name: 'Your twelve words' }).waitFor();
    expect(await stage.axe(page)).toEqual([]);
    const words = await page.locator('ol.words li span:last-child').allInnerTexts();
    expect(words).toHaveLength(12);
    await button('I have printed or written them down').click();
    await page.getByRole('heading', { level: 1, name: 'Enter three of them' }).waitFor();
    for (const field of await page.getByLabel(/^Word \d+$/).all()) {
      const place = Number(
        /\d+/.exec((await field.getAttribute('aria-label')) ?? (await labelOf(field)))![0],
      );
      await field.fill(words[place - 1]);
    }
    await button('Replace all keys').click();
    await page.getByRole('heading', { level: 1, name: 'All keys are replaced' }).waitFor();
    return words.join(' ');
  }
  const labelOf = (field: ReturnType<Page['getByLabel']>) =>
    field.evaluate((input: any) => String(input.labels[0].textContent));

  it('replaces them without a theft of a device: the passkey unlocks again by one touch', async () => {
    const { email, other } = await begin();
    const phrase = await replace('No.');
    await page.getByText('All records are sealed with the new keys.').waitFor();
    expect(await stage.axe(page)).toEqual([]);
    await stage.picture(page, 'keys-done');
    await page.getByRole('button', { name: /^Let .* unlock again$/ }).click();
    await page
      .locator('.toast')
      .getByText(/unlocks again\.$/)
      .waitFor();
    await button('Lock').click();
    await button('Unlock with a passkey').click();
    await sections().waitFor();
    await stage.open(page, '/app/cabinet', 'Cabinet');
    await page.getByText('Amlodipine of Otto').first().waitFor();
    await stage.open(page, '/app/security', 'Security');
    await page.getByText('All keys were replaced').waitFor();
    await page.getByText('signs in and unlocks').waitFor();
    expect(await page.getByText('Not added by your devices').count()).toBe(0);

    await expect(other.account()).rejects.toMatchObject({ code: 'session_ended' });
    await expect(open().login(email, SECRET)).rejects.toMatchObject({ code: 'password_wrong' });
    await other.login(email, NEW_SECRET);
    await other.sync.now();
    const namesOf = async (device: HealthRecordsClient) =>
      (await device.medications.list()).map(({ details }) => details.name).sort();
    expect(await namesOf(other)).toEqual(['Amlodipine of Ada', 'Amlodipine of Otto']);
    const lost = open();
    await lost.recover(email, phrase, SECRET);
    expect(await namesOf(lost)).toEqual(['Amlodipine of Ada', 'Amlodipine of Otto']);
    expect(stage.complaints).toEqual([]);
  });

  it('ends passkeys after a theft; another tab of the page asks for the new password', async () => {
    await begin();
    const tab = await profile.newPage();
    stage.listen(tab);
    await tab.goto(`${stage.url}/app/today`);
    await tab.getByRole('navigation', { name: 'Sections' }).waitFor();
    await replace('Yes.');
    await page.getByText('Passkeys have ended.').waitFor();
    await tab.getByRole('heading', { name: 'Locked' }).waitFor();
    await tab.getByLabel('Password', { exact: true }).fill(NEW_SECRET);
    await tab.getByRole('button', { name: 'Unlock', exact: true }).click();
    await tab.getByRole('navigation', { name: 'Sections' }).waitFor();
    await tab.getByText('Ada').first().waitFor();
    await stage.open(page, '/app/security', 'Security');
    await page.getByText('There is no passkey yet.').waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it('says that the password is wrong, and nothing has changed', async () => {
    const { other } = await begin();
    await stage.open(page, '/app/replace-keys', 'Replace all keys');
    await page.getByRole('radio', { name: /^No\./ }).check();
    await page.getByLabel('Password now').fill('not this one');
    await page.getByLabel('New password', { exact: true }).fill(NEW_SECRET);
    await page.getByLabel('Password again').fill(NEW_SECRET);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { level: 1, name: 'Your twelve words' }).waitFor();
    const words = await page.locator('ol.words li span:last-child').allInnerTexts();
    await button('I have printed or written them down').click();
    for (const field of await page.getByLabel(/^Word \d+$/).all())
      await field.fill(words[Number(/\d+/.exec(await labelOf(field))![0]) - 1]);
    await button('Replace all keys').click();
    await page.locator('.note').getByText('This password does not open your records.').waitFor();
    await stage.picture(page, 'keys-wrong');
    expect((await other.account()).email).toContain('keys');
  });
});
