import { inRows } from '../client/hostile/lies';
import type { Lie } from '../client/hostile/lying-fetch';
import { json } from '../client/hostile/lying-fetch';
import { changingOthers, recorded } from '../client/hostile/space-lies';
import { keepHouse } from '../support/service';
import { sql } from '../support/databases';
import { until } from '../support/until';
import { garbage, NOBODY, OLDER } from './blocked-rows';
import { lieTo } from './lying-page';
import { ERASURE_DAYS, MonthStage } from './month-stage';
import { describeInBrowser, hold } from './page-stage';
import { type Account, type Circle, SECRET, type Someone, WAIT_MS } from './people-stage';

/** What a service may try at a point of the story. An honest one tries nothing. */
type Try = (at: Someone, lie: Lie | Promise<Lie>, says: string | RegExp) => Promise<void>;

/**
 * The record of a girl through a month: from her parents and a carer to herself. Days pass by the clocks of the pages, of the
 * service and of its database.
 */
describeInBrowser('a month of a shared record in the page', () => {
  const month = MonthStage.forTests();
  const { people } = month;

  const story = { medicine: 'Bisoprolol' };

  async function codeOf({ page }: Someone): Promise<string> {
    await people.openPeople(page);
    await page.getByRole('heading', { name: 'Do all see the same members?' }).waitFor();
    return people.digitsOf(page);
  }

  const sameCode = (one: Someone, other: Someone) =>
    until('both see the same members', async () => (await codeOf(one)) === (await codeOf(other)));

  async function chooseRole({ page }: Someone, name: string, role: RegExp): Promise<void> {
    await people.openPeople(page);
    await people.button(page, `Details: ${name}`).click();
    await people.button(page, `What may ${name} do?`).click();
    await people.dialog(page).getByRole('radio', { name: role }).check();
  }

  /** A lie is told to one device, for as long as it takes until that says so. Afterwards all is as before. */
  const hostile: Try = async (at, lie, says) => {
    const end = await lieTo(at.page, await lie);
    const told = at.page.getByText(says);
    await month.looks(at, `it says ${says}`, async () => (await told.count()) > 0);
    await end();
    await month.looks(at, `it forgets ${says}`, async () => (await told.count()) === 0);
  };
  const honest: Try = () => Promise.resolve();

  it.each([
    ['an honest service', honest],
    ['a service that lies wherever it can', hostile],
  ])('with %s: every dose is as it was tapped, and by whom', async (_which, tries) => {
    const isHostile = tries === hostile;
    const circle = await people.rosaWith(['Paul', 'owner'], ['Jonas', 'carer']);
    const forgotten = await circle.mara.spaces.invite(circle.id, 'viewer');
    const mara = await month.pageOf(circle.mara);
    const paul = await month.pageOf(circle.others[0]);
    const jonas = await month.pageOf(circle.others[1]);

    await firstWeek(circle, mara, paul, jonas, tries);
    // What nobody has accepted for seven days is over.
    const lena = await people.account('Lena');
    await month.goTo(6);
    expect(await lena.spaces.openInvitation(forgotten.fragment)).toMatchObject({ role: 'viewer' });
    await month.goTo(8);
    await expect(lena.spaces.openInvitation(forgotten.fragment)).rejects.toMatchObject({ code: 'not_found' });
    for (const each of [mara, paul, jonas])
      expect(await month.monthOn(each.page)).toMatch(/^6 of 9 due doses .* 3 without an answer/);

    await quarrel(circle, mara, paul, jonas, tries);
    await removal(circle, mara, paul, jonas, isHostile);
    const rosa = await handOver(circle, mara, tries);
    await erasure(paul, rosa, mara);
    await month.goTo(29);
    await end(circle, rosa, mara);
    expect(people.stage.complaints).toEqual([]);
  });

  /** Three people give the doses in turn. Whoever has answered ends the reminders of all. */
  async function firstWeek(circle: Circle, mara: Someone, paul: Someone, jonas: Someone, tries: Try) {
    await month.remind(1, mara, paul, jonas);
    // Paul is not on duty.
    await people.stage.open(paul.page, '/app/reminders', 'Reminders');
    await paul.page.getByLabel(/Rosa/).first().selectOption({ label: 'Never' });
    await month.remind(0, paul);
    await month.take(jonas);
    await month.remind(0, mara, jonas);
    for (const [index, each] of [mara, paul, jonas, mara, paul].entries()) {
      await month.goTo(index + 1);
      await month.remind(1, mara, jonas);
      await month.take(each);
      await month.remind(0, mara, jonas, paul);
    }
    const { client } = circle.mara;
    const { id } = await client.medications.create({
      profileId: circle.profileId,
      route: 'oral',
      schedule: { timesPerDay: 1 },
      details: { name: 'Candesartan', schedule: { times: [], asNeeded: true } },
    });
    await client.sync.now();
    await tries(
      paul,
      inRows((row) => (row.id === id ? undefined : row)),
      'entry needs your decision',
    );
    await people.lookAgain(paul.page);
    await people.sees(paul.page, 'Candesartan');
  }

  /** Both parents change at once what the carer may do. The later one wins, and both see it. */
  async function quarrel(circle: Circle, mara: Someone, paul: Someone, jonas: Someone, tries: Try) {
    await month.goTo(9);
    const older = recorded(circle.others[0].client, circle.id);
    await older;
    await chooseRole(mara, 'Jonas', /^may change/);
    const release = await hold(mara.page, '**/api/space/roles');
    const asked = mara.page.waitForRequest('**/api/space/roles');
    await people.button(mara.page, 'Change what Jonas may do').click();
    await asked;
    await chooseRole(paul, 'Jonas', /^may look/);
    await people.button(paul.page, 'Change what Jonas may do').click();
    await people.row(paul.page, 'Jonas').getByText('may look').waitFor();
    release();
    await people.row(mara.page, 'Jonas').getByText('may change').waitFor();
    await people.loadAgain(paul.page);
    await people.openPeople(paul.page);
    await people.row(paul.page, 'Jonas').getByText('may change').waitFor();
    await sameCode(mara, paul);
    await people.loadAgain(jonas.page);
    await people.stage.open(jonas.page, '/app/cabinet', 'Cabinet');
    await jonas.page.getByRole('link', { name: 'Add a medicine' }).waitFor();
    await tries(paul, older, OLDER);
    await month.take(jonas);
  }

  /** The carer goes, with a new key. What follows is not for him, also where the service goes on to serve him. */
  async function removal(
    circle: Circle,
    mara: Someone,
    paul: Someone,
    jonas: Someone,
    isHostile: boolean,
  ): Promise<void> {
    await month.goTo(12);
    const stillServed = isHostile && (await lieTo(jonas.page, await stillServing(circle, jonas)));
    await people.openPeople(paul.page);
    await people.button(paul.page, 'Details: Jonas').click();
    await people.button(paul.page, 'Remove Jonas').click();
    await people.dialog(paul.page).getByRole('button', { name: 'Remove Jonas' }).click();
    await people.row(paul.page, 'Jonas').waitFor({ state: 'detached' });
    await paul.page.getByText(/^Still to be sealed/).waitFor({ state: 'detached', timeout: WAIT_MS });
    const { client } = circle.mara;
    await client.sync.now();
    const { profileId } = circle;
    const details = { name: story.medicine, schedule: { times: [], asNeeded: true } };
    const schedule = { timesPerDay: 1 };
    await client.medications.create({ profileId, route: 'oral', schedule, details });
    await client.sync.now();
    await people.lookAgain(mara.page);
    await people.sees(mara.page, story.medicine);
    if (stillServed) {
      for (let look = 0; look < 3; look += 1) await people.loadAgain(jonas.page);
      await people.sees(jonas.page);
      expect(await jonas.page.getByText(story.medicine).count()).toBe(0);
      await stillServed();
    }
    await people.loadAgain(jonas.page);
    const told = jonas.page.getByText(
      'You have no access to the record of Rosa any more. Only Mara or Paul can have removed you',
    );
    await month.looks(jonas, 'who can have removed him', async () => (await told.count()) > 0);
    await month.goHome(jonas);
    for (const [index, each] of [mara, paul, mara].entries()) {
      await month.goTo(13 + index);
      await month.take(each);
    }
  }

  /** Answers a removed member as before, and gives what is written since: the service has all of it. */
  async function stillServing({ mara, id }: Circle, { client }: Account): Promise<Lie> {
    const before = await recorded(client, id);
    return async (asked, pass) => {
      const answer = await pass();
      if (answer.status !== 404) return before(asked, () => Promise.resolve(answer));
      const { method, path } = asked;
      if (method !== 'GET') return before(asked, () => Promise.resolve(answer));
      const query = Object.fromEntries(asked.query);
      return before(asked, async () => {
        const real = await mara.client.request({ method, path, query, space: id });
        return json(real.status, real.body);
      });
    };
  }

  /** She is sixteen. Her mother invites her, hands over and may still look. */
  async function handOver({ mara: { client, id }, profileId }: Circle, mara: Someone, tries: Try) {
    await month.goTo(20);
    await bringsBack(mara, client, profileId, tries);
    const rosa = await month.pageOf(await people.account('Rosa'));
    await people.openPeople(mara.page);
    await tries(mara, changingOthers(id, { sharing_public: garbage(1216) }), NOBODY);
    await people.openPeople(mara.page);
    await people.join(mara, rosa, /^may change/);
    await people.openPeople(mara.page);
    await people.button(mara.page, 'Hand over').click();
    const dialog = people.dialog(mara.page);
    await dialog.getByRole('radio', { name: 'Rosa' }).check();
    await dialog.getByRole('radio', { name: 'may look' }).check();
    await people.button(mara.page, 'Hand over to Rosa').click();
    await people.toasted(mara.page, 'Handed over to Rosa.');
    await people.row(mara.page, 'Mara (you)').getByText('may look').waitFor();
    await month.take(rosa);
    return rosa;
  }

  /** The service shows a record and the head of the profile as they were, under the newest revisions. */
  async function bringsBack(at: Someone, client: Account['client'], profileId: string, tries: Try) {
    if (tries === honest) return;
    const find = async () =>
      (await client.medications.list({ profileId })).find(({ details }) => details.name === story.medicine)!;
    const read = async (path: string) => {
      const { id: space } = (await client.profiles.get(profileId)).space!;
      return (await client.request({ method: 'GET', path, space })).body as Record<string, unknown>;
    };
    const { id } = await find();
    const old = await read(`/api/medications/${id}`);
    const profile = await read(`/api/profiles/${profileId}`);
    const change = async (notes: string) => {
      const now = await find();
      await client.medications.update(now, { details: { ...now.details, notes } });
      const person = await client.profiles.get(profileId);
      await client.profiles.update(person, { details: { ...person.details, notes } });
      await client.sync.now();
    };
    await change('first');
    await people.stage.open(at.page, '/app/cabinet', 'Cabinet');
    await at.page.getByRole('link', { name: new RegExp(story.medicine) }).click();
    await month.looks(at, 'the first change', async () => (await at.page.getByText('first').count()) > 0);
    await change('second');
    const lie = inRows((row, kind) => {
      if (row.id === id) return { ...row, encrypted_data: old.encrypted_data };
      if (kind === 'profile') return { ...row, name_data: profile.name_data, name_iv: profile.name_iv };
      return row;
    });
    await tries(at, lie, /\d entries need your decision/);
    await people.stage.open(at.page, '/app/cabinet', 'Cabinet');
    await at.page.getByRole('link', { name: new RegExp(story.medicine) }).click();
    await at.page.getByText('second').first().waitFor();
  }

  /** Her father erases his account. It is gone after the days that the operator gives; his part in the record at once. */
  async function erasure(paul: Someone, rosa: Someone, mara: Someone): Promise<void> {
    await month.goTo(21);
    await month.take(paul);
    await people.stage.open(paul.page, '/app/security', 'Security');
    await paul.page.getByText('Erase everything', { exact: true }).click();
    await paul.page.locator('details[open]').getByLabel('Password now').fill(SECRET);
    await people.button(paul.page, 'Erase the account and all records').click();
    await paul.page.getByRole('link', { name: 'I have an account' }).waitFor();
    await month.goHome(paul);
    await people.loadAgain(rosa.page);
    await people.openPeople(rosa.page);
    await people.row(rosa.page, 'Paul').waitFor({ state: 'detached', timeout: WAIT_MS });
    await people.row(rosa.page, 'Rosa (you)').getByText('shares the care').waitFor();
    await rosa.page.getByText('It counts among the records of your account.').waitFor();
    const owed = rosa.page.getByText('Somebody has left and still knows the key.');
    await owed.waitFor({ state: 'detached', timeout: WAIT_MS });
    await rosa.page.getByText(/^Still to be sealed/).waitFor({ state: 'detached', timeout: WAIT_MS });
    await people.loadAgain(mara.page);
    await sameCode(mara, rosa);
    const accounts = async () => {
      await keepHouse(people.stage.service);
      return sql(month.databaseUrl, 'SELECT 1 FROM accounts WHERE id = $1', [paul.id]);
    };
    await month.goTo(20 + ERASURE_DAYS);
    expect(await accounts()).toHaveLength(1);
    await month.goTo(22 + ERASURE_DAYS);
    expect(await accounts()).toHaveLength(0);
  }

  async function end(circle: Circle, rosa: Someone, mara: Someone): Promise<void> {
    const { mara: account, profileId } = circle;
    await month.take(rosa);
    const tablet = await month.pageOf(account);
    for (const each of [rosa, mara, tablet])
      await month.looks(each, 'the month is right', async () =>
        /^13 of 30 due doses .* 17 without an answer/.test(await month.monthOn(each.page)),
      );
    const { client } = await people.deviceOf(account);
    const all = await client.medications.list({ profileId });
    const { id } = all.find(({ details }) => details.name === 'Amlodipine')!;
    const stored = await client.medications.doses(id);
    const names = new Map([circle.mara, ...circle.others, rosa].map((each) => [each.id, each.name]));
    const found = stored
      .map(({ loggedAt, taken, confirmed, author }) => {
        return { at: Date.parse(loggedAt), taken, confirmed, by: names.get(author?.accountId ?? '') };
      })
      .sort((a, b) => a.at - b.at);
    const expected = month.tapped.map(({ by }) => ({ taken: true, confirmed: true, by }));
    expect(found.map(({ taken, confirmed, by }) => ({ taken, confirmed, by }))).toEqual(expected);
    expect(
      found.filter(({ at }, index) => at < month.tapped[index].from || at > month.tapped[index].to),
    ).toEqual([]);
    expect(found).toHaveLength(13);
  }
});
