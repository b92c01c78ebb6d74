import { randomUUID } from 'node:crypto';
import { aNewSecret, type Answer, expectFailure } from '@app/testing';
import { PushSender } from '../../apps/api/src/reminders/push-sender.service';
import { ReminderSender } from '../../apps/api/src/reminders/reminder-sender.service';
import { sql } from '../support/databases';
import { type Account, anAccount } from '../support/factories';
import { openPushService, type PushBrowser, type PushService } from '../support/push-service';
import { type ServiceHere, startServiceHere } from '../support/service-here';
import { until } from '../support/until';

const MINUTE = 60_000;
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();

describe('reminders', () => {
  let push: PushService;
  let services: ServiceHere[];
  let account: Account;
  let phone: PushBrowser;
  let phoneId: string;

  beforeAll(async () => {
    push = await openPushService();
    const first = await startServiceHere({ PUSH_SERVICES: push.host });
    // A second process on the same database.
    const second = await startServiceHere({ PUSH_SERVICES: push.host, DATABASE_URL: first.databaseUrl });
    services = [first, second];
    for (const { app } of services) trust(app.get(PushSender, { strict: false }));
  });
  afterAll(async () => {
    for (const service of services.reverse()) await service.stop();
    await push.close();
  });
  beforeEach(async () => {
    push.answer = undefined;
    account = await anAccount(services[0].api);
    phone = push.subscribe('Phone');
    phoneId = await subscribe(phone);
  });

  /** As `NODE_EXTRA_CA_CERTS` does for a process. */
  function trust(sender: PushSender): void {
    const { agents } = sender as unknown as { agents: { added: { options: { ca?: string } } } };
    agents.added.options.ca = push.certificate;
  }
  const api = () => services[0].api;
  const by = ({ token }: { token: string } = account) => ({ token });

  async function subscribe(
    { subscription }: PushBrowser,
    owner = account,
    id = randomUUID(),
  ): Promise<string> {
    const { status, body } = await api().put(`/api/push/subscriptions/${id}`, subscription, by(owner));
    expect([status, body.id]).toEqual([200, id]);
    return id;
  }
  const aReminder = (more: object = {}) => ({
    subscription_id: phoneId,
    slot_id: randomUUID(),
    text: 'c2VhbGVk',
    due_at: inMs(0),
    time_zone: 'Europe/Berlin',
    ...more,
  });
  async function remind(more: object = {}, owner = account, id = randomUUID()) {
    const { status, body } = await api().put(`/api/reminders/${id}`, aReminder(more), by(owner));
    expect([status, body.code]).toEqual([200, undefined]);
    return body;
  }
  const listed = async (owner = account) => (await api().get('/api/reminders', by(owner))).body as any[];
  const found = async (id: string) => (await listed()).find((each) => each.id === id);
  const device = async (id = phoneId) => (await api().get(`/api/push/subscriptions/${id}`, by())).body;
  /** Pretends that so much time has passed for one reminder. */
  const hurry = (id: string, ms: number) =>
    sql(
      services[0].databaseUrl,
      `UPDATE reminders SET message_at = message_at - $2 * interval '1 ms', send_at = send_at - $2 * interval '1 ms'
        WHERE id = $1`,
      [id, ms],
    );
  /** A second browser of the account. */
  async function aSecondDevice(): Promise<{ browser: PushBrowser; id: string; owner: Account }> {
    const { email, password } = account;
    const { body } = await api().post('/api/auth/login', { email, password });
    const owner = { ...account, token: body.token };
    const browser = push.subscribe('Tablet');
    return { browser, owner, id: await subscribe(browser, owner) };
  }

  describe('a device', () => {
    it('gets the public key, subscribes, and shows its state', async () => {
      const { body } = await api().get('/api/push/key', by());
      expect(body).toEqual({ public_key: expect.stringMatching(/^B[\w-]{86}$/) });
      const shown = {
        id: phoneId,
        label: 'Phone',
        current: true,
        service: push.host,
        created_at: expect.any(String),
        last_sent_at: null,
        failure: null,
      };
      expect((await api().get('/api/push/subscriptions', by())).body).toEqual([shown]);
      expect(await device()).toEqual(shown);
    });

    it('gets a test message at once, or hears why not', async () => {
      const test = async () => (await api().post(`/api/push/subscriptions/${phoneId}/test`, {}, by())).body;
      expect(await test()).toEqual({ result: 'sent' });
      expect(await phone.messages(1)).toEqual([{ v: 1, kind: 'test' }]);
      push.answer = (_request, response) => void response.writeHead(400).end();
      expect(await test()).toEqual({ result: 'refused' });
      expect((await device()).failure).toBe('refused');
      push.answer = (_request, response) => void response.writeHead(429, { 'Retry-After': '1' }).end();
      expect(await test()).toEqual({ result: 'delayed' });
      push.answer = (_request, response) => void response.writeHead(410).end();
      expect(await test()).toEqual({ result: 'gone' });
      expectFailure(await api().get(`/api/push/subscriptions/${phoneId}`, by()), 'not_found');
    });

    it('is one a session: another id replaces the former one with its reminders', async () => {
      await remind({ due_at: inMs(60 * MINUTE) });
      const id = await subscribe(push.subscribe());
      expect((await api().get('/api/push/subscriptions', by())).body.map((each: any) => each.id)).toEqual([
        id,
      ]);
      expect(await listed()).toEqual([]);
    });

    it.each([
      ['endpoint', 'https://example.org/push'],
      ['endpoint', 'http://127.0.0.1/push'],
      ['endpoint', 'https://169.254.169.254/latest'],
      ['p256dh', 'AAAA'],
      ['p256dh', `B${'A'.repeat(86)}`],
      ['auth', 'AAAA'],
      ['label', ''],
    ])('is refused with the %s %s', async (field, value) => {
      const body = { ...phone.subscription, [field]: value };
      const answer = await api().put(`/api/push/subscriptions/${randomUUID()}`, body, by());
      expectFailure(answer, 'validation_failed');
      expect(answer.body.details[0].field).toBe(field);
    });

    it.each([
      [
        'signs out',
        ({ token, refreshToken }: Account) =>
          api().post('/api/auth/logout', { refresh_token: refreshToken }, { token }),
      ],
      [
        'signs out everywhere',
        ({ token }: Account) => api().post('/api/auth/logout-all', undefined, { token }),
      ],
      [
        'has another password',
        ({ token, password }: Account) =>
          api().post('/api/auth/change-password', { current_password: password, ...aNewSecret() }, { token }),
      ],
      [
        'is erased',
        ({ token, password }: Account) =>
          api().post('/api/users/me/delete', { current_password: password }, { token }),
      ],
    ])('gets nothing more when its account %s', async (_what, end) => {
      const { id } = await remind({ due_at: inMs(60 * MINUTE) });
      expect((await end(account)).status).toBeLessThan(300);
      const { databaseUrl } = services[0];
      expect(await sql(databaseUrl, 'SELECT id FROM reminders WHERE id = $1', [id])).toEqual([]);
      expect(await sql(databaseUrl, 'SELECT id FROM push_subscriptions WHERE id = $1', [phoneId])).toEqual(
        [],
      );
    });
  });

  describe('a reminder', () => {
    it('arrives once, from one of two processes, and the next one is due tomorrow', async () => {
      const time = new Date().toLocaleTimeString('en-GB', {
        timeZone: 'Europe/Berlin',
        hour: '2-digit',
        minute: '2-digit',
      });
      const set = await remind({ repeat: { time, every_days: 1 } });
      const [message] = await phone.messages(1);
      expect(message).toEqual({
        v: 1,
        kind: 'due',
        id: set.id,
        slot_id: set.slot_id,
        due_at: set.due_at,
        late: false,
        text: 'c2VhbGVk',
        ticket: expect.any(String),
      });
      const [{ headers }] = phone.received;
      expect(headers).toMatchObject({ ttl: '3600', urgency: 'high', topic: set.slot_id.replaceAll('-', '') });
      await until('the device knows', async () => (await device()).last_sent_at !== null);
      const after = await found(set.id);
      expect(Date.parse(after.due_at) - Date.parse(set.due_at)).toBeGreaterThan(22 * 60 * MINUTE);
      expect(after.next_at).toBe(after.due_at);
      expect(phone.received).toHaveLength(1);
    });

    it('is sent by nobody else while the push service takes its time', async () => {
      const before = push.requests;
      let goOn = (): void => undefined;
      const isTime = new Promise<void>((resolve) => (goOn = resolve));
      push.answer = (_request, response) => void isTime.then(() => response.writeHead(201).end());
      await remind();
      await until('one process sends it', async () => push.requests > before);
      const { id } = (await api().get('/api/users/me', by())).body;
      const others = services.map(({ app }) => app.get(ReminderSender, { strict: false }).sendDue(id));
      let haveLooked = false;
      const looking = Promise.all(others).then(() => (haveLooked = true));
      await until('they have looked', async () => haveLooked || push.requests > before + 1);
      goOn();
      await looking;
      expect(push.requests).toBe(before + 1);
    });

    it('says that it is late, and is left out after an hour', async () => {
      const late = await remind({ due_at: inMs(-30 * MINUTE) });
      expect(await phone.messages(1)).toMatchObject([{ id: late.id, late: true }]);
      await until('the device knows', async () => (await device()).last_sent_at !== null);
      await remind({ due_at: inMs(-61 * MINUTE) });
      await until('the device knows', async () => (await device()).failure === 'missed');
      expect(phone.received).toHaveLength(1);
    });

    it('comes again until it is answered', async () => {
      const { id, slot_id, due_at } = await remind({ nag: { minutes: 5, times: 2 } });
      for (const count of [1, 2]) {
        await phone.messages(count);
        await until('the next is planned', async () => Date.parse((await found(id)).next_at) > Date.now());
        await hurry(id, 5 * MINUTE);
      }
      const messages = await phone.messages(3);
      expect(messages.map((each) => each.due_at)).toEqual([due_at, due_at, due_at]);
      await until('there is no further one', async () => (await found(id)).next_at === null);
      const other = await remind({ nag: { minutes: 5, times: 2 }, slot_id });
      await phone.messages(4);
      await until(
        'the next is planned',
        async () => Date.parse((await found(other.id)).next_at) > Date.now(),
      );
      await api().post('/api/reminders/answers', { slot_id, due_at: other.due_at, answer: 'done' }, by());
      expect((await found(other.id)).next_at).toBeNull();
    });

    it('is closed on the other devices by an answer, which needs no sign-in', async () => {
      const tablet = await aSecondDevice();
      const slot_id = randomUUID();
      const due = inMs(0);
      await remind({ slot_id, due_at: due, nag: { minutes: 5, times: 3 } });
      const other = await remind({
        slot_id,
        due_at: due,
        subscription_id: tablet.id,
        nag: { minutes: 5, times: 3 },
      });
      const [{ ticket }] = await phone.messages(1);
      await tablet.browser.messages(1);
      await until('both are planned', async () =>
        (await listed()).every(({ next_at: at }) => Date.parse(at) > Date.now()),
      );
      expect((await api().post('/api/push/answers', { ticket, answer: 'done' })).status).toBe(204);
      expect((await tablet.browser.messages(2))[1]).toEqual({ v: 1, kind: 'close', slot_id, due_at: due });
      await until('it is over', async () => (await found(other.id)).next_at === null);
      expect(phone.received).toHaveLength(1);
    });

    it('comes again after "later", on every device', async () => {
      const set = await remind();
      const [{ ticket }] = await phone.messages(1);
      await until('it is over', async () => (await found(set.id)).next_at === null);
      await api().post('/api/push/answers', { ticket, answer: 'later' });
      const { due_at: due, next_at: next } = await found(set.id);
      expect(due).toBe(set.due_at);
      expect(Math.abs(Date.parse(next) - Date.now() - 15 * MINUTE)).toBeLessThan(MINUTE);
      await hurry(set.id, 15 * MINUTE);
      expect(await phone.messages(2)).toMatchObject([{ due_at: due }, { due_at: due, late: false }]);
    });

    it('is not sent where the dose was answered before', async () => {
      const late = await remind({ due_at: inMs(-30_000), delay_minutes: 60 });
      await api().post(
        '/api/reminders/answers',
        { slot_id: late.slot_id, due_at: late.due_at, answer: 'done' },
        by(),
      );
      expect((await found(late.id)).next_at).toBeNull();
      // Of another account nothing is answered.
      const mine = await remind({ due_at: inMs(60 * MINUTE) });
      const stranger = await anAccount(api());
      const answer = { slot_id: mine.slot_id, due_at: mine.due_at, answer: 'done' };
      expect((await api().post('/api/reminders/answers', answer, by(stranger))).status).toBe(204);
      expect((await found(mine.id)).next_at).toBe(mine.due_at);
    });

    it('is answered by no invented ticket, and by none from before a change of the password', async () => {
      const set = await remind({ nag: { minutes: 5, times: 3 } });
      const [{ ticket }] = await phone.messages(1);
      await until('the next is planned', async () => Date.parse((await found(set.id)).next_at) > Date.now());
      for (const wrong of [`${ticket}x`, ticket.replace(/\.[^.]+$/, '.AAAA'), account.token, 'x'])
        expect((await api().post('/api/push/answers', { ticket: wrong, answer: 'done' })).status).toBe(204);
      expect((await found(set.id)).next_at).not.toBeNull();
      await sql(
        services[0].databaseUrl,
        'UPDATE accounts SET token_version = token_version + 1 WHERE email = $1',
        [account.email],
      );
      await api().post('/api/push/answers', { ticket, answer: 'done' });
      const rows = await sql(services[0].databaseUrl, 'SELECT message_at FROM reminders WHERE id = $1', [
        set.id,
      ]);
      expect(rows).toEqual([{ message_at: expect.anything() }]);
    });

    it.each([
      ['due_at', 'tomorrow'],
      ['time_zone', '+01:00'],
      ['text', 'x'.repeat(2049)],
      ['delay_minutes', 721],
      ['repeat', { time: '24:00', every_days: 1 }],
      ['repeat', { time: '08:00', every_days: 1, days_of_week: [1] }],
      ['repeat', { time: '08:00' }],
      ['repeat', { time: '08:00', days_of_week: [1, 1] }],
      ['nag', { minutes: 0, times: 1 }],
      ['nag', { minutes: 1, times: 1, more: true }],
    ])('is refused with the %s %j', async (field, value) => {
      const answer = await api().put(`/api/reminders/${randomUUID()}`, aReminder({ [field]: value }), by());
      expectFailure(answer, 'validation_failed');
      expect(answer.body.details[0].field).toBe(field);
    });

    it('needs a device of the account, and an account has at most 500', async () => {
      const stranger = await anAccount(api());
      const put = (owner: Account) =>
        api().put(`/api/reminders/${randomUUID()}`, aReminder({ due_at: inMs(60 * MINUTE) }), by(owner));
      expectFailure(await put(stranger), 'not_found');
      await remind({ due_at: inMs(60 * MINUTE) });
      await sql(
        services[0].databaseUrl,
        `INSERT INTO reminders SELECT r.account_id, gen_random_uuid(), r.created_at, r.subscription_id, r.slot_id, r.text, r.due_at,
            r.delay_minutes, r.repeat, r.time_zone, r.ends_at, r.nag_minutes, r.nag_times, r.message_at, r.send_at, r.sent,
            r.shown_due_at, r.is_closing
          FROM reminders r, generate_series(1, 499) WHERE r.subscription_id = $1`,
        [phoneId],
      );
      expectFailure(await put(account), 'quota_exceeded');
    });
  });

  describe('a push service', () => {
    it('that asks for time gets it, and the message comes later', async () => {
      push.answer = (_request, response) => void response.writeHead(429, { 'Retry-After': '1' }).end();
      await remind();
      await until('the device knows', async () => (await device()).failure === 'delayed');
      push.answer = undefined;
      await phone.messages(1);
      await until('the device knows', async () => (await device()).failure === null);
    });

    it('that fails, hangs or ends the connection gets the message when it is back', async () => {
      for (const answer of [
        (_request: unknown, response: any) => void response.writeHead(500, { 'Retry-After': '1' }).end(),
        (_request: unknown, response: any) => void response.destroy(),
      ]) {
        push.answer = answer;
        const { id } = await remind();
        await until('the device knows', async () => (await device()).failure === 'delayed');
        push.answer = undefined;
        for (const { app } of services) forgetPauses(app.get(PushSender, { strict: false }));
        const before = phone.received.length;
        await hurry(id, 0);
        await sql(services[0].databaseUrl, 'UPDATE reminders SET send_at = now() WHERE id = $1', [id]);
        await phone.messages(before + 1);
        await until('the device knows', async () => (await device()).failure === null);
      }
    });

    it('that does not know the browser any more ends the subscription', async () => {
      push.answer = (_request, response) => void response.writeHead(404).end();
      await remind();
      await until('the device is gone', async () => (await device()).code === 'not_found');
      expect(await listed()).toEqual([]);
    });

    it('leads nowhere by a redirect', async () => {
      push.answer = (_request, response) =>
        void response.writeHead(307, { Location: 'http://169.254.169.254/' }).end();
      await remind();
      await until('the device knows', async () => (await device()).failure === 'refused');
    });
  });

  it('are sent to no account that is suspended', async () => {
    const { databaseUrl } = services[0];
    await sql(databaseUrl, 'UPDATE accounts SET suspended_at = now() WHERE email = $1', [account.email]);
    const { id } = await remind();
    await until('it waits', async () => {
      const [row] = await sql(
        databaseUrl,
        "SELECT send_at > now() + interval '30 minutes' AS waits FROM reminders WHERE id = $1",
        [id],
      );
      return (row as any).waits === true;
    });
    expect(phone.received).toEqual([]);
  });

  function forgetPauses(sender: PushSender): void {
    (sender as unknown as { pauses: Map<string, unknown> }).pauses.clear();
  }
});

it('are off by a setting: no key, no device, and a sentence', async () => {
  const service = await startServiceHere({ PUSH: 'off' });
  const { token } = await anAccount(service.api);
  const codeOf = ({ status, body }: Answer) => [status, body.code];
  expect(codeOf(await service.api.get('/api/push/key', { token }))).toEqual([403, 'push_off']);
  const browser = {
    endpoint: 'https://ntfy.sh/x',
    p256dh: `B${'A'.repeat(86)}`,
    auth: 'A'.repeat(22),
    label: 'x',
  };
  const answer = await service.api.put(`/api/push/subscriptions/${randomUUID()}`, browser, { token });
  expect(codeOf(answer)).toEqual([403, 'push_off']);
  expect((await service.api.get('/api/reminders', { token })).body).toEqual([]);
  await service.stop();
});
