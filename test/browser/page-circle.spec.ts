import type { Page } from 'playwright-core';
import { until } from '../support/until';
import { describeInBrowser, hold } from './page-stage';
import { PeopleStage, SECRET, type Someone, WAIT_MS } from './people-stage';

/** The ways out of a shared record, and what a page says where something is not as it should be. */
describeInBrowser('the end of a shared profile in the page', () => {
  const people = PeopleStage.forTests();

  const news = (page: Page) => page.locator('.space-news');

  async function openErasure(page: Page): Promise<void> {
    await people.stage.open(page, '/app/security', 'Security');
    await page.getByText('Erase everything', { exact: true }).click();
    await page.locator('details[open]').getByLabel('Password now').fill(SECRET);
    await people.button(page, 'Erase the account and all records').click();
    await page.getByText('Only you share the care of these records, and others see them:').waitFor();
  }

  it('lets leave, and the others go on with a new key', async () => {
    const circle = await people.rosaWith(['Jonas', 'editor']);
    const [mara, jonas] = [await people.pageOf(circle.mara), await people.pageOf(circle.others[0])];
    await people.openPeople(jonas.page);
    await people.fits(jonas.page, 'circle-editor');
    await people.button(jonas.page, 'Leave this record').click();
    await people.dialog(jonas.page).getByText('You see nothing more of Rosa').waitFor();
    await people.fits(jonas.page, 'circle-leave');
    await people.dialog(jonas.page).getByRole('button', { name: 'Leave this record' }).click();
    await people.toasted(jonas.page, 'You have left the record.');
    await people.title(jonas.page, 'People and pets').waitFor();
    await people.seesNothing(jonas.page);
    expect(await news(jonas.page).count()).toBe(0);

    await people.loadAgain(mara.page);
    await people.openPeople(mara.page);
    await people.row(mara.page, 'Mara (you)').waitFor();
    await people.row(mara.page, 'Jonas').waitFor({ state: 'detached' });
    // The page makes the key by itself, and the other device of Mara reads with it.
    const { profileId } = circle;
    const { client, spaces } = circle.mara;
    await until('a new key', async () => !(await spaces.get(profileId)).isKeyDue);
    await mara.page
      .getByText('Somebody has left and still knows the key.')
      .waitFor({ state: 'detached', timeout: WAIT_MS });
    expect(await client.medications.list({ profileId })).toHaveLength(1);
    await people.sees(mara.page);
    expect(people.stage.complaints).toEqual([]);
  });

  it('deletes for all, and a device of another says so and keeps what may be exported', async () => {
    const circle = await people.rosaWith(['Jonas', 'editor'], ['Lena', 'viewer']);
    const [mara, editor, viewer] = [
      await people.pageOf(circle.mara),
      await people.pageOf(circle.others[0]),
      await people.pageOf(circle.others[1]),
    ];
    await people.sees(editor.page);
    await people.sees(viewer.page);
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
    await people.seesNothing(mara.page);

    await people.loadAgain(viewer.page);
    await news(viewer.page)
      .getByText('The record of Rosa was deleted by those who share the care.')
      .waitFor({ timeout: WAIT_MS });
    await people.seesNothing(viewer.page);
    await people.button(viewer.page, 'Remove from this device').click();
    await news(viewer.page).locator('.note').waitFor({ state: 'detached' });

    await people.loadAgain(editor.page);
    await news(editor.page)
      .getByText('The record of Rosa was deleted by those who share the care.')
      .waitFor({ timeout: WAIT_MS });
    await people.fits(editor.page, 'circle-deleted');
    await people.sees(editor.page);
    expect(await editor.page.getByRole('link', { name: 'Add a medicine' }).count()).toBe(0);
    await news(editor.page).getByRole('link', { name: 'Export first' }).waitFor();
    await people.button(editor.page, 'Remove from this device').click();
    await people.dialog(editor.page).getByText('It cannot come back.').waitFor();
    await people.dialog(editor.page).getByRole('button', { name: 'Remove from this device' }).click();
    await news(editor.page).locator('.note').waitFor({ state: 'detached' });
    await people.seesNothing(editor.page);
    expect(people.stage.complaints).toEqual([]);
  });

  it('erases the account of the only owner after another one was made an owner', async () => {
    const circle = await people.rosaWith(['Jonas', 'viewer']);
    const [mara, jonas] = [await people.pageOf(circle.mara), await people.pageOf(circle.others[0])];
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
    await people.sees(jonas.page);
    expect(people.stage.complaints).toEqual([]);
  });

  it('erases the account of the only owner together with the record of all', async () => {
    const circle = await people.rosaWith(['Jonas', 'viewer']);
    const [mara, jonas] = [await people.pageOf(circle.mara), await people.pageOf(circle.others[0])];
    await openErasure(mara.page);
    await people.button(mara.page, 'Erase these records for all, too').click();
    await mara.page.getByRole('link', { name: 'I have an account' }).waitFor();
    await people.loadAgain(jonas.page);
    await news(jonas.page)
      .getByText('The record of Rosa was deleted by those who share the care.')
      .waitFor({ timeout: WAIT_MS });
    await people.seesNothing(jonas.page);
    expect(people.stage.complaints).toEqual([]);
  });

  it('gives the text of a change that came too late for the role', async () => {
    const circle = await people.rosaWith(['Jonas', 'editor']);
    const jonas = await people.pageOf(circle.others[0]);
    const { page, profile } = jonas;
    await profile.grantPermissions(['clipboard-read', 'clipboard-write']);
    // What the screens need is loaded before the network goes.
    await people.stage.open(page, '/app/visits', 'Visits');
    await people.stage.open(page, '/app/visits/add', 'New visit');
    const back = await offline(jonas);
    await page.getByLabel('What for', { exact: true }).fill('Eye doctor Canary');
    await page.getByLabel('Notes').fill('Bring the old glasses');
    await people.button(page, 'Save').click();
    await people.title(page, 'Visits').waitFor();
    await circle.mara.spaces.setRole(circle.id, circle.others[0].id, 'viewer');
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
    expect(people.stage.complaints).toEqual([]);
  });

  it('shows how far the records are sealed with a new key, until all are', async () => {
    const circle = await people.rosaWith(['Jonas', 'viewer']);
    const { profileId } = circle;
    for (let count = 0; count < 30; count++)
      await circle.mara.client.medications.create({
        profileId,
        route: 'oral',
        schedule: { timesPerDay: 1 },
        details: { name: `Medicine ${count}` },
      });
    await circle.mara.client.sync.now();
    const { page } = await people.pageOf(circle.mara);
    await people.sees(page, 'Medicine 29');
    const release = await hold(page, '**/api/reseal');
    await people.openPeople(page);
    await people.button(page, 'Details: Jonas').click();
    await people.button(page, 'Remove Jonas').click();
    await people.dialog(page).getByRole('button', { name: 'Remove Jonas' }).click();
    const left = page.getByText(/^Still to be sealed with the new key: \d+ records\./);
    await left.waitFor();
    await people.fits(page, 'circle-reseal');
    // The page is usable meanwhile.
    await people.sees(page, 'Medicine 29');
    await people.openPeople(page);
    await left.waitFor();
    release();
    await left.waitFor({ state: 'detached', timeout: WAIT_MS });
    // All of it opens on a device that has only the newest key.
    const { client } = await people.deviceOf(circle.mara);
    const names = (await client.medications.list({ profileId })).map(({ details }) => details.name);
    expect(names).toHaveLength(31);
    expect(people.stage.complaints).toEqual([]);
  });

  /** Takes the network away. @returns gives it back */
  async function offline({ profile, page }: Someone): Promise<() => Promise<void>> {
    await profile.setOffline(true);
    await page.waitForFunction('!navigator.onLine');
    return () => profile.setOffline(false);
  }
});
