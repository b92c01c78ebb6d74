import type { Answer } from '../api';
import { type Check, expectSame, expectTrue, Findings } from '../check';
import { nameOf, readProtectedOperations, readRouteTable } from '../document';
import { aNewSecret, anEmail } from '../factories';
import { type Registry } from '../record-kind';
import type { TestService } from '../service';
import { decodeToken, encodeTokenPart, resignToken } from '../tokens';
import { attempt, aWorld, contentsOf, type World } from '../world';

const OTHER_SECRET = 'a secret that only a stranger knows, long enough';
const NOBODY = '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c11';
const LONG_AGO = 1_700_000_000;
const FAR_AHEAD = 32_000_000_000;

type Header = (world: World) => string | undefined;

/**
 * Headers that a caller may send instead of a valid token, each with the expected error code. A header is
 * made from the tokens of the world.
 */
const BAD_HEADERS: [what: string, header: Header, code: string][] = [
  ['no header', () => undefined, 'token_missing'],
  ['an empty header', () => '', 'token_missing'],
  ['a scheme alone', () => 'Bearer', 'token_missing'],
  ['another scheme', ({ token }) => `Basic ${token}`, 'token_missing'],
  ['a token without a scheme', ({ token }) => token, 'token_missing'],
  ['a long word', () => 'a'.repeat(8_000), 'token_missing'],
  ['garbage', () => 'Bearer garbage', 'token_invalid'],
  ['long garbage', () => `Bearer ${'a'.repeat(8_000)}`, 'token_invalid'],
  ['garbage in three parts', () => 'Bearer a.b.c', 'token_invalid'],
  ['empty parts', () => 'Bearer ..', 'token_invalid'],
  ['a header that is null', () => `Bearer ${encodeTokenPart(null)}.e30.c2ln`, 'token_invalid'],
  ['a token cut short', ({ token }) => `Bearer ${token.slice(0, -1)}`, 'token_invalid'],
  ['a token without its signature', ({ token }) => `Bearer ${token.replace(/[^.]+$/, '')}`, 'token_invalid'],
  ['an expired token', resigned({ payload: { exp: LONG_AGO } }), 'token_expired'],
  ['algorithm HS512', resigned({ header: { alg: 'HS512' } }), 'token_invalid'],
  ['algorithm HS384', resigned({ header: { alg: 'HS384' } }), 'token_invalid'],
  ['algorithm RS256', resigned({ header: { alg: 'RS256' } }), 'token_invalid'],
  ['algorithm none', resigned({ header: { alg: 'none' } }), 'token_invalid'],
  ['algorithm None', ({ token }) => `Bearer ${withHeader(token, { alg: 'None' })}`, 'token_invalid'],
  ['the refresh token', ({ account }) => `Bearer ${account.refreshToken}`, 'token_invalid'],
  ['the type of a refresh token', resigned({ header: { typ: 'rt+jwt' } }), 'token_invalid'],
  ['the type of just any token', resigned({ header: { typ: 'JWT' } }), 'token_invalid'],
  ['an extension that must be understood', resigned({ header: { crit: ['exp'] } }), 'token_invalid'],
  ['no type', resigned({ header: { typ: undefined } }), 'token_invalid'],
  ['another secret', resigned({}, OTHER_SECRET), 'token_invalid'],
  ['an empty secret', resigned({}, ''), 'token_invalid'],
  ['a changed account', ({ token }) => `Bearer ${withPayload(token, { sub: NOBODY })}`, 'token_invalid'],
  ['an account that never was', resigned({ payload: { sub: NOBODY, user_id: NOBODY } }), 'token_revoked'],
  ['an account that is no id', resigned({ payload: { sub: `' OR true --` } }), 'token_invalid'],
  ['a token version to come', resigned({ payload: { token_version: 1 } }), 'token_revoked'],
  ['a token version that is no number', resigned({ payload: { token_version: '0' } }), 'token_invalid'],
  ['no token version', resigned({ payload: { token_version: undefined } }), 'token_invalid'],
  ['a time that has not come', resigned({ payload: { nbf: FAR_AHEAD } }), 'token_invalid'],
];

function resigned(changes: Parameters<typeof resignToken>[1], secret?: string): Header {
  return ({ token }) => `Bearer ${resignToken(token, changes, secret)}`;
}

/** Changes the payload of the token and keeps the old signature, which is then invalid. */
function withPayload(token: string, changes: object): string {
  const [header, , signature] = token.split('.');
  return [header, encodeTokenPart({ ...decodeToken(token).payload, ...changes }), signature].join('.');
}

function withHeader(token: string, changes: object): string {
  const [, payload] = token.split('.');
  return `${encodeTokenPart({ ...decodeToken(token).header, ...changes })}.${payload}.`;
}

