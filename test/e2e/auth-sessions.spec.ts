import { createHash, randomUUID } from 'node:crypto';
import { type DecodedToken, decodeToken, resignToken, tablesHolding } from '@app/testing';
import { sql } from '../support/databases';
import { anAccount, type Account } from '../support/factories';
import { type SharedService, sharedService } from '../support/service';

let service: SharedService;
beforeAll(async () => (service = await sharedService()));

const refresh = (token: unknown) => service.api.post('/api/auth/refresh', { refresh_token: token });
const logout = (token: unknown) => service.api.post('/api/auth/logout', { refresh_token: token });
const login = async ({ email, password }: Account): Promise<string> =>
  (await service.api.post('/api/auth/login', { email, password })).body.refresh_token;
const isAlive = async (token: string) => (await refresh(token)).status === 200;

/** Puts a token in the place of the session's stored one, as if the service had issued it. */
async function store(token: string): Promise<void> {
  const { header, payload } = decodeToken(token);
  const hash = createHash('sha256').update(token).digest();
  const text = 'UPDATE sessions SET token_hash = $3 WHERE account_id = $1 AND id = $2 RETURNING id';
  const rows = await sql(service.databaseUrl, text, [payload.sub, header.jti.split('.')[0], hash]);
  expect(rows).toHaveLength(1);
}

describe('refresh', () => {
  it('answers exactly two tokens, and both work', async () => {
    const { refreshToken } = await anAccount(service.api);
    const { status, body } = await refresh(refreshToken);
    expect(status).toBe(200);
    expect(body).toEqual({ token: expect.any(String), refresh_token: expect.any(String) });
    expect((await service.api.get('/api/users/me', { token: body.token })).status).toBe(200);
    expect(await isAlive(body.refresh_token)).toBe(true);
  });

  it('ends the token that it was given, and no other', async () => {
    const account = await anAccount(service.api);
    const other = await login(account);
    const { body } = await refresh(account.refreshToken);
    const again = await refresh(account.refreshToken);
    expect([again.status, again.body.code]).toEqual([401, 'refresh_token_invalid']);
    expect(await isAlive(body.refresh_token)).toBe(true);
    expect(await isAlive(other)).toBe(true);
  });

  it('succeeds exactly once of 30 at once with one token', async () => {
    const { refreshToken } = await anAccount(service.api);
    const answers = await Promise.all(Array.from({ length: 30 }, () => refresh(refreshToken)));
    const winners = answers.filter(({ status }) => status === 200);
    expect(winners).toHaveLength(1);
    const losers = answers.filter(({ body }) => body.code === 'refresh_token_invalid');
    expect(losers.map(({ status }) => status)).toEqual(Array(29).fill(401));
    expect(await isAlive(winners[0].body.refresh_token)).toBe(true);
  });

  it('keeps a session alive through many rotations', async () => {
    let { refreshToken } = await anAccount(service.api);
    const seen = new Set([refreshToken]);
    for (let count = 1; count <= 8; count++) {
      const { status, body } = await refresh(refreshToken);
      expect([count, status]).toEqual([count, 200]);
      refreshToken = body.refresh_token;
      seen.add(refreshToken);
    }
    expect(seen.size).toBe(9);
  });

  it.each([
    ['garbage', () => 'garbage'],
    ['three empty parts', () => '..'],
    ['an access token', ({ token }: Account) => token],
    [
      'a token under another secret',
      ({ refreshToken }: Account) => resignToken(refreshToken, {}, 'x'.repeat(32)),
    ],
    [
      'a token of no session',
      ({ refreshToken }: Account) => resignToken(refreshToken, { header: { jti: `${randomUUID()}.x` } }),
    ],
    [
      'a token of a stranger',
      ({ refreshToken }: Account) => resignToken(refreshToken, { payload: { sub: randomUUID() } }),
    ],
  ])('refuses %s', async (_, forge) => {
    const account = await anAccount(service.api);
    const { status, body, headers } = await refresh(forge(account));
    expect([status, body.code]).toEqual([401, 'refresh_token_invalid']);
    expect(headers.get('www-authenticate')).toMatch(/^Bearer/);
    expect(await isAlive(account.refreshToken)).toBe(true);
  });

  const now = Math.floor(Date.now() / 1000);
  const FORGERIES: [string, Partial<DecodedToken>, number][] = [
    ['an issuer that changes nothing that matters', { payload: { iat: now - 60 } }, 200],
    ['the time after its expiry', { payload: { exp: now - 1 } }, 401],
    ['the type of an access token', { header: { typ: 'at+jwt' } }, 401],
    ['the type of just any token', { header: { typ: 'JWT' } }, 401],
    ['another algorithm', { header: { alg: 'HS512' } }, 401],
    ['no algorithm', { header: { alg: 'none' } }, 401],
    ['a token version that is past', { payload: { token_version: -1 } }, 401],
    ['a token version to come', { payload: { token_version: 1 } }, 401],
  ];

  it.each(FORGERIES)(
    'judges a registered token with %s by more than the registry',
    async (_, changes, expected) => {
      const { refreshToken } = await anAccount(service.api);
      const forged = resignToken(refreshToken, changes);
      await store(forged);
      expect((await refresh(forged)).status).toBe(expected);
    },
  );

  it.each([undefined, null, '', 7, 'x'.repeat(4097)])('names refresh_token when it is %p', async (value) => {
    const { status, body } = await refresh(value);
    expect([status, body.code, body.details[0].field]).toEqual([400, 'validation_failed', 'refresh_token']);
  });
});

