import type { Page } from 'playwright-core';
import { until } from '../support/until';
import { describeInBrowser, hold, type PageStage, STAGE_TIMEOUT_MS } from './page-stage';
import { PeopleStage, SECRET, type Someone, WAIT_MS } from './people-stage';

jest.setTimeout(3 * STAGE_TIMEOUT_MS);

/** The ways out of a shared record, and what a page says where something is not as it should be. */
describeInBrowser('the end of a shared profile in the page', () => {
  let people: PeopleStage;
  let stage: PageStage;

  beforeAll(async () => {
    people = await PeopleStage.start();
    ({ stage } = people);
  }, STAGE_TIMEOUT_MS);
  afterAll(() => people?.stop());
  afterEach(() => people.close());

  const news = (page: Page) => page.locator('.space-news');

  /** Mara shares the record of Rosa with Jonas. */
  async function two(role: 'viewer' | 'editor') {
    const [mara, jonas] = [await people.account('Mara', 'Rosa'), await people.account('Jonas')];
    const { id } = await people.circle(mara, [[jonas, role]]);
    return { mara, jonas, id };
  }

  async function openErasure(page: Page): Promise<void> {
    await stage.open(page, '/app/security', 'Security');
    await page.getByText('Erase everything', { exact: true }).click();
    await page.locator('details[open]').getByLabel('Password now').fill(SECRET);
    await people.button(page, 'Erase the account and all records').click();
    await page.getByText('Only you share the care of these records, and others see them:').waitFor();
  }

  async function sees(page: Page, medicine = 'Amlodipine'): Promise<void> {
    await stage.open(page, '/app/cabinet', 'Cabinet');
    await page.getByRole('main').getByText(medicine).first().waitFor();
  }

  async function seesNothing(page: Page): Promise<void> {
    await stage.open(page, '/app/cabinet', 'Cabinet');
    await page.getByRole('main').getByText('Amlodipine').waitFor({ state: 'detached' });
  }

  it('lets leave, and the others go on with a new key', async () => {
    const circle = await two('editor');
    const [mara, jonas] = [await people.pageOf(circle.mara), await people.pageOf(circle.jonas)];
    await people.openPeople(jonas.page);
    await people.fits(jonas.page, 'circle-editor');
    await people.button(jonas.page, 'Leave this record').click();
    await people.dialog(jonas.page).getByText('You see nothing more of Rosa').waitFor();
    await people.fits(jonas.page, 'circle-leave');
    await people.dialog(jonas.page).getByRole('button', { name: 'Leave this record' }).click();
    await people.toasted(jonas.page, 'You have left the record.');
    await people.title(jonas.page, 'People and pets').waitFor();
    await seesNothing(jonas.page);
    expect(await news(jonas.page).count()).toBe(0);

    await people.loadAgain(mara.page);
    await people.openPeople(mara.page);
    await people.row(mara.page, 'Mara (you)').waitFor();
    await people.row(mara.page, 'Jonas').waitFor({ state: 'detached' });
    // The page makes the key by itself, and the other device of Mara reads with it.
    const { client, spaces } = circle.mara;
    const [{ id: profileId }] = await client.profiles.list();
    await until('a new key', async () => !(await spaces.get(profileId)).isKeyDue);
    await mara.page
      .getByText('Somebody has left and still knows the key.')
      .waitFor({ state: 'detached', timeout: WAIT_MS });
    expect(await client.medications.list({ profileId })).toHaveLength(1);
    await sees(mara.page);
    expect(stage.complaints).toEqual([]);
  });

  it('deletes for all, and a device of another says so and keeps what may be exported', async () => {
    const circle = await two('editor');
    const lena = await people.account('Lena');
    const { id, fragment } = await circle.mara.spaces.invite(circle.id, 'viewer');
    await lena.spaces.accept(await lena.spaces.openInvitation(fragment), 'Lena');
    await circle.mara.spaces.confirm(circle.id, id, false);
    const [mara, editor, viewer] = [
      await people.pageOf(circle.mara),
      await people.pageOf(circle.jonas),
      await people.pageOf(lena),
    ];
    await sees(editor.page);
    await sees(viewer.page);
    await people.openPeople(mara.page);
    await people.button(mara.page, 'Delete the record for all').click();
    const asked = people.dialog(mara.page);
    await asked.getByText('The record of Rosa is deleted for all members, at once and for ever.').waitFor();
    await people.fits(mara.page, 'circle-delete');
    await asked.getByRole('button', { name: 'Delete for all' }).click();
    await asked.getByText('Fill in this field.').waitFor();
    await asked.getByLabel('Password now').fill('not the password of Mara');
    await asked.getByRole('button', { name: 'Delete for all' }).click();
    await asked.locator('.note').waitFor();
    await asked.getByLabel('Password now').fill(SECRET);
    await asked.getByRole('button', { name: 'Delete for all' }).click();
    await people.title(mara.page, 'People and pets').waitFor();
    await seesNothing(mara.page);

    await people.loadAgain(viewer.page);
    await news(viewer.page)
      .getByText('A shared record was deleted by those who share the care.')
      .waitFor({ timeout: WAIT_MS });
    await seesNothing(viewer.page);
    await people.button(viewer.page, 'Remove from this device').click();
    await news(viewer.page).locator('.note').waitFor({ state: 'detached' });

    await people.loadAgain(editor.page);
    await news(editor.page)
      .getByText('The record of Rosa was deleted by those who share the care.')
      .waitFor({ timeout: WAIT_MS });
    await people.fits(editor.page, 'circle-deleted');
    await sees(editor.page);
    expect(await editor.page.getByRole('link', { name: 'Add a medicine' }).count()).toBe(0);
    await news(editor.page).getByRole('link', { name: 'Export first' }).waitFor();
    await people.button(editor.page, 'Remove from this device').click();
    await people.dialog(editor.page).getByText('It cannot come back.').waitFor();
    await people.dialog(editor.page).getByRole('button', { name: 'Remove from this device' }).click();
    await news(editor.page).locator('.note').waitFor({ state: 'detached' });
    await seesNothing(editor.page);
    expect(stage.complaints).toEqual([]);
  });

  it('erases the account of the only owner after another one was made an owner', async () => {
    const circle = await two('viewer');
    const [mara, jonas] = [await people.pageOf(circle.mara), await people.pageOf(circle.jonas)];
    await openErasure(mara.page);
    await people.fits(mara.page, 'circle-erase');
    await people.button(mara.page, 'Let Jonas share the care').click();
    await people.toasted(mara.page, 'Jonas shares the care of Rosa now.');
    await people.button(mara.page, 'Let Jonas share the care').waitFor({ state: 'detached' });
    await people.button(mara.page, 'Erase the account and all records').click();
    await mara.page.getByRole('link', { name: 'I have an account' }).waitFor();

    await people.loadAgain(jonas.page);
    await people.openPeople(jonas.page);
    await people.row(jonas.page, 'Jonas (you)').getByText('shares the care').waitFor({ timeout: WAIT_MS });
    await people.row(jonas.page, 'Mara').waitFor({ state: 'detached' });
    await jonas.page.getByText('It counts among the records of your account.').waitFor();
    await sees(jonas.page);
    expect(stage.complaints).toEqual([]);
  });

  it('erases the account of the only owner together with the record of all', async () => {
    const circle = await two('viewer');
    const [mara, jonas] = [await people.pageOf(circle.mara), await people.pageOf(circle.jonas)];
    await openErasure(mara.page);
    await people.button(mara.page, 'Erase these records for all, too').click();
    await mara.page.getByRole('link', { name: 'I have an account' }).waitFor();
    await people.loadAgain(jonas.page);
    await news(jonas.page)
      .getByText('A shared record was deleted by those who share the care.')
      .waitFor({ timeout: WAIT_MS });
    await seesNothing(jonas.page);
    expect(stage.complaints).toEqual([]);
  });

  it('gives the text of a change that came too late for the role', async () => {
    const circle = await two('editor');
    const jonas = await people.pageOf(circle.jonas);
    const { page, profile } = jonas;
    await profile.grantPermissions(['clipboard-read', 'clipboard-write']);
    // What the screens need is loaded before the network goes.
    await stage.open(page, '/app/visits', 'Visits');
    await stage.open(page, '/app/visits/add', 'New visit');
    const back = await offline(jonas);
    await page.getByLabel('What for', { exact: true }).fill('Eye doctor Canary');
    await page.getByLabel('Notes').fill('Bring the old glasses');
    await people.button(page, 'Save').click();
    await people.title(page, 'Visits').waitFor();
    const { members } = await circle.mara.spaces.get((await circle.mara.client.profiles.list())[0].id);
    const { accountId } = members.find(({ name }) => name === 'Jonas')!;
    await circle.mara.spaces.setRole(circle.id, accountId, 'viewer');
    await back();
    await people.loadAgain(page);
    const problem = page.locator('.note', { hasText: 'You may not do this in this shared record.' });
    await problem.waitFor({ timeout: WAIT_MS });
    await people.fits(page, 'circle-problem');
    await problem.getByRole('button', { name: 'Copy the text' }).click();
    await people.toasted(page, 'The text is copied.');
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(copied).toContain('Eye doctor Canary');
    expect(copied).toContain('Bring the old glasses');
    await problem.getByRole('button', { name: 'Drop my change' }).click();
    await problem.waitFor({ state: 'detached' });
    expect(stage.complaints).toEqual([]);
  });

  it('names the rule where the service shows a member whom nobody let in, and writes nothing', async () => {
    const circle = await two('editor');
    const mara = await people.pageOf(circle.mara);
    const { page } = mara;
    await sees(page);
    const sent: string[] = [];
    page.on('request', (request) => {
      const isWrite = request.method() !== 'GET' && request.headers()['health-space'] !== undefined;
      if (isWrite) sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
    });
    await page.route('**/api/space', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { members: { member_id: string }[] };
      const stranger = { ...body.members[0], member_id: 'ffffffff-ffff-4fff-8fff-ffffffffffff' };
      await route.fulfill({ response: answer, json: { ...body, members: [...body.members, stranger] } });
    });
    await people.openPeople(page);
    await page.getByText('The service names somebody whom nobody let in.').first().waitFor();
    await page.getByText('Nothing can be written for Rosa at present. What you see here stays.').waitFor();
    // The names cannot be read now: they are those of before.
    await people.row(page, 'Mara (you)').waitFor();
    await people.fits(page, 'circle-blocked');
    expect(await people.button(page, 'Invite somebody').count()).toBe(0);
    expect(await people.button(page, 'Make a new key').count()).toBe(0);
    await sees(page);
    await news(page).getByRole('link', { name: 'What to do' }).waitFor();
    await people.fits(page, 'circle-blocked-line');
    expect(await page.getByRole('link', { name: 'Add a medicine' }).count()).toBe(0);
    expect(sent).toEqual([]);

    // The service is honest again.
    await page.unroute('**/api/space');
    await people.openPeople(page);
    await people.button(page, 'Invite somebody').waitFor();
    expect(stage.complaints).toEqual([]);
  });

  it('says that the service shows an older list of members', async () => {
    const circle = await two('viewer');
    const { page } = await people.pageOf(circle.mara);
    let older: { body: Buffer } | undefined;
    await page.route('**/api/space', async (route) => {
      const answer = await route.fetch();
      older ??= { body: await answer.body() };
      await route.fulfill({ response: answer });
    });
    await people.openPeople(page);
    await people.row(page, 'Jonas').waitFor();
    await people.button(page, 'Details: Jonas').click();
    await people.button(page, 'Remove Jonas').click();
    await people.dialog(page).getByRole('button', { name: 'Remove Jonas' }).click();
    await people.row(page, 'Jonas').waitFor({ state: 'detached' });
    await page.unroute('**/api/space');
    await page.route('**/api/space', (route) =>
      route.fulfill({ contentType: 'application/json', body: older!.body }),
    );
    await people.openPeople(page);
    await page
      .getByText('The service shows an older list of members than was known.', { exact: false })
      .first()
      .waitFor();
    await people.button(page, 'Set right again').waitFor();
    await people.fits(page, 'circle-older');
    expect(stage.complaints).toEqual([]);
  });

  it('shows how far the records are sealed with a new key, until all are', async () => {
    const circle = await two('viewer');
    const [{ id: profileId }] = await circle.mara.client.profiles.list();
    for (let count = 0; count < 30; count++)
      await circle.mara.client.medications.create({
        profileId,
        route: 'oral',
        schedule: { timesPerDay: 1 },
        details: { name: `Medicine ${count}` },
      });
    const { page } = await people.pageOf(circle.mara);
    await sees(page, 'Medicine 29');
    const release = await hold(page, '**/api/reseal');
    await people.openPeople(page);
    await people.button(page, 'Details: Jonas').click();
    await people.button(page, 'Remove Jonas').click();
    await people.dialog(page).getByRole('button', { name: 'Remove Jonas' }).click();
    const left = page.getByText(/^Still to be sealed with the new key: \d+ records\./);
    await left.waitFor();
    await people.fits(page, 'circle-reseal');
    // The page is usable meanwhile.
    await sees(page, 'Medicine 29');
    await people.openPeople(page);
    await left.waitFor();
    release();
    await left.waitFor({ state: 'detached', timeout: WAIT_MS });
    // All of it opens on a device that has only the newest key.
    const { client } = await people.deviceOf(circle.mara);
    const names = (await client.medications.list({ profileId })).map(({ details }) => details.name);
    expect(names).toHaveLength(31);
    expect(stage.complaints).toEqual([]);
  });

  /** Takes the network away. @returns gives it back */
  async function offline({ profile, page }: Someone): Promise<() => Promise<void>> {
    await profile.setOffline(true);
    await page.waitForFunction('!navigator.onLine');
    return () => profile.setOffline(false);
  }
});
