import type { Answer } from '../support/api';
import { anEmail } from '../support/factories';
import { aNewSecret } from '../support/secrets';
import { startService, type TestService } from '../support/service';
import { decodeToken, encodeTokenPart, resignToken } from '../support/tokens';
import { type Operation, readOperations, readRouteTable, type Route } from './route-table';
import { attempt, aWorld, contentsOf, Findings, urlOf, type World } from './world';

const OTHER_SECRET = 'a secret that only a stranger knows, long enough';
const NOBODY = '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c11';
const PAST = Math.floor(Date.now() / 1000) - 1;

/** What a caller may send in place of a good token: the whole header, from the world's tokens, and the right code. */
const BAD_HEADERS: [what: string, header: (world: World) => string | undefined, code: string][] = [
  ['no header', () => undefined, 'token_missing'],
  ['an empty header', () => '', 'token_missing'],
  ['a scheme alone', () => 'Bearer', 'token_missing'],
  ['another scheme', ({ account }) => `Basic ${account.token}`, 'token_missing'],
  ['a token without a scheme', ({ account }) => account.token, 'token_missing'],
  ['a long word', () => 'a'.repeat(8_000), 'token_missing'],
  ['garbage', () => 'Bearer garbage', 'token_invalid'],
  ['long garbage', () => `Bearer ${'a'.repeat(8_000)}`, 'token_invalid'],
  ['garbage in three parts', () => 'Bearer a.b.c', 'token_invalid'],
  ['empty parts', () => 'Bearer ..', 'token_invalid'],
  ['a header that is null', () => `Bearer ${encodeTokenPart(null)}.e30.c2ln`, 'token_invalid'],
  ['a token cut short', ({ account }) => `Bearer ${account.token.slice(0, -1)}`, 'token_invalid'],
  [
    'a token without its signature',
    ({ account }) => `Bearer ${account.token.replace(/[^.]+$/, '')}`,
    'token_invalid',
  ],
  ['an expired token', resigned({ payload: { exp: PAST } }), 'token_expired'],
  ['algorithm HS512', resigned({ header: { alg: 'HS512' } }), 'token_invalid'],
  ['algorithm HS384', resigned({ header: { alg: 'HS384' } }), 'token_invalid'],
  ['algorithm RS256', resigned({ header: { alg: 'RS256' } }), 'token_invalid'],
  ['algorithm none', resigned({ header: { alg: 'none' } }), 'token_invalid'],
  [
    'algorithm None',
    ({ account }) => `Bearer ${withHeader(account.token, { alg: 'None' })}`,
    'token_invalid',
  ],
  ['the refresh token', ({ account }) => `Bearer ${account.refreshToken}`, 'token_invalid'],
  ['the type of a refresh token', resigned({ header: { typ: 'rt+jwt' } }), 'token_invalid'],
  ['the type of just any token', resigned({ header: { typ: 'JWT' } }), 'token_invalid'],
  ['no type', resigned({ header: { typ: undefined } }), 'token_invalid'],
  ['another secret', resigned({}, OTHER_SECRET), 'token_invalid'],
  ['an empty secret', resigned({}, ''), 'token_invalid'],
  [
    'a changed account',
    ({ account }) => `Bearer ${withPayload(account.token, { sub: NOBODY })}`,
    'token_invalid',
  ],
  ['an account that never was', resigned({ payload: { sub: NOBODY, user_id: NOBODY } }), 'token_revoked'],
  ['an account that is no id', resigned({ payload: { sub: `' OR true --` } }), 'token_invalid'],
  ['a token version to come', resigned({ payload: { token_version: 1 } }), 'token_revoked'],
  ['a token version that is no number', resigned({ payload: { token_version: '0' } }), 'token_invalid'],
  ['no token version', resigned({ payload: { token_version: undefined } }), 'token_invalid'],
  ['a time that has not come', resigned({ payload: { nbf: PAST + 3600 } }), 'token_invalid'],
];

function resigned(changes: Parameters<typeof resignToken>[1], secret?: string) {
  return ({ account }: World) => `Bearer ${resignToken(account.token, changes, secret)}`;
}

/** The token with its signature as it was, which no longer fits. */
function withPayload(token: string, changes: object): string {
  const [header, , signature] = token.split('.');
  return [header, encodeTokenPart({ ...decodeToken(token).payload, ...changes }), signature].join('.');
}

