import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Api, decodeToken, expectFailure } from '@app/testing';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { type Account, anAccount } from '../support/factories';
import { startService, type TestService } from '../support/service';

/** Head starts come round every 20. */
const ROUNDS = 20 * Math.ceil(Number(process.env.TEST_LONG ?? 1) / 2);

const refresh = (api: Api, token: string) => api.post('/api/auth/refresh', { refresh_token: token });
const isAlive = async (api: Api, token: string) => (await refresh(api, token)).status === 200;
const rotate = async (api: Api, token: string): Promise<string> => {
  const { status, body } = await refresh(api, token);
  expect(status).toBe(200);
  return body.refresh_token;
};
const signIn = async (api: Api, { email, password }: Account, label?: string) =>
  (await api.post('/api/auth/login', { email, password, device_label: label })).body;
const sessionOf = (token: string): string => decodeToken(token).header.jti.split('.')[0];

describe('one service', () => {
  let service: TestService;
  let api: Api;
  beforeAll(async () => {
    service = await startService();
    api = service.api;
  });
  afterAll(() => service.stop());

  /** Lets the exchanges of a session be some seconds older than they are. */
  const age = (token: string, seconds: number) =>
    sql(
      service.databaseUrl,
      `UPDATE sessions SET retired = (
        SELECT coalesce(jsonb_agg(r || jsonb_build_object('at', (r->>'at')::timestamptz - $2 * interval '1 second')), '[]')
        FROM jsonb_array_elements(retired) r) WHERE id = $1`,
      [sessionOf(token), seconds],
    );
  const eventsOf = async (token: string): Promise<string[]> =>
    (await api.get('/api/users/me/events', { token })).body.map(({ kind }: { kind: string }) => kind);

  describe('a rotated token that is used again', () => {
    it.each([0, 9])(
      '%d seconds after its rotation is a plain 401, and the session lives',
      async (seconds) => {
        const { token, refreshToken } = await anAccount(api);
        const next = await rotate(api, refreshToken);
        await age(refreshToken, seconds);
        expectFailure(await refresh(api, refreshToken), 'refresh_token_invalid');
        expect(await isAlive(api, next)).toBe(true);
        expect(await eventsOf(token)).toEqual(['token_repeated', 'registered']);
      },
    );

    it('later than 10 seconds ends the whole line and no other, and the owner hears of it', async () => {
      const account = await anAccount(api);
      const other = await signIn(api, account);
      const next = await rotate(api, account.refreshToken);
      await age(next, 10.1);
      expectFailure(await refresh(api, account.refreshToken), 'refresh_token_invalid');
      expectFailure(await refresh(api, next), 'refresh_token_invalid');
      expect(await isAlive(api, other.refresh_token)).toBe(true);
      expect((await eventsOf(other.token)).filter((kind) => kind === 'token_reuse')).toHaveLength(1);
    });

    it('ends the line however many rotations ago it was live', async () => {
      const { refreshToken } = await anAccount(api);
      let live = refreshToken;
      for (let count = 0; count < 3; count++) {
        live = await rotate(api, live);
        await age(live, 11);
      }
      live = await rotate(api, live);
      await refresh(api, refreshToken);
      expect(await isAlive(api, live)).toBe(false);
    });

    it('keeps every exchange of the last ten seconds apart from theft', async () => {
      const { refreshToken } = await anAccount(api);
      const line = [refreshToken];
      for (let count = 0; count < 4; count++) line.push(await rotate(api, line.at(-1)!));
      for (const old of line.slice(0, -1)) expect((await refresh(api, old)).status).toBe(401);
      expect(await isAlive(api, line.at(-1)!)).toBe(true);
    });
  });

  describe('a token that was not rotated but ended', () => {
    /** Each ends the account's first session, and returns an access token of another one. */
    const endings: [string, (account: Account, other: string) => Promise<string>][] = [
      [
        'logged out',
        async ({ refreshToken }, other) => {
          await api.post('/api/auth/logout', { refresh_token: refreshToken });
          return other;
        },
      ],
      [
        'evicted',
        async (account) => {
          for (let count = 0; count < 4; count++) await signIn(api, account);
          // The eviction has taken the other one as well.
          return (await signIn(api, account)).token;
        },
      ],
      [
        'ended from the list',
        async ({ refreshToken }, token) => {
          await api.delete(`/api/auth/sessions/${sessionOf(refreshToken)}`, undefined, { token });
          return token;
        },
      ],
    ];

    it.each(endings)(
      'because it was %s is a plain 401: no other session ends, no theft is told',
      async (_, end) => {
        const account = await anAccount(api);
        const asker = await signIn(api, account);
        const other = await end(account, asker.token);
        expectFailure(await refresh(api, account.refreshToken), 'refresh_token_invalid');
        const left = (await api.get('/api/auth/sessions', { token: other })).body;
        expect(left.map(({ id }: { id: string }) => id)).toContain(sessionOf(other));
        expect(await eventsOf(other)).not.toContain('token_reuse');
      },
    );
  });

  it.each([
    [179, 200],
    [181, 401],
  ])('a line of %d days is answered %d, though it was refreshed a moment ago', async (days, status) => {
    const { refreshToken } = await anAccount(api);
    const live = await rotate(api, refreshToken);
    await sql(
      service.databaseUrl,
      `UPDATE sessions SET created_at = now() - $2 * interval '1 day' WHERE id = $1`,
      [sessionOf(live), days],
    );
    expect((await refresh(api, live)).status).toBe(status);
  });

  describe('logout-all', () => {
    it('raises token_version: every token of the account is dead at once, and of no other account', async () => {
      const account = await anAccount(api);
      const stranger = await anAccount(api);
      const other = await signIn(api, account);
      expect((await api.post('/api/auth/logout-all', undefined, { token: account.token })).status).toBe(204);
      for (const token of [account.token, other.token]) {
        for (const path of ['/api/users/me', '/api/profiles', '/api/auth/sessions', '/api/users/me/events'])
          expectFailure(await api.get(path, { token }), 'token_revoked');
        expectFailure(
          await api.post('/api/interactions/check', { medications: [] }, { token }),
          'token_revoked',
        );
      }
      for (const token of [account.refreshToken, other.refresh_token])
        expectFailure(await refresh(api, token), 'refresh_token_invalid');
      expect(await isAlive(api, stranger.refreshToken)).toBe(true);
      const { token } = await signIn(api, account);
      expect((await api.get('/api/users/me', { token })).body.token_version).toBe(1);
      expect(await eventsOf(token)).toEqual(['login', 'logged_out_everywhere', 'login', 'registered']);
    });

    it('works once with one token', async () => {
      const { token } = await anAccount(api);
      await api.post('/api/auth/logout-all', undefined, { token });
      expectFailure(await api.post('/api/auth/logout-all', undefined, { token }), 'token_revoked');
    });
  });

  describe('the list of sessions', () => {
    it('shows id, times, label and which one is asking, last used first', async () => {
      const account = await anAccount(api, { device_label: 'Old phone' });
      const tablet = await signIn(api, account, "Ana's tablet");
      const nameless = await signIn(api, account);
      await rotate(api, account.refreshToken);
      const { status, body } = await api.get('/api/auth/sessions', { token: tablet.token });
      expect(status).toBe(200);
      const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      const row = (token: string, device_label: string | null, current: boolean) => ({
        id: sessionOf(token),
        created_at: instant,
        last_used_at: instant,
        current,
        device_label,
      });
      expect(body).toEqual([
        row(account.refreshToken, 'Old phone', false),
        row(nameless.refresh_token, null, false),
        row(tablet.refresh_token, "Ana's tablet", true),
      ]);
    });

    it('ends a session: its refresh token and its access tokens, and no other', async () => {
      const account = await anAccount(api);
      const lost = await signIn(api, account);
      const path = `/api/auth/sessions/${sessionOf(lost.refresh_token)}`;
      expect((await api.get('/api/profiles', { token: lost.token })).status).toBe(200);
      expect((await api.delete(path, undefined, { token: account.token })).status).toBe(204);
      expectFailure(await refresh(api, lost.refresh_token), 'refresh_token_invalid');
      expectFailure(await api.get('/api/profiles', { token: lost.token }), 'token_revoked');
      expect((await api.get('/api/profiles', { token: account.token })).status).toBe(200);
      expect(await isAlive(api, account.refreshToken)).toBe(true);
      expectFailure(await api.delete(path, undefined, { token: account.token }), 'not_found');
    });

    it.each(['unknown', 'malformed', "another account's"])(
      'answers 404 to an id that is %s',
      async (what) => {
        const { token } = await anAccount(api);
        const { refreshToken } = await anAccount(api);
        const ids: Record<string, string> = { unknown: randomUUID(), malformed: 'x' };
        const id = ids[what] ?? sessionOf(refreshToken);
        expectFailure(await api.delete(`/api/auth/sessions/${id}`, undefined, { token }), 'not_found');
        expect(await isAlive(api, refreshToken)).toBe(true);
      },
    );

    it.each(['', 'x'.repeat(65), 'line\nfeed', '\u202etxt', 7, null, {}])(
      'refuses the label %p',
      async (label) => {
        const { email, password } = await anAccount(api);
        const answer = await api.post('/api/auth/login', { email, password, device_label: label });
        expectFailure(answer, 'validation_failed', 'device_label');
      },
    );
  });
});

