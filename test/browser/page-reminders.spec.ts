import { HealthRecordsClient } from '@app/client';
import type { BrowserContext, CDPSession, Page, Worker } from 'playwright-core';
import { PushSender } from '../../apps/api/src/reminders/push-sender.service';
import { sql } from '../support/databases';
import { openPushService, type PushBrowser, type PushService } from '../support/push-service';
import { type ServiceHere, startServiceHere } from '../support/service-here';
import { until } from '../support/until';
import { describeInBrowser, PageStage, STAGE_TIMEOUT_MS } from './page-stage';

const PHONE = { width: 360, height: 740 };
const SECRET = 'correct horse battery staple';
/** A browser asks for it with the permission. Nobody has a push service of a browser maker here. */
interface Subscription {
  endpoint: string;
  p256dh: string;
  auth: string;
}

jest.setTimeout(STAGE_TIMEOUT_MS);

/** The page of a phone that sleeps: the service sends, a push service takes it, Chromium delivers it to the worker. */
describeInBrowser('reminders that arrive', () => {
  let stage: PageStage;
  let service: ServiceHere;
  let push: PushService;
  let profile: BrowserContext;
  let page: Page;
  let devtools: CDPSession;
  let registrationId: string;
  let phone: PushBrowser;
  let email: string;
  let elsewhere: HealthRecordsClient;
  let delivered: number;
  let accounts = 0;

  beforeAll(async () => {
    push = await openPushService();
    stage = await PageStage.start('http://localhost', async (settings) => {
      service = await startServiceHere({ ...settings, PUSH_SERVICES: push.host });
      return service;
    });
    const sender: unknown = service.app.get(PushSender, { strict: false });
    const { agents } = sender as { agents: { added: { options: { ca?: string } } } };
    agents.added.options.ca = push.certificate;
  }, STAGE_TIMEOUT_MS);
  afterAll(async () => {
    await stage?.stop();
    await push?.close();
  });
  beforeEach(begin);
  afterEach(() => profile.close());

  /** A family, and its page on a phone whose browser can be subscribed. */
  async function begin(): Promise<void> {
    delivered = 0;
    email = `ada${++accounts}@example.org`;
    elsewhere = new HealthRecordsClient({ baseUrl: service.api.url });
    await elsewhere.register({ email, password: SECRET, recoveryPhrase: null });
    const { id: profileId } = await elsewhere.profiles.create({
      kind: 'human',
      relationship: 'self',
      details: { name: 'Ada Canary' },
    });
    for (const name of ['Amlodipine', 'Ramipril'])
      await elsewhere.medications.create({
        profileId,
        route: 'oral',
        schedule: { timesPerDay: 1 },
        details: { name, schedule: { times: ['15:00'] }, startDate: '2026-01-01' },
      });
    phone = push.subscribe();
    profile = await stage.profile({ viewport: PHONE });
    await profile.grantPermissions(['notifications'], { origin: stage.url });
    await profile.addInitScript(pretendSubscriptions, phone.subscription);
    page = await stage.signIn(profile, email, SECRET);
    devtools = await profile.newCDPSession(page);
    const registered = new Promise<string>((resolve) =>
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        if (registrations.length > 0) resolve(registrations[0].registrationId);
      }),
    );
    await devtools.send('ServiceWorker.enable');
    registrationId = await registered;
  }

  /** In the page: what the push service of a browser maker does for a browser. */
  function pretendSubscriptions({ endpoint, p256dh, auth }: Subscription): void {
    const { localStorage, PushManager } = globalThis as any;
    const KEY = 'subscribed-by-the-test';
    const subscription = {
      endpoint,
      toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
      unsubscribe: () => Promise.resolve(void localStorage.removeItem(KEY)),
    };
    PushManager.prototype.getSubscription = () =>
      Promise.resolve(localStorage.getItem(KEY) ? subscription : null);
    PushManager.prototype.subscribe = (options: { applicationServerKey: string }) =>
      Promise.resolve(localStorage.setItem(KEY, options.applicationServerKey)).then(() => subscription);
  }

  async function turnOn(): Promise<void> {
    await stage.open(page, '/app/reminders', 'Reminders');
    await page.getByRole('button', { name: 'Turn on for this device' }).click();
    await page.getByText('Reminders are on for this device.').waitFor();
    await until('the service has the plan', async () => (await reminders()).length > 0);
  }
  const reminders = async () =>
    (await elsewhere.request({ method: 'GET', path: '/api/reminders' })).body as any[];
  /** Pretends that it is time. */
  async function ring(): Promise<void> {
    await sql(service.databaseUrl, `UPDATE reminders SET message_at = now(), send_at = now()`, []);
    await deliver();
  }
  /** Gives the next messages of the push service to the worker. */
  async function deliver(): Promise<void> {
    await phone.messages(delivered + 1);
    for (const { payload } of phone.received.slice(delivered)) await hand(JSON.stringify(payload));
    delivered = phone.received.length;
  }
  const hand = (data: string) =>
    devtools.send('ServiceWorker.deliverPushMessage', { origin: stage.url, registrationId, data });
  const worker = (): Worker => profile.serviceWorkers()[0];
  /** What the phone shows. */
  const shown = (): Promise<any[]> =>
    worker().evaluate(async () => {
      const list = await (globalThis as any).registration.getNotifications();
      return list.map(({ title, body, actions }: any) => ({
        title,
        body,
        actions: actions.map((each: { action: string }) => each.action),
      }));
    });
  const showing = (count: number) =>
    until(`${count} notifications`, async () => (await shown()).length === count);
  /** A finger on a notification. Events that a script makes cannot wait, so this one waits for nothing. */
  const tap = (action: string) =>
    worker().evaluate(async (chosen) => {
      const scope = globalThis as any;
      const [notification] = await scope.registration.getNotifications();
      const event = new scope.NotificationEvent('notificationclick', { notification, action: chosen });
      let done: unknown;
      Object.defineProperty(event, 'waitUntil', { value: (work: unknown) => (done = work) });
      scope.dispatchEvent(event);
      await done;
    }, action);
  async function doses(): Promise<{ loggedAt: string; taken: boolean }[]> {
    const found = [];
    for (const { id } of await elsewhere.medications.list())
      for await (const dose of elsewhere.medications.iterateDoses(id)) found.push(dose);
    return found;
  }
  async function unlock(): Promise<void> {
    await page.getByLabel('Password', { exact: true }).fill(SECRET);
    await page.getByRole('button', { name: 'Unlock' }).click();
    await page.getByRole('navigation', { name: 'Sections' }).waitFor();
  }
  /** Makes a change in the page, and waits until the service has the plan that follows. */
  async function replan(change: () => Promise<unknown>): Promise<any[]> {
    const ids = async () => (await reminders()).map(({ id }) => id as string).join();
    const before = await ids();
    await change();
    await until('the plan is another one', async () => ![before, ''].includes(await ids()));
    return reminders();
  }

  it('says person and number, and is answered on a locked page; the dose follows at the unlock', async () => {
    await turnOn();
    const [reminder] = await reminders();
    expect(reminder).toMatchObject({
      due_at: expect.stringMatching(/T\d\d:00:00.000Z$/),
      repeat: { time: '15:00', every_days: 1 },
      nag: { minutes: 10, times: 6 },
    });
    expect(Buffer.from(reminder.text, 'base64').toString('latin1')).not.toMatch(/Ada|Amlodipine|15:00/);
    await page.getByRole('button', { name: 'Lock' }).click();
    await page.getByRole('heading', { name: 'Locked' }).waitFor();
    await ring();
    await showing(1);
    expect(await shown()).toEqual([
      {
        title: expect.stringMatching(/^(15:00|3:00 pm) · Ada Canary$/i),
        body: '2 medicines',
        actions: ['taken', 'later'],
      },
    ]);
    const before = Date.now();
    await tap('taken');
    await showing(0);
    expect(await doses()).toEqual([]);
    expect((await stage.stored(page)).includes('Ada Canary')).toBe(false);
    await until(
      'the service has the answer',
      async () => Date.parse((await reminders())[0].next_at) > Date.now(),
    );
    const after = Date.now();
    await unlock();
    await page.getByText('2 doses that you answered in reminders are noted.').first().waitFor();
    await until('the doses are stored', async () => (await doses()).length === 2);
    for (const { loggedAt, taken } of await doses()) {
      expect(taken).toBe(true);
      // The page may round to seconds.
      expect(Date.parse(loggedAt)).toBeGreaterThanOrEqual(before - 1000);
      expect(Date.parse(loggedAt)).toBeLessThanOrEqual(after);
    }
    await page.reload();
    await unlock();
    await stage.open(page, '/app/today', 'Today');
    await page.waitForTimeout(2500);
    expect(await doses()).toHaveLength(2);
  });

  it('rings later, is quiet once another device has answered, and names only what the person allows', async () => {
    await turnOn();
    const words = (chosen: string) => replan(() => page.getByLabel('A reminder says').selectOption(chosen));
    await words('names');
    await ring();
    await showing(1);
    expect((await shown())[0].body).toBe('Amlodipine, Ramipril');
    await tap('later');
    await showing(0);
    const next = async () => Date.parse((await reminders())[0].next_at) - Date.now();
    await until('it is put off', async () => (await next()) > 14 * 60_000);
    await words('nothing');
    await ring();
    await showing(1);
    expect(await shown()).toEqual([
      expect.objectContaining({ title: 'Health Records', body: 'Something is due.' }),
    ]);
    // The doses are noted on another device. This page hears of them, and tells the service.
    for (const { id } of await elsewhere.medications.list())
      await elsewhere.medications.logDose(id, { taken: true, loggedAt: new Date() });
    await page.evaluate(() => (globalThis as any).document.dispatchEvent(new Event('visibilitychange')));
    await until('the occurrence is answered', async () => (await next()) > 3_600_000);
  });

  it('asks for doses that do harm in the page, and says what it cannot open in general words', async () => {
    const [{ profileId }] = await elsewhere.medications.list();
    await elsewhere.medications.create({
      profileId,
      route: 'oral',
      schedule: { timesPerDay: 1 },
      details: { name: 'Warfarin', schedule: { times: ['15:00'] }, startDate: '2026-01-01' },
    });
    await page.reload();
    await unlock();
    await turnOn();
    await ring();
    await showing(1);
    expect(await shown()).toEqual([expect.objectContaining({ body: '3 medicines', actions: ['later'] })]);
    const other = { v: 1, kind: 'due', id: 'x', slot_id: 'y', due_at: 'z', text: 'AAAA', ticket: 't' };
    await hand(JSON.stringify(other));
    await hand('no JSON');
    await showing(3);
    const bodies = (await shown()).map(({ body }) => body as string);
    expect(bodies.sort()).toEqual(['3 medicines', 'Something is due.', 'Something is due.']);
  });

  it('closes what another device has answered', async () => {
    await turnOn();
    await ring();
    await showing(1);
    const [{ slot_id, due_at }] = phone.received.map(({ payload }) => payload);
    const { body } = await service.api.post('/api/auth/login', { email, password: await authSecret() });
    await service.api.post(
      '/api/reminders/answers',
      { slot_id, due_at, answer: 'done' },
      { token: body.token },
    );
    await deliver();
    await showing(0);
  });

  /** What the client sends in place of the password. */
  async function authSecret(): Promise<string> {
    let sent = '';
    const client = new HealthRecordsClient({
      baseUrl: service.api.url,
      fetch: (url: string, init: { body?: string }) => {
        if (url.endsWith('/login')) sent = (JSON.parse(init.body!) as { password: string }).password;
        return fetch(url, init);
      },
    } as never);
    await client.login(email, SECRET);
    return sent;
  }

  it('proves by a test that they arrive, or says why not', async () => {
    await turnOn();
    await stage.picture(page, 'reminders');
    expect(await stage.axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Test now' }).click();
    await deliver();
    await page.getByText('It works: the message has arrived.').waitFor();
    push.answer = (_request, response) => void response.writeHead(410).end();
    await page.getByRole('button', { name: 'Test now' }).click();
    await page.getByText('The browser takes no more messages.').waitFor();
    push.answer = undefined;
    expect(stage.complaints).toEqual([]);
  });

  it('plans by person and medicine, keeps quiet at night, and leaves nothing after a sign-out', async () => {
    await turnOn();
    await page.getByLabel('Quiet from').fill('14:00');
    const [quiet] = await replan(() => page.getByLabel('Quiet until').fill('16:00'));
    expect(quiet).toMatchObject({ delay_minutes: 60, nag: { minutes: 10, times: 6 } });
    const [late] = await replan(() => page.getByLabel('Reminders of Ada Canary').selectOption('late'));
    expect(late).toMatchObject({ delay_minutes: 60, nag: null });
    await page.getByLabel('Amlodipine: remind').uncheck();
    await page.getByLabel('Ramipril: remind').uncheck();
    await until('nothing is planned', async () => (await reminders()).length === 0);
    await page.getByLabel('Ramipril: remind').check();
    await until('it is planned again', async () => (await reminders()).length === 1);
    await ring();
    await showing(1);
    expect((await shown())[0].body).toBe('Not answered for an hour: One medicine');
    await stage.open(page, '/app/more', 'More');
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('link', { name: 'I have an account' }).waitFor();
    await showing(0);
    await until(
      'the browser is subscribed no more',
      async () => !(await stage.stored(page)).includes('subscribed'),
    );
    expect(await reminders()).toEqual([]);
    // A message that was on its way is opened by nobody.
    await hand(JSON.stringify(phone.received.at(-1)!.payload));
    await showing(1);
    expect(await shown()).toEqual([
      { title: 'Health Records', body: 'Something is due.', actions: ['later'] },
    ]);
  });
});