function withHeader(token: string, changes: object): string {
  const [, payload] = token.split('.');
  return `${encodeTokenPart({ ...decodeToken(token).header, ...changes })}.${payload}.`;
}

describe('every protected route', () => {
  let service: TestService;
  let operations: Operation[];
  let heads: Route[];
  let world: World;
  let contents: unknown[];
  let cases = 0;

  const withToken = ({ account }: World) => ({ token: account.token });

  /** What ends every access token of an account. */
  const ENDINGS: Record<string, (world: World) => Promise<Answer>> = {
    'a change of the password': (ended) => {
      const body = { current_password: ended.account.password, ...aNewSecret() };
      return service.api.post('/api/auth/change-password', body, withToken(ended));
    },
    'a change of the email': (ended) => {
      const body = { email: anEmail(), current_password: ended.account.password, ...aNewSecret() };
      return service.api.put('/api/users/me', body, withToken(ended));
    },
    'a reset by the recovery phrase': async (ended) => {
      const { email, password } = ended.account;
      const proof = { current_password: password, recovery_proof: 'proof' };
      await service.api.post('/api/auth/recovery/setup', proof, withToken(ended));
      const body = { email, recovery_proof: 'proof', ...aNewSecret() };
      return service.api.post('/api/auth/recovery/reset-password', body);
    },
    'a logout of every device': (ended) =>
      service.api.post('/api/auth/logout-all', undefined, withToken(ended)),
    'the end of the account': (ended) => {
      const body = { current_password: ended.account.password };
      return service.api.post('/api/users/me/delete', body, withToken(ended));
    },
  };

  beforeAll(async () => {
    service = await startService();
    operations = (await readOperations(service)).filter(({ isProtected }) => isProtected);
    const closed = new Set(operations.map(({ path }) => path));
    heads = readRouteTable(service).filter(({ method, path }) => method === 'HEAD' && closed.has(path));
    expect(operations.length).toBeGreaterThan(30);
    expect(heads.length).toBeGreaterThan(10);
    world = await aWorld(service.api);
    contents = await contentsOf(service.api, world);
    expect(contents.flat().length).toBeGreaterThan(5);
  });
  afterAll(async () => {
    process.stdout.write(
      `Bad access tokens: ${cases} cases on ${operations.length + heads.length} routes.\n`,
    );
    await service.stop();
  });

  /** Tries every route in this world and notes each that does not refuse with this code. */
  async function findingsOf(of: World, authorization: string | undefined, code: string): Promise<Findings> {
    const findings = new Findings();
    const challenge = code === 'token_missing' ? 'Bearer' : 'Bearer error="invalid_token"';
    const headers = authorization === undefined ? undefined : { Authorization: authorization };
    for (const operation of operations) {
      const answer = await attempt(service.api, operation, of, { token: '', headers });
      const seen = [answer.status, answer.body?.code, answer.headers.get('www-authenticate')];
      findings.expect(operation, 'refused', seen, [401, code, challenge]);
    }
    for (const route of heads) {
      const { status } = await service.api.call('HEAD', urlOf(route.path, of.ids), undefined, { headers });
      findings.expect(route, 'refused', status, 401);
    }
    cases += findings.cases;
    return findings;
  }

  it.each(BAD_HEADERS)('refuses %s, and nothing happens', async (_, header, code) => {
    const findings = await findingsOf(world, header(world), code);
    expect(findings.wrong).toEqual([]);
    expect(await contentsOf(service.api, world)).toEqual(contents);
  });

  it.each(Object.keys(ENDINGS))('refuses a token from before %s', async (ending) => {
    const ended = await aWorld(service.api);
    const { status } = await ENDINGS[ending](ended);
    expect(status).toBeLessThan(300);
    const findings = await findingsOf(ended, `Bearer ${ended.account.token}`, 'token_revoked');
    expect(findings.wrong).toEqual([]);
  });

  it.each(['Bearer', 'bearer', 'BEARER'])(
    'takes the token of which all bad ones are copies, as %s',
    async (scheme) => {
      const headers = { Authorization: `${scheme} ${resignToken(world.account.token, {})}` };
      expect((await service.api.get('/api/users/me', { headers })).status).toBe(200);
    },
  );
});
