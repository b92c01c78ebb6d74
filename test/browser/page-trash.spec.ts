import { HealthRecordsClient } from '@app/client';
import type { BrowserContext, Page } from 'playwright-core';
import { until } from '../support/until';
import { describeInBrowser, PageStage, STAGE_TIMEOUT_MS } from './page-stage';

const EMAIL = 'mia@example.org';
const SECRET = 'correct horse battery staple';

jest.setTimeout(STAGE_TIMEOUT_MS);

describeInBrowser('the trash, on a phone', () => {
  let stage: PageStage;
  /** Another device of the family. */
  let client: HealthRecordsClient;
  let profile: BrowserContext;
  let page: Page;
  let profileId: string;

  beforeAll(async () => {
    stage = await PageStage.start();
    client = new HealthRecordsClient({ baseUrl: stage.url });
    await client.register({ email: EMAIL, password: SECRET, recoveryPhrase: null });
    const create = (name: string) =>
      client.profiles.create({
        kind: 'human',
        relationship: 'child',
        details: { name, birthDate: '2021-03-01' },
      });
    ({ id: profileId } = await create('Lena'));
    await create('Ida');
    for (const name of ['Ibuprofen', 'Cetirizine']) {
      const dose = { amount: 1, unit: 'tablet' };
      const details = { name, strength: '200 mg', dose, schedule: { times: ['08:00', '14:00', '20:00'] } };
      const { id } = await client.medications.create({ profileId, route: 'oral', schedule: null, details });
      await client.medications.logDose(id, { taken: true });
    }
    await client.appointments.create({
      profileId,
      status: 'scheduled',
      details: { title: 'Eyes', startsAt: '2026-12-03T09:00:00Z' },
    });
    await client.healthStats.create({
      profileId,
      details: { metric: 'weight', values: { value: 16 }, unit: 'kg' },
    });
    profile = await stage.profile({ viewport: { width: 360, height: 740 } });
    page = await stage.signIn(profile, EMAIL, SECRET);
  }, STAGE_TIMEOUT_MS);
  afterAll(() => stage?.stop());

  const medicine = (name: string) => page.getByRole('link', { name: new RegExp(name) });
  const item = (name: string) => page.locator('main li', { hasText: name });
  const press = (name: string | RegExp) => page.getByRole('button', { name }).click();
  const confirm = (name: string | RegExp) => page.getByRole('dialog').getByRole('button', { name }).click();
  const openTrash = async () => {
    await stage.open(page, '/app/more', 'More');
    await page.getByRole('link', { name: 'Trash', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Trash' }).waitFor();
  };
  const isTrashed = async (name: string) => {
    const all = await client.medications.list();
    return typeof all.find(({ details }) => details.name === name)?.details.trashedAt === 'string';
  };

  async function deleteMedicine(name: string): Promise<void> {
    await stage.open(page, '/app/cabinet', 'Cabinet');
    await medicine(name).click();
    await page.getByRole('heading', { level: 1, name: new RegExp(name) }).waitFor();
    await press('Delete');
    await confirm('Delete');
    await page.getByRole('heading', { level: 1, name: 'Cabinet' }).waitFor();
    await medicine(name).waitFor({ state: 'detached' });
  }

  it('says whose medicine went to the trash, and takes it back at once', async () => {
    await deleteMedicine('Ibuprofen');
    await page
      .getByText(/Lena · Ibuprofen.*: in the trash\./)
      .first()
      .waitFor();
    await stage.picture(page, 'trash-toast');
    await press('Undo');
    await medicine('Ibuprofen').waitFor();
    await until('the other device has it', async () => !(await isTrashed('Ibuprofen')));
    await medicine('Ibuprofen').click();
    await page.getByText('Entered by mistake: it goes to the trash, with its history.').waitFor();
    await stage.picture(page, 'medicine-acts');
    expect(await stage.axe(page)).toEqual([]);
    // The page of Lena's medicine does not stay under the name of Ida.
    await press('Ida');
    await page.getByRole('heading', { level: 1, name: 'Cabinet' }).waitFor();
    await medicine('Ibuprofen').waitFor({ state: 'detached' });
    await press('Everyone');
    await medicine('Ibuprofen').waitFor();
  });

  it('keeps a medicine with its doses, sealed, and brings it back on every device', async () => {
    await deleteMedicine('Ibuprofen');
    await until('the other device sees it', () => isTrashed('Ibuprofen'));
    await openTrash();
    await item('Ibuprofen').getByText('Medicine · Lena · deleted', { exact: false }).waitFor();
    await stage.picture(page, 'trash');
    expect(await stage.axe(page)).toEqual([]);
    await press('Bring back: Ibuprofen');
    await page.getByText('There is nothing in the trash.').waitFor();
    await stage.open(page, '/app/cabinet', 'Cabinet');
    await medicine('Ibuprofen').waitFor();
    await until('the other device has it', async () => !(await isTrashed('Ibuprofen')));
    const [{ id }] = (await client.medications.list()).filter(({ details }) => details.name === 'Ibuprofen');
    expect(await client.medications.doses(id)).toHaveLength(1);
  });

  it('takes a person with all that belongs to the person, and gives all back', async () => {
    await stage.open(page, `/app/profiles/${profileId}`, 'Change Lena');
    await press('Delete Lena');
    await confirm('Delete Lena');
    await page.getByRole('heading', { level: 1, name: 'People and pets' }).waitFor();
    await stage.open(page, '/app/cabinet', 'Cabinet');
    await medicine('Cetirizine').waitFor({ state: 'detached' });
    await openTrash();
    await item('Lena').waitFor();
    expect(await page.locator('main li').count()).toBe(1);
    await press('Bring back: Lena');
    await stage.open(page, '/app/cabinet', 'Cabinet');
    await medicine('Cetirizine').waitFor();
    await medicine('Ibuprofen').waitFor();
  });

  it('has visits and readings too, without a network, and erases at once who wants it', async () => {
    const [visit] = await client.appointments.list();
    await stage.open(page, `/app/visits/${visit.id}`, 'Change the visit');
    await press('Delete this entry');
    await confirm('Delete');
    await page.getByRole('heading', { level: 1, name: 'Visits' }).waitFor();
    const [{ id }] = await client.healthStats.list();
    await stage.open(page, `/app/measures/${id}?of=${profileId}`, 'Weight');
    await press(/^Remove the reading/);
    await profile.setOffline(true);
    await openTrash();
    await item('Weight').waitFor();
    await press('Erase now: Eyes');
    await confirm('Erase now');
    await item('Eyes').waitFor({ state: 'detached' });
    await profile.setOffline(false);
    const listed = () => client.appointments.list().catch(() => [visit]);
    await until('it is erased', async () => (await listed()).length === 0);
    const [reading] = await client.healthStats.list();
    expect(typeof reading.details.trashedAt).toBe('string');
  });

  it('checks no dose of a child by a weight that was deleted', async () => {
    await stage.open(page, '/app/cabinet/together', 'Check medicines together');
    await page.getByText('Ibuprofen', { exact: false }).first().waitFor();
    const lena = page.locator('section', { has: page.getByRole('heading', { level: 2, name: 'Lena' }) });
    await lena.locator('.finding').first().waitFor();
    expect(await lena.innerText()).not.toContain('16 kg');
    await openTrash();
    await press('Bring back: Weight');
    await stage.open(page, '/app/cabinet/together', 'Check medicines together');
    await lena.getByText('16 kg', { exact: false }).first().waitFor();
  });

  it('erases what is older than 30 days, and nothing younger', async () => {
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    for (const [name, days] of [
      ['Cetirizine', 31],
      ['Ibuprofen', 29],
    ] as const) {
      const current = (await client.medications.list()).find(({ details }) => details.name === name)!;
      await client.medications.update(current, { details: { trashedAt: daysAgo(days) } });
    }
    await page.reload();
    await page.getByLabel('Password', { exact: true }).fill(SECRET);
    await press('Unlock');
    // Until a head proves the deletion, the other device does not believe it.
    const listed = () => client.medications.list().catch(() => []);
    await until('the old one is erased', async () => (await listed()).length === 1);
    expect(await isTrashed('Ibuprofen')).toBe(true);
    await openTrash();
    await item('Ibuprofen').waitFor();
    expect(stage.complaints).toEqual([]);
  });
});
