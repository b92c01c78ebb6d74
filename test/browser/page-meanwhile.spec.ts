import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { inRows } from '../client/hostile/lies';
import { json, type Lie } from '../client/hostile/lying-fetch';
import { changing } from '../client/hostile/space-lies';
import { until } from '../support/until';
import { lieTo, writesInSpaces } from './lying-page';
import { describeInBrowser } from './page-stage';
import { type Circle, PeopleStage, WAIT_MS } from './people-stage';

const VISITS = '/api/appointments';
const CHANGED = json(409, { code: 'space_changed', error: 'The space has changed.' });
const STRANGER = 'ffffffff-ffff-4fff-8fff-ffffffffffff';

/** Waits until something is as wanted. */
const becomes = (read: () => unknown, wanted: unknown) =>
  until(JSON.stringify(wanted), async () => JSON.stringify(await read()) === JSON.stringify(wanted));

/** What happens to a shared profile while a person writes in it: with an honest service, and with one that lies. */
describeInBrowser('a change that meets another one in a shared profile', () => {
  const people = PeopleStage.forTests();

  async function addVisit(page: Page, title: string): Promise<void> {
    await people.stage.open(page, '/app/visits/add', 'New visit');
    await page.getByLabel('What for', { exact: true }).fill(title);
    await people.button(page, 'Save').click();
    await people.title(page, 'Visits').waitFor();
    await page.getByRole('main').getByText(title).first().waitFor();
  }

  /** What another device of Mara reads, with who wrote it. */
  async function visitsOf({ mara, profileId }: Circle) {
    const { client } = await people.deviceOf(mara);
    const { members } = await client.spaces!.get(profileId);
    const nameOf = (id?: string | null) => members.find(({ accountId }) => accountId === id)?.name;
    const visits = await client.appointments.list({ profileId });
    return visits.map(({ details, author }) => [details.title, nameOf(author?.accountId)]);
  }

  it('a new key comes before a visit: it is sealed anew and sent, once', async () => {
    const circle = await people.rosaWith(['Jonas', 'editor']);
    const { page } = await people.pageOf(circle.others[0]);
    await people.sees(page);
    const sent: string[] = [];
    const answers: number[] = [];
    await lieTo(page, async (asked, pass) => {
      if (asked.method !== 'POST' || asked.path !== VISITS) return pass();
      if (sent.length === 0) await circle.mara.spaces.newKey(circle.id);
      sent.push(asked.sent.encrypted_data.ciphertext);
      const answer = await pass();
      answers.push(answer.status);
      return answer;
    });
    await addVisit(page, 'Eye doctor');
    await becomes(() => answers, [409, 201]);
    expect(sent[0]).not.toBe(sent[1]);
    expect(await visitsOf(circle)).toEqual([['Eye doctor', 'Jonas']]);
    expect(people.stage.complaints).toEqual([]);
  });

  it('a service that always says that the members have changed: the visit waits, and is sent in the end', async () => {
    const circle = await people.rosaWith(['Jonas', 'editor']);
    const { page } = await people.pageOf(circle.others[0]);
    await people.sees(page);
    let tries = 0;
    const honest = await lieTo(page, (asked, pass) => {
      if (asked.method !== 'POST' || asked.path !== VISITS) return pass();
      tries += 1;
      return CHANGED;
    });
    await addVisit(page, 'Eye doctor');
    await becomes(() => tries > 0, true);
    await page.waitForTimeout(3000);
    // No loop without an end.
    expect(tries).toBeLessThan(20);
    await people.stage.open(page, '/app/security', 'Security');
    await page.getByText('waits to be sent.').first().waitFor();
    await people.fits(page, 'meanwhile-always-changed');
    await honest();
    await people.loadAgain(page);
    await becomes(async () => (await visitsOf(circle)).length, 1);
    expect(people.stage.complaints).toEqual([]);
  });

  it('a stranger among the members at that moment: nothing is sealed and sent any more, until they are right', async () => {
    const circle = await people.rosaWith(['Jonas', 'editor']);
    const { page } = await people.pageOf(circle.others[0]);
    await people.sees(page);
    let tries = 0;
    const stranger = changing('/api/space', (body) => ({
      ...body,
      version: body.version + 1,
      members: [...body.members, { ...body.members[0], member_id: STRANGER }],
    }));
    const honest = await lieTo(page, (asked, pass) => {
      if (asked.method !== 'POST' || asked.path !== VISITS) return stranger(asked, pass);
      tries += 1;
      return CHANGED;
    });
    await addVisit(page, 'Eye doctor');
    await page.locator('.space-news').getByText('The service names somebody whom nobody let in,').waitFor();
    expect(tries).toBe(1);
    await people.lookAgain(page);
    await people.fits(page, 'meanwhile-stranger');
    expect(tries).toBe(1);
    await page.getByRole('main').getByText('Eye doctor').first().waitFor();
    await honest();
    await people.openPeople(page);
    await page.locator('.space-news .note').waitFor({ state: 'detached', timeout: WAIT_MS });
    await people.loadAgain(page);
    await becomes(() => visitsOf(circle), [['Eye doctor', 'Jonas']]);
    expect(people.stage.complaints).toEqual([]);
  });

  it('a row of a newer key: the space is read once, and the row opens', async () => {
    const circle = await people.rosaWith(['Jonas', 'editor']);
    const { mara, profileId } = circle;
    const { page } = await people.pageOf(circle.others[0]);
    await people.sees(page);
    const add = (name: string) =>
      mara.client.medications.create({
        profileId,
        route: 'oral',
        schedule: { timesPerDay: 1 },
        details: { name, startDate: '2026-01-01' },
      });
    await add('Candesartan');
    await mara.client.sync.now();
    const asked: string[] = [];
    await lieTo(page, async ({ path }, pass) => {
      asked.push(path);
      // After the list of the spaces and the feed of the account comes that of the space.
      if (path === '/api/sync' && asked.filter((each) => each === path).length === 2) {
        await mara.spaces.newKey(circle.id);
        await add('Bisoprolol');
        await mara.client.sync.now();
      }
      return pass();
    });
    await people.lookAgain(page);
    await people.sees(page, 'Bisoprolol');
    expect(asked.filter((path) => path === '/api/space')).toHaveLength(1);
    expect(await page.getByText('need your decision').count()).toBe(0);
    expect(people.stage.complaints).toEqual([]);
  });

  it('a row that no key opens: the last good one stays, and the page asks', async () => {
    const circle = await people.rosaWith(['Jonas', 'editor']);
    const { mara, profileId } = circle;
    const { page } = await people.pageOf(circle.others[0]);
    await people.sees(page);
    const [medicine] = await mara.client.medications.list({ profileId });
    await mara.client.medications.update(medicine, { details: { name: 'Amlodipine forte' } });
    await mara.client.sync.now();
    const sent = writesInSpaces(page);
    const honest = await lieTo(
      page,
      inRows((row, kind) => {
        if (kind !== 'medication') return row;
        const { ciphertext } = row.encrypted_data;
        const garbage = randomBytes(Buffer.from(ciphertext, 'base64').length).toString('base64');
        return { ...row, encrypted_data: { ...row.encrypted_data, ciphertext: garbage } };
      }),
    );
    await people.lookAgain(page);
    await page.getByText('entry needs your decision').waitFor();
    await people.sees(page);
    expect(await page.getByText('Amlodipine forte').count()).toBe(0);
    await people.stage.open(page, '/app/security', 'Security');
    const problem = page.locator('.note', {
      hasText: 'The service returned something else than what you stored.',
    });
    await problem.getByText('What this device had is still shown.').waitFor();
    await people.fits(page, 'meanwhile-unreadable');
    expect(sent).toEqual([]);
    await honest();
    await problem.getByRole('button', { name: 'Ask the service again' }).click();
    await problem.waitFor({ state: 'detached' });
    await people.sees(page, 'Amlodipine forte');
    expect(people.stage.complaints).toEqual([]);
  });

  it('a service that says that the access has ended: an editor keeps the record, and it is whole again afterwards', async () => {
    const circle = await people.rosaWith(['Jonas', 'editor'], ['Lena', 'carer']);
    const [jonas, lena] = [await people.pageOf(circle.others[0]), await people.pageOf(circle.others[1])];
    const ended: Lie = (asked, pass) =>
      asked.path === '/api/space'
        ? json(404, { code: 'not_found', error: 'Not found.' })
        : changing('/api/spaces', (all) =>
            all.map(({ space_id, is_keeper }: any) => ({ space_id, is_keeper, state: 'removed' })),
          )(asked, pass);
    for (const { page } of [jonas, lena]) await people.sees(page);
    const honest = [await lieTo(jonas.page, ended), await lieTo(lena.page, ended)];
    const news = (page: Page) => page.locator('.space-news');
    await people.loadAgain(jonas.page);
    await news(jonas.page).getByText('You have no access to the record of Rosa any more.').waitFor();
    await news(jonas.page).getByRole('link', { name: 'Export first' }).waitFor();
    await people.sees(jonas.page);
    expect(await jonas.page.getByRole('link', { name: 'Add a medicine' }).count()).toBe(0);
    // A carer keeps nothing on the device.
    await people.loadAgain(lena.page);
    await news(lena.page)
      .getByText('You have no access to the record of Rosa any more. Only Mara can have removed you')
      .waitFor();
    await people.seesNothing(lena.page);

    for (const end of honest) await end();
    for (const { page } of [jonas, lena]) {
      await people.loadAgain(page);
      await people.sees(page);
      await news(page).locator('.note').waitFor({ state: 'detached', timeout: WAIT_MS });
    }
    await people.stage.open(jonas.page, '/app/cabinet', 'Cabinet');
    await jonas.page.getByRole('link', { name: 'Add a medicine' }).waitFor();
    expect(people.stage.complaints).toEqual([]);
  });

  it('a service that says that the role is too low: the text stays for another place', async () => {
    const circle = await people.rosaWith(['Jonas', 'editor']);
    const { page } = await people.pageOf(circle.others[0]);
    await people.sees(page);
    const honest = await lieTo(page, (asked, pass) =>
      asked.method === 'POST' && asked.path === VISITS
        ? json(403, { code: 'space_role_too_low', error: 'The role is too low.' })
        : pass(),
    );
    await addVisit(page, 'Eye doctor');
    await people.stage.open(page, '/app/security', 'Security');
    const problem = page.locator('.note', { hasText: 'You may not do this in this shared record.' });
    await problem.getByRole('button', { name: 'Copy the text' }).waitFor();
    // Nothing sends it elsewhere, or again.
    expect(await problem.getByRole('button').allInnerTexts()).toEqual(['Copy the text', 'Drop my change']);
    await people.fits(page, 'meanwhile-role');
    await honest();
    await people.button(page, 'Drop my change').click();
    await problem.waitFor({ state: 'detached' });
    expect(await visitsOf(circle)).toEqual([]);
    await addVisit(page, 'Eye doctor');
    await becomes(() => visitsOf(circle), [['Eye doctor', 'Jonas']]);
    expect(people.stage.complaints).toEqual([]);
  });
});
