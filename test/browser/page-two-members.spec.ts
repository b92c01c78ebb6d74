import type { Page } from 'playwright-core';
import { inRows } from '../client/hostile/lies';
import { json } from '../client/hostile/lying-fetch';
import { until } from '../support/until';
import { lieTo } from './lying-page';
import { describeInBrowser } from './page-stage';
import { type Account, type Circle, PeopleStage } from './people-stage';

const VISIT = { title: 'Eye doctor', startsAt: '2030-01-10T09:30:00Z' };

/** Two members at one record, or at the list of members, in the same moment: with an honest service, and with one that lies. */
describeInBrowser('two members in the page', () => {
  const people = PeopleStage.forTests();

  /** The record of Rosa with a visit, and the page of Jonas that shows it. */
  async function visitOfRosa() {
    const circle = await people.rosaWith(['Jonas', 'editor']);
    const { mara, profileId } = circle;
    const visit = await mara.client.appointments.create({ profileId, status: 'scheduled', details: VISIT });
    await mara.client.sync.now();
    const { page } = await people.pageOf(circle.others[0]);
    await people.stage.open(page, '/app/visits', 'Visits');
    await page.getByRole('link', { name: /Eye doctor.*Last written by Mara/ }).waitFor();
    return { circle, visit, page };
  }

  async function rename(mara: Account, { id }: { id: string }, title: string): Promise<void> {
    const { client } = mara;
    await client.appointments.update(await client.appointments.get(id), { details: { ...VISIT, title } });
    await client.sync.now();
  }

  async function addNote(page: Page, id: string, note: string): Promise<void> {
    await people.stage.open(page, `/app/visits/${id}`, 'Change the visit');
    await page.getByLabel('Notes').fill(note);
    await people.button(page, 'Save').click();
  }

  /** Reads the details of the visits on a new device of Mara. One device: the sixth session would end that of a page. */
  async function readerOf({ mara, profileId }: Circle) {
    const { client } = await people.deviceOf(mara);
    return async () => {
      const visits = await client.appointments.list({ profileId });
      return visits.map(({ details: { title, notes } }) => [title, notes]);
    };
  }

  it('change one visit: both changes are in it', async () => {
    const { circle, visit, page } = await visitOfRosa();
    let tries = 0;
    await lieTo(page, async (asked, pass) => {
      const isChange = asked.path === `/api/appointments/${visit.id}` && asked.method !== 'GET';
      if (isChange && ++tries === 1) await rename(circle.mara, visit, 'Eye clinic');
      return pass();
    });
    await addNote(page, visit.id, 'Bring the glasses');
    const stored = await readerOf(circle);
    await until('both are stored', async () => {
      const [[title, note]] = await stored();
      return title === 'Eye clinic' && note === 'Bring the glasses';
    });
    expect(tries).toBe(2);
    await people.stage.open(page, '/app/visits', 'Visits');
    await page.getByRole('link', { name: /Eye clinic.*Bring the glasses/ }).waitFor();
    expect(people.stage.complaints).toEqual([]);
  });

  it('a service that always says that another was first: the change is kept and shown, and sent in the end', async () => {
    const { circle, visit, page } = await visitOfRosa();
    let tries = 0;
    const honest = await lieTo(page, (asked, pass) => {
      if (asked.path !== `/api/appointments/${visit.id}` || asked.method === 'GET') return pass();
      tries += 1;
      return json(412, { code: 'revision_conflict', error: 'Somebody changed it.' });
    });
    await addNote(page, visit.id, 'Bring the glasses');
    await until('it was sent', () => Promise.resolve(tries > 0));
    await page.waitForTimeout(2000);
    // No loop without an end.
    expect(tries).toBeLessThan(20);
    await people.stage.open(page, '/app/visits', 'Visits');
    await page.getByRole('link', { name: /Eye doctor.*Bring the glasses/ }).waitFor();
    await honest();
    await people.stage.open(page, '/app/security', 'Security');
    const again = people.button(page, 'Send again');
    if (await again.count()) await again.click();
    else await people.button(page, 'Load again').click();
    const stored = await readerOf(circle);
    await until('it is stored', async () => (await stored())[0][1] === 'Bring the glasses');
    expect(people.stage.complaints).toEqual([]);
  });

  it('a service that names another writer: the page says that it is unclear', async () => {
    const { circle, visit, page } = await visitOfRosa();
    const [jonas] = circle.others;
    const honest = await lieTo(
      page,
      inRows((row, kind) => (kind === 'appointment' ? { ...row, author_id: jonas.id } : row)),
    );
    await rename(circle.mara, visit, 'Eye clinic');
    await people.lookAgain(page);
    const shown = page.getByRole('link', { name: /Eye clinic/ });
    await shown.filter({ hasText: 'unclear who wrote this' }).waitFor();
    expect(await page.getByText('Last written by Jonas').count()).toBe(0);
    await people.fits(page, 'two-members-unclear');
    await honest();
    await rename(circle.mara, visit, 'Eye hospital');
    await people.lookAgain(page);
    await page.getByRole('link', { name: /Eye hospital.*Last written by Mara/ }).waitFor();
    expect(people.stage.complaints).toEqual([]);
  });

  it('Today names who gave the last dose of a medicine that is taken as needed', async () => {
    const circle = await people.rosaWith(['Jonas', 'carer']);
    const { mara, profileId, others } = circle;
    const { id } = await mara.client.medications.create({
      profileId,
      route: 'other',
      schedule: null,
      details: {
        name: 'Paracetamol',
        schedule: { times: [], asNeeded: true, minHoursBetween: 4 },
        startDate: '2026-01-01',
      },
    });
    await mara.client.sync.now();
    const [{ client }] = others;
    await client.sync.now();
    await client.medications.logDose(id, { taken: true });
    await client.sync.now();
    const { page } = await people.pageOf(mara);
    await page.getByText(/^Last taken .* Given by Jonas\. /).waitFor();
    await people.fits(page, 'two-members-last-dose');
    expect(people.stage.complaints).toEqual([]);
  });

  it('two owners change the members: the slower one does it again on the new list', async () => {
    const circle = await people.rosaWith(['Jonas', 'editor'], ['Lena', 'viewer'], ['Paul', 'owner']);
    const [jonas, lena, paul] = circle.others;
    const { page } = await people.pageOf(circle.mara);
    await people.sees(page);
    await people.openPeople(page);
    const answers: number[] = [];
    await lieTo(page, async (asked, pass) => {
      if (asked.path !== '/api/space/rekey') return pass();
      if (answers.length === 0) await paul.spaces.remove(circle.id, lena.id);
      const answer = await pass();
      answers.push(answer.status);
      return answer;
    });
    await people.button(page, 'Details: Jonas').click();
    await people.button(page, 'What may Jonas do?').click();
    await people
      .dialog(page)
      .getByRole('radio', { name: /^may look/ })
      .check();
    await people.button(page, 'Change what Jonas may do').click();
    await people.row(page, 'Jonas').getByText('may look').waitFor();
    expect(answers[0]).toBe(409);
    expect(answers.at(-1)).toBeLessThan(300);
    await people.row(page, 'Lena').waitFor({ state: 'detached' });
    const { members, blocked } = await paul.spaces.get(circle.profileId);
    const roles = Object.fromEntries(members.map(({ accountId, role }) => [accountId, role]));
    expect(roles).toEqual({ [circle.mara.id]: 'owner', [paul.id]: 'owner', [jonas.id]: 'viewer' });
    expect(blocked).toBeNull();
    expect(people.stage.complaints).toEqual([]);
  });

  it('what waits on a page without a network follows a record that is shared meanwhile', async () => {
    const mara = await people.account('Mara', 'Rosa');
    const [{ id: profileId }] = await mara.client.profiles.list();
    const { page, profile } = await people.pageOf(mara);
    await people.sees(page);
    await people.stage.open(page, '/app/visits', 'Visits');
    await people.stage.open(page, '/app/visits/add', 'New visit');
    await page.getByLabel('What for', { exact: true }).fill('Eye doctor');
    await profile.setOffline(true);
    await people.button(page, 'Save').click();
    await people.title(page, 'Visits').waitFor();
    const { id } = await mara.spaces.share(profileId, mara.name);
    await profile.setOffline(false);
    await people.lookAgain(page);
    const stored = await readerOf({ id, profileId, mara, others: [] });
    await until('it is stored', async () => {
      const titles = await stored();
      return titles.length === 1 && titles[0][0] === 'Eye doctor';
    });
    const { body } = await mara.client.request({ method: 'GET', path: '/api/appointments', space: id });
    expect(body).toHaveLength(1);
    await page.getByRole('link', { name: /Eye doctor/ }).waitFor();
    expect(await page.getByText('needs your decision').count()).toBe(0);
    expect(people.stage.complaints).toEqual([]);
  });
});