describe('two replicas on one database', () => {
  let databaseUrl: string;
  let replicas: TestService[];
  beforeAll(async () => {
    databaseUrl = await createDatabase();
    const environment = { DATABASE_URL: databaseUrl };
    replicas = [await startService(environment), await startService(environment)];
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.stop();
    await dropDatabase(databaseUrl);
  });
  const apiOf = (index: number) => replicas[index % 2].api;

  it('have one winner in a refresh storm, round after round', async () => {
    let { refreshToken } = await anAccount(apiOf(0));
    for (let round = 1; round <= 5; round++) {
      const answers = await Promise.all(
        Array.from({ length: 30 }, (_, index) => refresh(apiOf(index), refreshToken)),
      );
      const winners = answers.filter(({ status }) => status === 200);
      expect([round, winners.length]).toEqual([round, 1]);
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(29);
      refreshToken = winners[0].body.refresh_token;
    }
    expect(await isAlive(apiOf(1), refreshToken)).toBe(true);
  });

  it('leave no live token when a refresh races a logout-all', async () => {
    const account = await anAccount(apiOf(0));
    const accountId = decodeToken(account.token).payload.sub;
    let refreshed = 0;
    for (let round = 1; round <= ROUNDS; round++) {
      const { token, refresh_token: refreshToken } = await signIn(apiOf(round), account);
      const race = [
        () => refresh(apiOf(round), refreshToken),
        () => apiOf(round + 1).post('/api/auth/logout-all', undefined, { token }),
      ];
      // Now one has the head start, now the other, by 0 to 90 ms: a machine may be slow.
      const [first, second] = round % 2 ? race : race.reverse();
      const headStart = sleep((Math.floor(round / 2) % 10) * 10);
      const answers = await Promise.all([first(), headStart.then(second)]);
      const [{ status, body }, ended] = round % 2 ? answers : answers.reverse();
      expect([round, ended.status]).toEqual([round, 204]);
      if (status === 200) refreshed++;
      const alive = await sql(databaseUrl, 'SELECT id FROM sessions WHERE account_id = $1', [accountId]);
      expect([round, alive]).toEqual([round, []]);
      const left = status === 200 ? [refreshToken, body.refresh_token] : [refreshToken];
      for (const each of left)
        expect([round, (await refresh(apiOf(round), each)).status]).toEqual([round, 401]);
      const access = status === 200 ? [token, body.token] : [token];
      for (const each of access)
        expect([round, (await apiOf(round).get('/api/profiles', { token: each })).status]).toEqual([
          round,
          401,
        ]);
    }
    // Where one side always came first, there was no race.
    expect(refreshed).toBeGreaterThan(0);
    expect(refreshed).toBeLessThan(ROUNDS);
  });
});
