import type { Page } from 'playwright-core';
import { describeInBrowser, hold, type PageStage, STAGE_TIMEOUT_MS } from './page-stage';
import { PeopleStage, SECRET, WAIT_MS } from './people-stage';

jest.setTimeout(4 * STAGE_TIMEOUT_MS);

/** The record of a girl, from her parents and a sitter to herself. */
describeInBrowser('a record that grows up in the page', () => {
  let people: PeopleStage;
  let stage: PageStage;

  beforeAll(async () => {
    people = await PeopleStage.start();
    ({ stage } = people);
  }, STAGE_TIMEOUT_MS);
  afterAll(() => people?.stop());
  afterEach(() => people.close());

  const codeOf = async (page: Page) => {
    await page.getByRole('heading', { name: 'Do all see the same members?' }).waitFor();
    return people.digitsOf(page);
  };

  it('goes through the hands of both parents and a sitter, and to the child; one parent is erased', async () => {
    const circle = await people.rosaWith(['Paul', 'owner'], ['Jonas', 'carer']);
    const mara = await people.pageOf(circle.mara);
    const paul = await people.pageOf(circle.others[0]);
    const jonas = await people.pageOf(circle.others[1]);

    // The sitter gives a dose. Both parents see who it was.
    await stage.open(jonas.page, '/app/today', 'Today');
    await jonas.page.getByRole('button', { name: /^Taken: Amlodipine/ }).click();
    await people.takeNow(jonas.page);
    await people.toasted(jonas.page, /Amlodipine: taken\.$/);
    for (const { page } of [mara, paul]) {
      await stage.open(page, '/app/today', 'Today');
      await people.lookAgain(page);
      await page
        .getByText(/Given by Jonas/)
        .first()
        .waitFor({ timeout: WAIT_MS });
    }

    // Both parents change the sitter at once. The slower one is told, and sees what came of it.
    await people.openPeople(mara.page);
    await people.openPeople(paul.page);
    expect(await codeOf(mara.page)).toBe(await codeOf(paul.page));
    await people.button(mara.page, 'Details: Jonas').click();
    await people.button(mara.page, 'What may Jonas do?').click();
    await people
      .dialog(mara.page)
      .getByRole('radio', { name: /^may change/ })
      .check();
    const release = await hold(mara.page, '**/api/space/roles');
    const asked = mara.page.waitForRequest('**/api/space/roles');
    await people.button(mara.page, 'Change what Jonas may do').click();
    await asked;
    await people.button(paul.page, 'Details: Jonas').click();
    await people.button(paul.page, 'Remove Jonas').click();
    await people.dialog(paul.page).getByRole('button', { name: 'Remove Jonas' }).click();
    await people.row(paul.page, 'Jonas').waitFor({ state: 'detached' });
    release();
    await people
      .dialog(mara.page)
      .getByText('Somebody else has just changed the members, and this makes no sense any more.')
      .waitFor();
    await people.fits(mara.page, 'family-slower');
    await people.dialog(mara.page).getByRole('button', { name: 'Cancel' }).click();
    await people.loadAgain(mara.page);
    await people.openPeople(mara.page);
    await people.row(mara.page, 'Jonas').waitFor({ state: 'detached' });
    await paul.page.getByText(/^Still to be sealed/).waitFor({ state: 'detached', timeout: WAIT_MS });
    expect(await codeOf(mara.page)).toBe(await codeOf(paul.page));
    await people.loadAgain(jonas.page);
    await jonas.page
      .getByText(/You have no access to/)
      .first()
      .waitFor({ timeout: WAIT_MS });
    await stage.open(jonas.page, '/app/cabinet', 'Cabinet');
    await jonas.page.getByRole('main').getByText('Amlodipine').waitFor({ state: 'detached' });

    // She is sixteen. Her mother lets her in, hands over and may still look.
    const child = await people.account('Rosa');
    const rosa = await people.pageOf(await people.letInto(circle, child, 'editor'));
    await people.loadAgain(mara.page);
    await people.openPeople(mara.page);
    await people.row(mara.page, 'Rosa').waitFor();
    await people.button(mara.page, 'Hand over').click();
    const handOver = people.dialog(mara.page);
    await handOver.getByRole('radio', { name: 'Rosa' }).check();
    await handOver.getByRole('radio', { name: 'may look' }).check();
    await handOver.getByText('Others who share the care stay. They hand over by themselves.').waitFor();
    await people.fits(mara.page, 'family-hand-over');
    await people.button(mara.page, 'Hand over to Rosa').click();
    await people.toasted(mara.page, 'Handed over to Rosa.');
    await people.row(mara.page, 'Mara (you)').getByText('may look').waitFor();
    await stage.open(mara.page, '/app/cabinet', 'Cabinet');
    await mara.page.getByText('You may look at Rosa’s record.').waitFor();

    // Her father erases his account. Nothing of hers goes with it.
    await stage.open(paul.page, '/app/security', 'Security');
    await paul.page.getByText('Erase everything', { exact: true }).click();
    await paul.page.locator('details[open]').getByLabel('Password now').fill(SECRET);
    await people.button(paul.page, 'Erase the account and all records').click();
    await paul.page.getByRole('link', { name: 'I have an account' }).waitFor();

    await people.loadAgain(rosa.page);
    await people.openPeople(rosa.page);
    await people.row(rosa.page, 'Paul').waitFor({ state: 'detached', timeout: WAIT_MS });
    await people.row(rosa.page, 'Rosa (you)').getByText('shares the care').waitFor();
    await people.row(rosa.page, 'Mara').getByText('may look').waitFor();
    await rosa.page.getByText('It counts among the records of your account.').waitFor();
    await rosa.page
      .getByText('Somebody has left and still knows the key.')
      .waitFor({ state: 'detached', timeout: WAIT_MS });
    await rosa.page.getByText(/^Still to be sealed/).waitFor({ state: 'detached', timeout: WAIT_MS });
    await people.loadAgain(mara.page);
    await people.openPeople(mara.page);
    await people.row(mara.page, 'Paul').waitFor({ state: 'detached' });
    expect(await codeOf(mara.page)).toBe(await codeOf(rosa.page));
    for (const { page } of [rosa, mara]) {
      await stage.open(page, '/app/today', 'Today');
      await page.getByText('Amlodipine').first().waitFor();
      await page
        .getByText(/Given by /)
        .first()
        .waitFor();
    }
    expect(stage.complaints).toEqual([]);
  });
});