describe('the registry of refresh tokens', () => {
  it('keeps five: of six logins the first is dead and the second lives', async () => {
    const account = await anAccount(service.api);
    const tokens: string[] = [];
    for (let count = 0; count < 6; count++) tokens.push(await login(account));
    expect(await isAlive(account.refreshToken)).toBe(false);
    expect(await isAlive(tokens[0])).toBe(false);
    for (const token of tokens.slice(1)) expect(await isAlive(token)).toBe(true);
  });

  it('counts each account for itself', async () => {
    const quiet = await anAccount(service.api);
    const busy = await anAccount(service.api);
    for (let count = 0; count < 6; count++) await login(busy);
    expect(await isAlive(quiet.refreshToken)).toBe(true);
  });

  it('keeps five also of logins at once', async () => {
    const account = await anAccount(service.api);
    const tokens = await Promise.all(Array.from({ length: 12 }, () => login(account)));
    const alive = await Promise.all(tokens.map(isAlive));
    expect(alive.filter(Boolean)).toHaveLength(5);
  });

  it('takes a refreshed token for a new one when it looks for the oldest', async () => {
    const account = await anAccount(service.api);
    const second = await login(account);
    const { body } = await refresh(account.refreshToken);
    for (let count = 0; count < 4; count++) await login(account);
    expect(await isAlive(second)).toBe(false);
    expect(await isAlive(body.refresh_token)).toBe(true);
  });

  it('has no token in clear', async () => {
    const { refreshToken, token } = await anAccount(service.api);
    const { body } = await refresh(refreshToken);
    for (const secret of [refreshToken, token, body.refresh_token, body.token]) {
      expect(await tablesHolding(service.databaseUrl, secret)).toEqual([]);
      expect(await tablesHolding(service.databaseUrl, secret.split('.')[2])).toEqual([]);
    }
    const hash = createHash('sha256').update(body.refresh_token).digest('hex');
    expect(await tablesHolding(service.databaseUrl, hash)).toEqual(['sessions']);
  });
});

describe('logout', () => {
  it('answers 204 with nothing, and the token is dead', async () => {
    const { refreshToken } = await anAccount(service.api);
    const { status, text } = await logout(refreshToken);
    expect([status, text]).toEqual([204, '']);
    const { status: refused, body } = await refresh(refreshToken);
    expect([refused, body.code]).toEqual([401, 'refresh_token_invalid']);
  });

  it('leaves the other sessions of the account alone', async () => {
    const account = await anAccount(service.api);
    const other = await login(account);
    await logout(account.refreshToken);
    expect(await isAlive(other)).toBe(true);
  });

  it('leaves no token alive when it races with a refresh', async () => {
    const { refreshToken } = await anAccount(service.api);
    const [{ status: ended }, { status, body }] = await Promise.all([
      logout(refreshToken),
      refresh(refreshToken),
    ]);
    expect(ended).toBe(204);
    expect(await isAlive(refreshToken)).toBe(false);
    if (status === 200) expect(await isAlive(body.refresh_token)).toBe(false);
  });

  it.each([
    ['garbage', () => 'garbage'],
    ['an access token', ({ token }: Account) => token],
    ['a forged token', ({ refreshToken }: Account) => resignToken(refreshToken, {}, 'x'.repeat(32))],
    ['an expired token', ({ refreshToken }: Account) => resignToken(refreshToken, { payload: { exp: 1 } })],
    [
      'an unknown token',
      ({ refreshToken }: Account) => resignToken(refreshToken, { header: { jti: `${randomUUID()}.x` } }),
    ],
  ])('answers 204 also for %s, and ends no session', async (_, forge) => {
    const account = await anAccount(service.api);
    const { status, text } = await logout(forge(account));
    expect([status, text]).toEqual([204, '']);
    expect(await isAlive(account.refreshToken)).toBe(true);
  });

  it('ends the session also with a token that was exchanged, and answers 204 to a repeat', async () => {
    const account = await anAccount(service.api);
    const { body } = await refresh(account.refreshToken);
    expect((await logout(account.refreshToken)).status).toBe(204);
    expect((await logout(account.refreshToken)).status).toBe(204);
    expect(await isAlive(body.refresh_token)).toBe(false);
  });

  it('names refresh_token when it is missing', async () => {
    const { status, body } = await logout(undefined);
    expect([status, body.details[0].field]).toEqual([400, 'refresh_token']);
  });
});
