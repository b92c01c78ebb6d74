import { setTimeout } from 'node:timers/promises';
import { Database } from '@app/database';
import { EndedSessions } from '@app/security';
import { type Api, decodeToken, expectFailure } from '@app/testing';
import { createDatabase, dropDatabase } from '../support/databases';
import { type Account, anAccount } from '../support/factories';
import { type ServiceHere, startServiceHere } from '../support/service-here';
import { until } from '../support/until';

const RACES = 100 * Number(process.env.TEST_LONG ?? 1);

let databaseUrl: string;
let replicas: ServiceHere[];
let api: Api;
beforeAll(async () => {
  databaseUrl = await createDatabase();
  const environment = { DATABASE_URL: databaseUrl };
  replicas = [await startServiceHere(environment), await startServiceHere(environment)];
  api = replicas[0].api;
});
afterAll(async () => {
  for (const replica of replicas) await replica.stop();
  await dropDatabase(databaseUrl);
});

const apiOf = (index: number) => replicas[index % 2].api;
const refresh = (to: Api, token: string) => to.post('/api/auth/refresh', { refresh_token: token });
const logout = async (to: Api, token: string) =>
  expect((await to.post('/api/auth/logout', { refresh_token: token })).status).toBe(204);
const read = (to: Api, token: string) => to.get('/api/profiles', { token });
const signIn = async ({ email, password }: Account, to = api) =>
  (await to.post('/api/auth/login', { email, password })).body;
const sessionOf = (token: string): string => decodeToken(token).header.jti.split('.')[0];
const eventsOf = async (token: string): Promise<string[]> =>
  (await api.get('/api/users/me/events', { token })).body.map(({ kind }: { kind: string }) => kind);

it('a sign-out with a token that a thief has exchanged ends the session of the thief, and is an event', async () => {
  const account = await anAccount(api);
  const stolen = await signIn(account);
  const { body: thief } = await refresh(api, stolen.refresh_token);
  await logout(api, stolen.refresh_token);
  for (const token of [stolen.token, thief.token]) expectFailure(await read(api, token), 'token_revoked');
  expectFailure(await refresh(api, thief.refresh_token), 'refresh_token_invalid');
  expect((await eventsOf(account.token))[0]).toBe('token_repeated');
  expect((await read(api, account.token)).status).toBe(200);
});

it('a sign-out with the current token is the event of an ended session, and only once', async () => {
  const account = await anAccount(api);
  const other = await signIn(account);
  await logout(api, other.refresh_token);
  await logout(api, other.refresh_token);
  expectFailure(await read(api, other.token), 'token_revoked');
  expect(await eventsOf(account.token)).toEqual(['session_ended', 'login', 'registered']);
});

it.each([
  ['a text that is no token', () => Promise.resolve('x')],
  ['an access token', async (account: Account) => (await signIn(account)).token as string],
])('a sign-out with %s ends nothing', async (_, aToken) => {
  const account = await anAccount(api);
  const token = await aToken(account);
  await logout(api, token);
  expect((await read(api, account.token)).status).toBe(200);
  expect(await eventsOf(account.token)).not.toContain('session_ended');
});

it('no statement of an ended session issues or ends anything, before its process knows of the end', async () => {
  const account = await anAccount(api);
  const ended = await signIn(account);
  // The other process ends it, and this one has not read its list yet.
  await logout(apiOf(1), ended.refresh_token);
  const reading = jest.spyOn(replicas[0].app.get(EndedSessions), 'has').mockReturnValue(false);
  const { token } = ended;
  const secret = { current_password: account.password };
  try {
    for (const answer of [
      await api.post('/api/auth/device-token', secret, { token }),
      await api.get('/api/users/me/device-tokens', { token }),
      await api.delete('/api/users/me/device-tokens/x', undefined, { token }),
      await api.delete(`/api/auth/sessions/${sessionOf(account.token)}`, undefined, { token }),
      await api.post('/api/auth/logout-all', undefined, { token }),
      await api.post('/api/users/me/delete', secret, { token }),
      await api.get('/api/users/me', { token }),
    ])
      expectFailure(answer, 'token_revoked');
  } finally {
    reading.mockRestore();
  }
  expect((await read(api, account.token)).status).toBe(200);
  expect((await refresh(api, account.refreshToken)).status).toBe(200);
});

it('another process refuses the access tokens of an ended session soon', async () => {
  const account = await anAccount(api);
  const other = await signIn(account);
  expect((await read(apiOf(1), other.token)).status).toBe(200);
  await logout(api, other.refresh_token);
  await until(
    'the other process refuses the token',
    async () => (await read(apiOf(1), other.token)).status === 401,
  );
  expect((await read(apiOf(1), account.token)).status).toBe(200);
});

it('the sixth session ends the access tokens of the first', async () => {
  const account = await anAccount(api);
  let last = account.token;
  for (let count = 0; count < 5; count++) last = (await signIn(account)).token;
  await replicas[0].app.get(EndedSessions).reload();
  expectFailure(await read(api, account.token), 'token_revoked');
  expect((await read(api, last)).status).toBe(200);
  expect((await api.get('/api/auth/sessions', { token: last })).body).toHaveLength(5);
});

it(`leaves no successor when a refresh races it over two processes, ${RACES} times`, async () => {
  const account = await anAccount(api);
  const database = replicas[0].app.get(Database);
  let refreshed = 0;
  for (let race = 1; race <= RACES; race++) {
    const { refresh_token: token } = await signIn(account, apiOf(race));
    const exchange = () => refresh(apiOf(race), token);
    const end = () => logout(apiOf(race + 1), token);
    // On a busy machine the exchange would win each time. So the sign-out begins up to 20 ms earlier, or is over.
    const headStart = (race * 2) % 22;
    const ending = race % 2 ? undefined : end();
    if (ending) await (headStart === 0 ? ending : setTimeout(headStart));
    const answers = await Promise.all([exchange(), ending ?? end()]);
    const won = answers.find((answer) => answer?.status === 200);
    if (won) refreshed++;
    const left = await database.query(
      { name: 'left', text: 'SELECT id FROM sessions WHERE account_id = $1 AND id = $2' },
      [decodeToken(account.token).payload.sub, sessionOf(token)],
    );
    expect([race, left]).toEqual([race, []]);
    if (won) expect([race, (await refresh(api, won.body.refresh_token)).status]).toEqual([race, 401]);
  }
  // Without winners of both kinds there was no race.
  expect(refreshed).toBeGreaterThan(0);
  expect(refreshed).toBeLessThan(RACES);
}, 300_000);
