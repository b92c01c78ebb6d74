import { generateRecoveryPhrase } from '@app/client';
import type { Page } from 'playwright-core';
import { changing } from '../client/hostile/space-lies';
import { backupOf } from '../support/space-backup';
import { until } from '../support/until';
import { BLOCKED_ROWS, garbage, OLDER, WRONG_KEY } from './blocked-rows';
import { lieTo, writesInSpaces } from './lying-page';
import { describeInBrowser } from './page-stage';
import { type Account, type Circle, PeopleStage, SECRET } from './people-stage';

/** The rows of the table of what happens to a shared profile that end in a block. */
describeInBrowser('a shared profile of which the service says what is not believed', () => {
  const people = PeopleStage.forTests();

  /** Nothing can be done in the record but what the sentence names, and what is here stays. */
  async function expectBlocked(
    page: Page,
    says: string,
    advises: string,
    buttons: string[],
    screen?: string,
  ) {
    const note = page.getByRole('main').locator('.note', { hasText: says });
    await note.getByText('Nothing can be written for Rosa at present. What you see here stays.').waitFor();
    await note.getByText(advises).waitFor();
    const offered = ['Set right again', 'Make a new key', 'Compare numbers', 'Try again'];
    for (const name of offered)
      expect([name, await note.getByRole('button', { name, exact: true }).count()]).toEqual([
        name,
        buttons.includes(name) ? 1 : 0,
      ]);
    for (const name of ['Invite somebody', 'Hand over'])
      expect([name, await people.button(page, name).count()]).toEqual([name, 0]);
    if (screen) await people.fits(page, screen);
    await people.sees(page);
    expect(await page.getByRole('link', { name: 'Add a medicine' }).count()).toBe(0);
    await page.locator('.space-news').getByText(says).waitFor();
    if (screen) await people.fits(page, `${screen}-line`);
  }

  async function expectFree(page: Page): Promise<void> {
    await people.openPeople(page);
    await page.getByRole('main').getByText('at present').waitFor({ state: 'detached' });
    await people.sees(page);
    await page.getByRole('link', { name: 'Add a medicine' }).waitFor();
    await page.locator('.space-news .note').waitFor({ state: 'detached' });
  }

  it.each(BLOCKED_ROWS)('$what ($who): it says so, and writes nothing', async (row) => {
    const circle = await people.rosaWith(['Jonas', 'editor'], ['Lena', 'viewer']);
    const account = row.who === 'Mara' ? circle.mara : circle.others[0];
    const { page } = await people.pageOf(account);
    await people.openPeople(page);
    await people.row(page, 'Lena').waitFor();
    const older = row.says === OLDER ? await row.lie(circle, account.id) : undefined;
    await row.meanwhile?.(circle);
    // What was shown before the lie is what the page knows.
    if (older) {
      await people.openPeople(page);
      await until(
        'the newer list',
        async () => (await account.spaces.get(circle.profileId)).blocked === null,
      );
    }
    const sent = writesInSpaces(page);
    const honest = await lieTo(page, older ?? (await row.lie(circle, account.id)));
    await people.openPeople(page);
    const buttons = [...(row.button ? [row.button] : []), 'Try again'];
    await expectBlocked(page, row.says, row.advises, buttons, row.screen);
    expect(sent).toEqual([]);
    await honest();
    await expectFree(page);
    expect(people.stage.complaints).toEqual([]);
  });

  it('a wrong key from another owner: this one makes a key that opens, with what it has', async () => {
    const circle = await people.rosaWith(['Paul', 'owner'], ['Jonas', 'editor']);
    const { page } = await people.pageOf(circle.mara);
    await people.sees(page);
    await circle.others[0].spaces.newKey(circle.id);
    const sent = writesInSpaces(page);
    const wrong = (body: any) => ({ ...body, wrap: { ...body.wrap, wrap: garbage(1232) } });
    const honest = await lieTo(page, changing('/api/space', wrong));
    await people.openPeople(page);
    const advice = 'Make a new key. What this device has is then sealed with it.';
    await expectBlocked(page, WRONG_KEY, advice, ['Make a new key', 'Try again'], 'blocked-wrong-key');
    expect(sent).toEqual([]);
    await people.openPeople(page);
    await people.button(page, 'Make a new key').click();
    await people.toasted(page, 'There is a new key.');
    await honest();
    await expectFree(page);
    const { client } = await people.deviceOf(circle.others[1]);
    // Until Mara's device has sealed the medicine with it, no key that Jonas has opens it.
    await until('the medicine opens with the new key', async () => {
      const found = await client.medications.list({ profileId: circle.profileId }).catch(() => []);
      return found.length === 1;
    });
    expect(people.stage.complaints).toEqual([]);
  });

  it('a service that was restored to before a removal: an owner sets it right, and the removed one is out again', async () => {
    const circle = await people.rosaWith(['Jonas', 'editor'], ['Lena', 'viewer']);
    const { id, mara, others } = circle;
    const { page } = await people.pageOf(mara);
    const restore = await backupOf(people.stage.service.databaseUrl, id, [mara.id, others[0].id]);
    await people.openPeople(page);
    await people.button(page, 'Details: Lena').click();
    await people.button(page, 'Remove Lena').click();
    await people.dialog(page).getByRole('button', { name: 'Remove Lena' }).click();
    await people.row(page, 'Lena').waitFor({ state: 'detached' });
    await page.getByText(/^Still to be sealed/).waitFor({ state: 'detached' });
    await restore();

    const advice =
      'First one who shares the care gives the service what it has lost, then each of the others.';
    const sent = writesInSpaces(page);
    await people.openPeople(page);
    await expectBlocked(page, OLDER, advice, ['Set right again', 'Try again']);
    expect(sent).toEqual([]);
    await people.openPeople(page);
    await people.button(page, 'Set right again').click();
    await people.toasted(page, 'The service has the newest list again.');
    await people.row(page, 'Jonas').waitFor();
    await people.row(page, 'Lena').waitFor({ state: 'detached' });
    await people.fits(page, 'blocked-set-right');
    await expectFree(page);
    expect(await others[1].spaces.list()).toMatchObject([{ id, state: 'removed' }]);
    // A device that knows only the newest key opens all of it.
    const { client } = await people.deviceOf(mara);
    expect(await client.medications.list({ profileId: circle.profileId })).toHaveLength(1);
    expect(people.stage.complaints).toEqual([]);
  });

  /** A second parent, whose phone was stolen: all keys are replaced, and the new ones have signed a list of members. */
  async function newKeysOf(circle: Circle): Promise<Account> {
    const [paul] = circle.others;
    const digits = await paul.spaces.digitsWith(circle.id, circle.mara.id);
    await paul.client.rotateKeys({
      currentPassword: SECRET,
      newPassword: 'another long password of the family',
      recoveryPhrase: await generateRecoveryPhrase(),
      wasStolen: true,
    });
    await paul.client.sync.now();
    await until(
      'the new keys',
      async () => (await paul.spaces.digitsWith(circle.id, circle.mara.id).catch(() => digits)) !== digits,
    );
    await paul.spaces.setRole(circle.id, circle.others[1].id, 'carer');
    return paul;
  }

  it('new keys of a member: nothing is taken from them until the persons say that the numbers agree', async () => {
    const circle = await people.rosaWith(['Paul', 'owner'], ['Jonas', 'editor']);
    const { page } = await people.pageOf(circle.mara);
    await people.openPeople(page);
    await people.row(page, 'Jonas').getByText('may change').waitFor();
    const paul = await newKeysOf(circle);
    const sent = writesInSpaces(page);
    await people.openPeople(page);
    const says = 'Paul has new keys. Compare the numbers to go on.';
    await expectBlocked(page, says, says, ['Compare numbers', 'Try again'], 'blocked-new-keys');
    await people.openPeople(page);
    const ask = () => page.locator('main .note').getByRole('button', { name: 'Compare numbers' }).click();
    await ask();
    const dialog = people.dialog(page);
    await dialog.locator('.digits').waitFor();
    const shown = (await dialog.locator('.digits').innerText()).replace(/\s+/g, '');
    const digits = await paul.spaces.digitsWith(circle.id, circle.mara.id);
    expect(shown).toBe(digits.replace(/\s+/g, ''));

    // The thief of the phone would show others.
    await people.button(page, 'They differ').click();
    await dialog.getByText('Then somebody may stand between you. Nothing was changed.').waitFor();
    await people.fits(page, 'blocked-differ');
    expect(await people.button(page, 'They agree').count()).toBe(0);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('main').getByText(says).waitFor();
    expect(sent).toEqual([]);

    await ask();
    await people.button(page, 'They agree').click();
    await people.toasted(page, 'Noted: these are the keys of Paul.');
    await people.row(page, 'Jonas').getByText('may note doses and readings').waitFor();
    await expectFree(page);
    expect(people.stage.complaints).toEqual([]);
  });
});
