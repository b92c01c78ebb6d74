import { aNewSecret, type Api, decodeToken, expectFailure, tablesHolding } from '@app/testing';
import { anAddress, ClientAt, LIMITED } from '../support/clients';
import { sql } from '../support/databases';
import { aCiphertext, anAccount, anEmail } from '../support/factories';
import { keepHouse, startService, type TestService } from '../support/service';
import { until } from '../support/until';

let service: TestService;
beforeAll(async () => (service = await startService(LIMITED)));
afterAll(() => service.stop());

interface Event {
  id: string;
  kind: string;
  created_at: string;
  origin: string | null;
  count: number;
}

const eventsOf = async (api: Api, token: string): Promise<Event[]> =>
  (await api.get('/api/users/me/events', { token })).body;

/** A refusal is recorded beside its answer: it may come a moment after it. */
async function eventually(api: Api, token: string, kind: string): Promise<Event[]> {
  let events: Event[] = [];
  await until(`the owner hears of ${kind}`, async () => {
    events = await eventsOf(api, token);
    return events.some((event) => event.kind === kind);
  });
  return events;
}

it('tells the owner of everything that happens to the credentials', async () => {
  const api = new ClientAt(service.api.url);
  const account = await anAccount(api, { recovery_proof: undefined });
  const { email, password } = account;
  const recoveryProof = aCiphertext(32);
  const login = async (secret: string) =>
    (await api.post('/api/auth/login', { email: current, password: secret })).body;
  let current = email;

  const first = await login(password);
  await login(aCiphertext(32));
  await eventually(api, first.token, 'login_failed');
  await api.post('/api/users/me/delete', { current_password: aCiphertext(32) }, { token: first.token });
  await eventually(api, first.token, 'step_up_failed');
  const setup = { current_password: password, recovery_proof: recoveryProof };
  await api.post('/api/auth/recovery/setup', setup, { token: first.token });
  await api.post('/api/auth/recovery/verify', { email, recovery_proof: aCiphertext(32) });
  await eventually(api, first.token, 'recovery_failed');
  await api.post('/api/auth/logout', { refresh_token: account.refreshToken });
  const next = await api.post('/api/auth/refresh', { refresh_token: first.refresh_token });
  expect(next.status).toBe(200);
  await api.post('/api/auth/refresh', { refresh_token: first.refresh_token });
  await api.post('/api/auth/device-token', { current_password: password }, { token: first.token });
  await sql(service.databaseUrl, `UPDATE sessions SET retired = '[]'`);
  await api.post('/api/auth/refresh', { refresh_token: first.refresh_token });
  // The reuse has ended the first session.
  const second = await login(password);
  const changed = await api.post(
    '/api/auth/change-password',
    { current_password: password, ...aNewSecret(), new_password: 'second' },
    { token: second.token },
  );
  current = anEmail();
  const moved = await api.put(
    '/api/users/me',
    { current_password: 'second', email: current, ...aNewSecret(), new_password: 'third' },
    { token: changed.body.token },
  );
  await api.post('/api/auth/logout-all', undefined, { token: moved.body.token });
  const reset = { email: current, recovery_proof: recoveryProof, ...aNewSecret(), new_password: 'fourth' };
  expect((await api.post('/api/auth/recovery/reset-password', reset)).status).toBe(200);
  const { token } = await login('fourth');

  const events = await eventsOf(api, token);
  const kinds = events.map(({ kind }) => kind).reverse();
  // The change of the password makes it in the same millisecond, so either may come first.
  expect(Math.abs(kinds.indexOf('device_forgotten') - kinds.indexOf('password_changed'))).toBe(1);
  expect(kinds.filter((kind) => kind !== 'device_forgotten')).toEqual([
    'registered',
    'login',
    'login_failed',
    'step_up_failed',
    'recovery_set_up',
    'recovery_failed',
    'session_ended',
    'token_repeated',
    'device_remembered',
    'token_reuse',
    'login',
    'password_changed',
    'email_changed',
    'logged_out_everywhere',
    'recovery_used',
    'login',
  ]);
  const { schemas } = (await api.get('/api/openapi.json')).body.components;
  const documented: string[] = schemas.SecurityEventResponse.properties.kind.anyOf[0].enum;
  // Only a module with a sign-in of its own records the first two; see examples/oidc. For the others see passkeys.spec.ts,
  // second-step.spec.ts and rotate-keys.spec.ts.
  const elsewhere = [
    'sign_in_added',
    'sign_in_removed',
    'passkey_added',
    'passkey_removed',
    'passkey_login',
    'keys_rotated',
    ...['on', 'off', 'failed'].map((each) => `second_step_${each}`),
  ];
  // See accounts-in-trouble.spec.ts and, with a mail server, email.spec.ts.
  elsewhere.push(...documented.filter((kind) => kind.startsWith('operator_')), 'erasure_asked');
  elsewhere.push('email_verified', 'email_released', 'erasure_planned', 'erasure_stopped');
  expect(new Set([...events.map(({ kind }) => kind), ...elsewhere])).toEqual(new Set(documented));
  for (const event of events)
    expect(event).toEqual({
      id: expect.any(String),
      kind: expect.any(String),
      created_at: expect.stringMatching(/Z$/),
      origin: events[0].origin,
      count: 1,
    });
});

