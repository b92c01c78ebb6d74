import { describeInBrowser } from './page-stage';
import { PeopleStage, SECRET, WAIT_MS } from './people-stage';

/** Two parents, a carer and a child, each with an account: the record of a grandmother goes from hand to hand. */
describeInBrowser('shared profiles of the page', () => {
  const people = PeopleStage.forTests();

  it('shares by a link, and shows a dose with who gave it; a role falls, a member goes', async () => {
    const mara = await people.someone('Mara', 'Rosa');
    const jonas = await people.someone('Jonas');
    await people.begin(mara);
    await people.join(mara, jonas, /^may note/, true);

    // A carer notes a dose, and may change nothing else.
    const { page } = jonas;
    await people.stage.open(page, '/app/cabinet', 'Cabinet');
    await page.getByText('For Rosa you may note doses and readings.').waitFor();
    expect(await page.getByRole('link', { name: 'Add a medicine' }).count()).toBe(0);
    await people.fits(page, 'people-cabinet-carer');
    await people.stage.open(page, '/app/today', 'Today');
    await page.getByRole('button', { name: /^Taken: Amlodipine/ }).click();
    // It is for the afternoon.
    await people.takeNow(page);
    await people.toasted(page, /Amlodipine: taken\.$/);
    await people.stage.open(mara.page, '/app/today', 'Today');
    await people.lookAgain(mara.page);
    await mara.page
      .getByText(/Given by Jonas/)
      .first()
      .waitFor({ timeout: WAIT_MS });
    await people.fits(mara.page, 'people-given-by');

    // From now on Jonas may look.
    await people.openPeople(mara.page);
    await people.fits(mara.page, 'people-members');
    await people.button(mara.page, 'Details: Jonas').click();
    await people.button(mara.page, 'What may Jonas do?').click();
    await people
      .dialog(mara.page)
      .getByRole('radio', { name: /^may look/ })
      .check();
    await people.button(mara.page, 'Change what Jonas may do').click();
    await people.row(mara.page, 'Jonas').getByText('may look').waitFor();
    await people.loadAgain(page);
    await people.stage.open(page, '/app/today', 'Today');
    await page.getByText('You may look at Rosa’s record.').waitFor({ timeout: WAIT_MS });
    expect(await page.getByRole('button', { name: /^Taken: / }).count()).toBe(0);

    // What Rosa is to Jonas, he says for himself; and a change of the medicine has a name beside it.
    await people.stage.open(page, '/app/profiles', 'People and pets');
    await page.getByRole('link', { name: /Rosa/ }).first().click();
    const relation = page.getByLabel('Who is it to you');
    expect(await relation.inputValue()).toBe('');
    await relation.selectOption('parent');
    await people.toasted(page, 'Saved.');
    expect(await relation.inputValue()).toBe('parent');
    await people.fits(page, 'people-relation');
    await people.stage.open(mara.page, '/app/profiles', 'People and pets');
    await mara.page.getByRole('link', { name: /Rosa/ }).first().click();
    expect(await mara.page.getByLabel('Who is it to you').inputValue()).toBe('self');
    await people.sees(mara.page);
    await mara.page.getByRole('main').getByText('Amlodipine').first().click();
    await people.button(mara.page, 'Pause').click();
    await people.dialog(mara.page).getByRole('button', { name: 'Save' }).click();
    await mara.page.locator('.done-row', { hasText: 'Paused' }).getByText('you').waitFor();
    await people.fits(mara.page, 'people-changes');
    await people.openPeople(mara.page);

    // And now nothing more.
    await people.button(mara.page, 'Details: Jonas').click();
    await people.button(mara.page, 'Remove Jonas').click();
    await people
      .dialog(mara.page)
      .getByText('Jonas keeps what Jonas has seen; from now on nothing new.')
      .waitFor();
    await people.fits(mara.page, 'people-remove');
    await people.button(mara.page, 'Remove Jonas').click();
    await people.toasted(mara.page, /^Jonas is removed/);
    await people.row(mara.page, 'Jonas').waitFor({ state: 'detached' });
    await people.loadAgain(page);
    await page
      .getByText(/You have no access to/)
      .first()
      .waitFor({ timeout: WAIT_MS });
    await people.stage.open(page, '/app/cabinet', 'Cabinet');
    await page.getByRole('main').getByText('Amlodipine').waitFor({ state: 'detached' });
    await people.stage.open(mara.page, '/app/cabinet', 'Cabinet');
    await mara.page.getByText('Amlodipine').first().waitFor();
    expect(people.stage.complaints).toEqual([]);
  });

  it('hands over to a child, whose account then keeps the record', async () => {
    const mara = await people.someone('Mara', 'Rosa');
    const emil = await people.someone('Emil');
    await people.begin(mara);
    await people.join(mara, emil, /^may change/, true);
    await people.button(mara.page, 'Hand over').click();
    await people.dialog(mara.page).getByRole('radio', { name: 'leave' }).check();
    await people.fits(mara.page, 'people-hand-over');
    await people.button(mara.page, 'Hand over to Emil').click();
    await people.toasted(mara.page, 'Handed over to Emil.');
    await mara.page.getByText('Rosa').first().waitFor({ state: 'detached' });

    await people.loadAgain(emil.page);
    await people.openPeople(emil.page);
    await people.row(emil.page, 'Emil (you)').getByText('shares the care').waitFor();
    await people.row(emil.page, 'Mara').waitFor({ state: 'detached' });
    await emil.page.getByText('It counts among the records of your account.').waitFor();
    await people.stage.open(emil.page, '/app/cabinet', 'Cabinet');
    await emil.page.getByText('Amlodipine').first().waitFor();
    expect(people.stage.complaints).toEqual([]);
  });

  it('keeps an invitation through a sign-in, and says when it was used already', async () => {
    const mara = await people.someone('Mara', 'Rosa');
    const lena = await people.someone('Lena');
    await people.begin(mara);
    const link = await people.invite(mara.page, /^may look/, true);
    const digits = await people.accept(lena, link);
    const profile = await people.browserOf('Kim');
    const page = await profile.newPage();
    people.stage.listen(page);
    await page.goto(link);
    await page.getByText('The invitation stays here while you sign up or sign in.').waitFor();
    expect(page.url()).not.toContain('#');
    await people.fits(page, 'people-join-out');
    const { email } = await people.account('Kim');
    await page.getByRole('link', { name: 'I have an account' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(SECRET);
    await people.button(page, 'Sign in').click();
    await people.sections(page).waitFor();
    await people.title(page, 'Invitation').waitFor();
    await page.getByText('Mara invites you').waitFor();
    await page.getByLabel('Your name').fill('Kim');
    await people.button(page, 'Accept').click();
    await page.locator('.note').getByText('Somebody else has accepted this invitation already.').waitFor();
    await people.letIn(mara.page, 'Lena', digits);
    await people.arrive(lena.page);
    await page.reload();
    await page.locator('.note').getByText('This invitation does not work').waitFor();
    expect(people.stage.complaints).toEqual([]);
  });

  it('shows one entry to an account that shares nothing, and asks at most once', async () => {
    const mara = await people.someone('Mara', 'Rosa');
    const asked: string[] = [];
    mara.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await people.stage.open(mara.page, '/app/profiles', 'People and pets');
    await mara.page.getByRole('link', { name: /Rosa/ }).first().click();
    await mara.page.getByRole('link', { name: 'Share this record …' }).waitFor();
    expect(await mara.page.getByText('shared', { exact: true }).count()).toBe(0);
    // Once after the unlock, the client asks whether there is one.
    const ofSpaces = asked.filter((path) => path.startsWith('/api/space') || path.includes('invitations'));
    expect([[], ['/api/spaces']]).toContainEqual(ofSpaces);
    expect(people.stage.complaints).toEqual([]);
  });
});
