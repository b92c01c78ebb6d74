import type { Page } from 'playwright-core';
import { describeInBrowser } from './page-stage';
import { PeopleStage, SECRET, WAIT_MS } from './people-stage';

/** Of the page, in functions that run there. */
declare const document: any;

/** What a link leads to: one that is none, one that came before the account, another device, a keyboard. */
describeInBrowser('invitations of the page', () => {
  const people = PeopleStage.forTests();

  const joinPath = (fragment: string) => `${people.stage.url}/app/join#${fragment}`;

  it('says what is wrong with a link, and forgets it', async () => {
    const {
      id: spaceId,
      mara: { spaces },
    } = await people.rosaWith();
    const { page } = await people.someone('Kim');
    const withdrawn = await spaces.invite(spaceId, 'viewer');
    const { fragment } = await spaces.invite(spaceId, 'viewer');
    await spaces.withdraw(spaceId, withdrawn.id);
    const altered = fragment.slice(0, -4) + (fragment.endsWith('AAAA') ? 'BBBB' : 'AAAA');
    for (const [screen, link, sentence] of [
      ['join-broken', fragment.slice(0, -20), 'This link is not complete.'],
      ['join-broken', 'no invitation', 'This link is not complete.'],
      ['join-gone', withdrawn.fragment, 'This invitation does not work: it was used already'],
      ['join-gone', altered, 'This invitation does not work: it was used already'],
    ]) {
      await page.goto(joinPath(link));
      await page.locator('.note').getByText(sentence).waitFor();
      expect(page.url()).not.toContain('#');
      expect(await people.button(page, 'Accept').count()).toBe(0);
      await people.fits(page, screen);
      await people.button(page, 'Close').click();
      await page.getByText('Open the link of the invitation once more, on this device.').first().waitFor();
      await people.fits(page, 'join-nothing');
      await page.reload();
      await page.getByText('There is no invitation here').waitFor();
    }
    expect(people.stage.complaints).toEqual([]);
  });

  it('opens no invitation that is past its end, although a service still offers it', async () => {
    const { id, mara } = await people.rosaWith();
    const { fragment, expiresAt } = await mara.spaces.invite(id, 'viewer');
    const { page } = await people.someone('Kim');
    await page.clock.setFixedTime(Date.parse(expiresAt) + 60_000);
    await page.goto(joinPath(fragment));
    await page.locator('.note').getByText('This invitation does not work: it was used already').waitFor();
    expect(await page.getByRole('link', { name: 'Unlock to accept' }).count()).toBe(0);
    // A minute before, it is good still.
    await page.clock.setFixedTime(Date.parse(expiresAt) - 60_000);
    await page.goto('about:blank');
    await page.goto(joinPath(fragment));
    await page.getByText('Mara invites you').waitFor();
    expect(people.stage.complaints).toEqual([]);
  });

  it('keeps an invitation through a sign-up, and lets decline', async () => {
    const {
      id: spaceId,
      mara: { spaces },
    } = await people.rosaWith();
    const { id, fragment } = await spaces.invite(spaceId, 'editor');
    const page = await (await people.browserOf('Kim')).newPage();
    people.stage.listen(page);
    await page.goto(joinPath(fragment));
    await page.getByRole('link', { name: 'Create an account' }).click();
    await page.getByLabel('Email').fill('kim.new@example.org');
    await page.getByLabel('Password', { exact: true }).fill(SECRET);
    await page.getByLabel('Password again').fill(SECRET);
    await people.button(page, 'Continue').click();
    await page.getByRole('heading', { name: 'Your twelve words' }).waitFor();
    const words = await page.locator('.words li span:last-child').allTextContents();
    await people.button(page, 'I have printed or written them down').click();
    await page.getByRole('heading', { name: 'Enter three of them' }).waitFor();
    for (const label of await page.locator('form label').allTextContents())
      await page
        .getByLabel(label.trim(), { exact: true })
        .fill(words[Number(/\d+/.exec(label)![0]) - 1].trim());
    await people.button(page, 'Create the account').click();
    await people.title(page, 'Invitation').waitFor();
    await page.getByText('You see and change everything in this record.').waitFor();
    await page.getByLabel('Your name').fill('Kim');
    await people.button(page, 'Accept').click();
    await page.getByText('The device of Mara confirms').waitFor();
    await spaces.confirm(spaceId, id, false);
    await people.arrive(page);

    // A second one is declined: it is forgotten, and can still be opened.
    const second = await spaces.invite(spaceId, 'editor');
    const lena = await people.someone('Lena');
    await lena.page.goto(joinPath(second.fragment));
    await lena.page.getByRole('link', { name: 'Unlock to accept' }).click();
    await lena.page.getByLabel('Password', { exact: true }).fill(SECRET);
    await people.button(lena.page, 'Unlock').click();
    await people.button(lena.page, 'Do not accept').click();
    await people.title(lena.page, 'Today').waitFor();
    expect(await lena.page.evaluate('sessionStorage.length')).toBe(0);
    const [{ acceptance }] = await spaces.invitations(spaceId);
    expect(acceptance).toBeNull();
    expect(people.stage.complaints).toEqual([]);
  });

  it('says on a second device that the invitation waits, without numbers, until the record is there', async () => {
    const {
      id: spaceId,
      mara: { spaces },
    } = await people.rosaWith();
    const { id, fragment } = await spaces.invite(spaceId, 'viewer');
    const lena = await people.account('Lena');
    const { digits } = await lena.spaces.accept(await lena.spaces.openInvitation(fragment), 'Lena');
    const { page } = await people.pageOf(lena);
    await people.stage.open(page, '/app/join', 'Invitation');
    await page.getByText('Waiting for the device of the person who invited you').waitFor();
    await page.getByText('The numbers to compare are on the device on which you accepted.').waitFor();
    expect(await page.locator('.digits').count()).toBe(0);
    expect(await page.locator('body').innerText()).not.toContain(digits.slice(0, 5));
    await people.fits(page, 'join-elsewhere');

    // The line above the other screens leads back here.
    await people.stage.open(page, '/app/today', 'Today');
    const line = page.locator('.space-news').getByText('You have accepted an invitation.');
    await line.waitFor({ timeout: WAIT_MS });
    await people.fits(page, 'join-news');
    await page.locator('.space-news').getByRole('link', { name: 'Look' }).click();
    await people.title(page, 'Invitation').waitFor();
    await line.waitFor({ state: 'detached' });
    await spaces.confirm(spaceId, id, false);
    await people.arrive(page);
    expect(people.stage.complaints).toEqual([]);
  });

  it('says so where the inviter does not let in', async () => {
    const {
      id: spaceId,
      mara: { spaces },
    } = await people.rosaWith();
    const { id, fragment } = await spaces.invite(spaceId, 'viewer');
    const lena = await people.someone('Lena');
    await people.accept(lena, joinPath(fragment));
    await spaces.withdraw(spaceId, id);
    await lena.page
      .getByRole('main')
      .getByText('You have no access to a shared record any more, or you were not let in.')
      .first()
      .waitFor({ timeout: WAIT_MS });
    await people.fits(lena.page, 'join-not-in');
    await people.button(lena.page, 'Remove from this device').first().click();
    await lena.page.locator('.space-news .note').waitFor({ state: 'detached' });
    expect(people.stage.complaints).toEqual([]);
  });

  it('invites and joins by the keyboard alone', async () => {
    const owner = await people.pageOf((await people.rosaWith()).mara);
    const lena = await people.someone('Lena');
    await people.openPeople(owner.page);
    await reach(owner.page, 'Invite somebody');
    await owner.page.keyboard.press('Enter');
    await people.dialog(owner.page).waitFor();
    await reach(owner.page, /^may look/);
    await owner.page.keyboard.press('Space');
    await owner.page.keyboard.press('ArrowDown');
    await reach(owner.page, 'Make the invitation');
    await owner.page.keyboard.press('Enter');
    await reach(owner.page, 'Send a link instead');
    await owner.page.keyboard.press('Enter');
    await owner.page.waitForFunction(() => document.activeElement?.value?.includes('/app/join#'));
    const link: string = await owner.page.evaluate(() => document.activeElement.value as string);
    await owner.page.keyboard.press('Escape');
    await people.dialog(owner.page).waitFor({ state: 'detached' });
    await owner.page.waitForFunction(() => document.activeElement?.textContent === 'Invite somebody');

    const { page } = lena;
    await page.goto(link);
    await page.getByText('Mara invites you').waitFor();
    await reach(page, 'Unlock to accept');
    await page.keyboard.press('Enter');
    await reach(page, 'Password');
    await page.keyboard.type(SECRET);
    await page.keyboard.press('Enter');
    await page.getByText('Mara invites you').waitFor();
    await reach(page, 'Your name');
    await page.keyboard.type('Lena');
    await page.keyboard.press('Enter');
    await page.getByText('The device of Mara confirms').waitFor();

    await owner.page.getByText(/^Lena accepted at/).waitFor({ timeout: WAIT_MS });
    await reach(owner.page, 'Let Lena in');
    await owner.page.keyboard.press('Enter');
    await people.row(owner.page, 'Lena').getByText('may note doses and readings').waitFor();
    await page.getByText('You are in.').waitFor({ timeout: WAIT_MS });
    await reach(page, 'Today', 'main');
    await page.keyboard.press('Enter');
    await page.getByText('Amlodipine').first().waitFor();
    expect(people.stage.complaints).toEqual([]);
  });

  /** Presses Tab until the focus is on what has this name. It must be in sight then. */
  async function reach(page: Page, name: string | RegExp, within = 'body'): Promise<void> {
    const place = page.locator(within);
    const target = place
      .getByRole('button', { name, exact: true })
      .or(place.getByRole('link', { name, exact: true }))
      .or(place.getByRole('radio', { name }))
      .or(place.getByLabel(name, { exact: true }))
      .first();
    await target.waitFor();
    for (let presses = 0; presses < 60; presses++) {
      const isThere = await target.evaluate((element) => element === document.activeElement);
      if (isThere) {
        expect(await target.evaluate((element: any) => element.matches(':focus-visible'))).toBe(true);
        return;
      }
      await page.keyboard.press('Tab');
    }
    throw new Error(`The keyboard does not reach ${String(name)}`);
  }
});