/** What succeeds only after something that no example can hold: a factor, a code of an app, a mail server, another member. */
const NEEDS_MORE = new Set([
  'POST /api/users/me/rotate-keys',
  'PUT /api/users/me/second-step',
  'POST /api/users/me/second-step/totp/confirm',
  'POST /api/users/me/email/verification',
  'PUT /api/users/me/keys',
  'POST /api/invitations/open',
  'POST /api/invitations/accept',
  'POST /api/space/rekey',
  'POST /api/space/roles',
  'POST /api/space/leave',
]);

type Service = () => TestService;
type Ending = (service: TestService, world: World) => Promise<Answer>;

/** Requests that end every access token of an account. */
const ENDINGS: Record<string, Ending> = {
  'a change of the password': ({ api }, { account, token }) =>
    api.post('/api/auth/change-password', { current_password: account.password, ...aNewSecret() }, { token }),
  'a change of the email': ({ api }, { account, token }) => {
    const body = { email: anEmail(), current_password: account.password, ...aNewSecret() };
    return api.put('/api/users/me', body, { token });
  },
  'a reset by the recovery phrase': async ({ api }, { account: { email, password }, token }) => {
    const proof = { current_password: password, recovery_proof: 'proof' };
    await api.post('/api/auth/recovery/setup', proof, { token });
    const body = { email, recovery_proof: 'proof', ...aNewSecret() };
    return api.post('/api/auth/recovery/reset-password', body);
  },
  'a logout of every device': ({ api }, { token }) => api.post('/api/auth/logout-all', undefined, { token }),
  'the deletion of the account': ({ api }, { account, token }) =>
    api.post('/api/users/me/delete', { current_password: account.password }, { token }),
};

/** Every protected route of the document refuses every invalid token. */
export function accessChecks(service: Service, registry: Registry): Check[] {
  /** Nothing happens to it, which each check makes sure of: so one is enough for all. */
  let untouched: Promise<World> | undefined;
  const isRefusedEverywhere = async (world: World, authorization: string | undefined, code: string) => {
    const { api, app } = service();
    const findings = new Findings();
    const challenge = code === 'token_missing' ? 'Bearer' : 'Bearer error="invalid_token"';
    const headers: Record<string, string> =
      authorization === undefined ? {} : { Authorization: authorization };
    const operations = await readProtectedOperations(api);
    for (const operation of operations) {
      const answer = await attempt(api, operation, world, { token: '', headers });
      const seen = [answer.status, answer.body?.code, answer.headers.get('www-authenticate')];
      findings.expect(nameOf(operation), 'refused', seen, [401, code, challenge]);
    }
    const closed = new Set(operations.map(({ path }) => path));
    const heads = readRouteTable(app).filter(({ method, path }) => method === 'HEAD' && closed.has(path));
    for (const head of heads) {
      const operation = operations.find(({ method, path }) => method === 'GET' && path === head.path)!;
      const { status } = await attempt(api, { ...operation, ...head }, world, { token: '', headers });
      findings.expect(nameOf(head), 'refused', status, 401);
    }
    expectTrue(heads.length > 10, `Only ${heads.length} routes answer HEAD.`);
    findings.verdict(4 * registry.kinds.length);
  };
  return [
    ...BAD_HEADERS.map(([what, header, code]) => ({
      name: `every protected route refuses ${what}, and nothing happens`,
      run: async () => {
        const { api } = service();
        const world = await (untouched ??= aWorld(api, registry));
        const contents = await contentsOf(api, world, registry);
        await isRefusedEverywhere(world, header(world), code);
        expectSame(await contentsOf(api, world, registry), contents);
      },
    })),
    ...Object.entries(ENDINGS).map(([what, end]) => ({
      name: `every protected route refuses a token from before ${what}`,
      run: async () => {
        const world = await aWorld(service().api, registry);
        const { status, text } = await end(service(), world);
        expectTrue(status < 300, `${what} was answered ${status}: ${text}`);
        await isRefusedEverywhere(world, `Bearer ${world.token}`, 'token_revoked');
      },
    })),
    {
      name: 'every protected route takes the token of which all bad ones are copies, and does what it is documented to do',
      // Each route that may change something gets a separate account.
      timeoutMs: 120_000,
      run: async () => {
        const { api } = service();
        const findings = new Findings();
        const read = await aWorld(api, registry);
        for (const operation of await readProtectedOperations(api)) {
          if (NEEDS_MORE.has(nameOf(operation))) continue;
          const world = operation.method === 'GET' ? read : await aWorld(api, registry);
          const { status } = await attempt(api, operation, world, { token: resignToken(world.token, {}) });
          findings.expect(nameOf(operation), 'as the owner', status, operation.status);
        }
        findings.verdict(4 * registry.kinds.length);
      },
    },
  ];
}