it('gathers refusals of one network and hour, also at the same instant, so that they hide nothing', async () => {
  const home = new ClientAt(service.api.url);
  const stranger = new ClientAt(service.api.url);
  const { email, token } = await anAccount(home);
  const wrong = { email, password: aCiphertext(32) };
  const tried = await Promise.all([1, 2, 3, 4].map(() => stranger.post('/api/auth/login', wrong)));
  await home.post('/api/auth/login', wrong);
  const reached = tried.filter(({ status }) => status === 401).length;
  expect(reached).toBeGreaterThan(1);
  await until('all are counted', async () => {
    const events = await eventsOf(home, token);
    return events.reduce((sum, { count }) => sum + count, 0) === reached + 2;
  });
  const events = await eventsOf(home, token);
  expect(events.map(({ kind, count }) => [kind, count]).sort()).toEqual([
    ['login_failed', 1],
    ['login_failed', reached],
    ['registered', 1],
  ]);
});

it('tells of nothing where an email has no account, and mixes no accounts', async () => {
  const api = new ClientAt(service.api.url);
  const { token } = await anAccount(api);
  await api.post('/api/auth/login', { email: anEmail(), password: 'x' });
  const other = await anAccount(api);
  await api.post('/api/auth/login', { email: other.email, password: 'x' });
  await eventually(api, other.token, 'login_failed');
  expect((await eventsOf(api, token)).map(({ kind }) => kind)).toEqual(['registered']);
});

it('marks places apart without naming them, and marks one place differently for each account', async () => {
  const addresses = [anAddress(), anAddress(), '2001:db8:77:1::5'];
  const [home, away, elsewhere] = addresses.map((address) => new ClientAt(service.api.url, address));
  const { email, password, token } = await anAccount(home);
  for (const api of [away, elsewhere, away]) await api.post('/api/auth/login', { email, password });
  const marks = (await eventsOf(home, token)).map(({ origin }) => origin);
  expect(marks).toEqual([marks[0], marks[1], marks[0], marks[3]]);
  expect(new Set(marks).size).toBe(3);
  for (const mark of marks) expect(mark).toMatch(/^[0-9a-f]{8}$/);
  const neighbour = await anAccount(home);
  expect((await eventsOf(home, neighbour.token))[0].origin).not.toBe(marks[3]);
  for (const address of addresses) expect(await tablesHolding(service.databaseUrl, address)).toEqual([]);
});

it('pages the list, and refuses what it does not know', async () => {
  const api = new ClientAt(service.api.url);
  const { email, password, token } = await anAccount(api);
  for (let count = 0; count < 4; count++) await api.post('/api/auth/login', { email, password });
  const all = await eventsOf(api, token);
  const first = await api.get('/api/users/me/events?limit=3', { token });
  expect(first.body).toEqual(all.slice(0, 3));
  const next = /^<(.+)>; rel="next"$/.exec(first.headers.get('link') ?? '')![1];
  expect((await api.get(next, { token })).body).toEqual(all.slice(3));
  expectFailure(await api.get('/api/users/me/events?kind=login', { token }), 'validation_failed', 'kind');
});

describe('housekeeping', () => {
  it.each([
    [179, 1],
    [181, 0],
  ])('leaves %p of the events that are this many days old', async (days, left) => {
    const { token } = await anAccount(new ClientAt(service.api.url));
    await sql(
      service.databaseUrl,
      `UPDATE security_events SET created_at = now() - $2 * interval '1 day' WHERE account_id = $1`,
      [decodeToken(token).payload.sub, days],
    );
    await keepHouse(service);
    expect(await eventsOf(service.api, token)).toHaveLength(left);
  });

  it.each([
    ['sessions', 'last_used_at', 29, 31],
    ['sessions', 'created_at', 179, 181],
    ['known_addresses', 'last_login_at', 29, 31],
  ])('forgets %s by %s after %d days, not before', async (table, column, young, old) => {
    const { token } = await anAccount(new ClientAt(service.api.url));
    const id = decodeToken(token).payload.sub;
    const count = async (days: number) => {
      await sql(
        service.databaseUrl,
        `UPDATE ${table} SET ${column} = now() - $2 * interval '1 day' WHERE account_id = $1`,
        [id, days],
      );
      await keepHouse(service);
      const rows = await sql(service.databaseUrl, `SELECT 1 FROM ${table} WHERE account_id = $1`, [id]);
      return rows.length;
    };
    expect(await count(young)).toBe(1);
    expect(await count(old)).toBe(0);
  });
});
