import type { Family, Wire } from './family';
import { error, everything, flipped, portal } from './lies';
import type { Row } from './bench';
import { cut, html, json, type Answer, type Asked, type Lie } from './lying-fetch';

const REFUSED = [
  'kdf_refused',
  'password_wrong',
  'tampered',
  'key_mismatch',
  'account_mismatch',
  'protocol_violation',
  'network_failed',
  'not_the_service',
  'offline',
  'token_.*',
  'http_.*',
  'internal',
  'overloaded',
  'timed_out',
];

const at =
  (path: string, change: (body: Wire, asked: Asked) => unknown) => (): Lie => async (asked, pass) => {
    const answer = await pass();
    if (asked.path !== path || answer.status >= 400 || answer.text === '') return answer;
    return { ...answer, text: JSON.stringify(change(JSON.parse(answer.text), asked)) };
  };
const instead = (path: RegExp, answer: (asked: Asked) => Answer) => (): Lie => (asked, pass) =>
  path.test(asked.path) ? answer(asked) : pass();

const account = (lie: string, tell: (family: Family) => Lie, told: Row['told'] = []): Row => ({
  lie,
  tell,
  told,
  kinds: ['medication'],
});
const PRELOGIN = '/api/auth/prelogin';
const ME = '/api/users/me';

/** What the service says of the account, of its keys and of sessions. */
export const ACCOUNT: Row[] = [
  account(
    'a derivation of 1,000 rounds',
    at(PRELOGIN, (body) => ({ ...body, iterations: 1000 })),
  ),
  account(
    'a derivation of twice the rounds',
    at(PRELOGIN, (body) => ({ ...body, iterations: body.iterations * 2 })),
  ),
  account(
    'a derivation for a year',
    at(PRELOGIN, (body) => ({ ...body, iterations: 2 ** 31 })),
  ),
  account(
    'a derivation of another kind',
    at(PRELOGIN, (body) => ({ ...body, kdf: 'md5' })),
  ),
  account(
    'another salt',
    at(PRELOGIN, (body) => ({ ...body, salt: flipped(body.salt, 3) })),
  ),
  account(
    'no salt',
    at(PRELOGIN, (body) => ({ ...body, salt: '' })),
  ),
  account('a prelogin of a portal', instead(/prelogin$/, portal)),
  account(
    'an account with a flipped key',
    at(ME, (body) => ({ ...body, wrapped_dek: flipped(body.wrapped_dek, 20) })),
  ),
  account(
    'an account with another id',
    at(ME, (body) => ({ ...body, id: '0192f0c1-0000-7000-8000-0000000000aa' })),
  ),
  account(
    'an account with another email',
    at(ME, (body) => ({ ...body, email: 'eve@example.org' })),
  ),
  account('an account of a portal', instead(/users\/me$/, portal)),
  account(
    'an empty account',
    instead(/users\/me$/, () => json(200, {})),
  ),
  account(
    'no account, with 404',
    instead(/users\/me$/, () => html(404)),
  ),
  account('every answer a portal’s page', everything(portal), REFUSED),
  account(
    'every answer an empty object',
    everything(() => json(200, {})),
    REFUSED,
  ),
  account(
    'every answer null',
    everything(() => json(200, null)),
    REFUSED,
  ),
  account(
    'every answer 500',
    everything(() => error(500, 'internal')),
    REFUSED,
  ),
  account(
    'every answer 502 in HTML',
    everything(() => html(502)),
    REFUSED,
  ),
  account(
    'every answer 503 for 34 days',
    everything(() => error(503, 'overloaded', { 'retry-after': '3000000' })),
    REFUSED,
  ),
  account(
    'no network',
    everything(() => cut()),
    REFUSED,
  ),
  account(
    'one 401 at each path',
    () => {
      const seen = new Set<string>();
      return (asked, pass) =>
        seen.has(asked.path) || seen.size > 5 || !seen.add(asked.path) ? pass() : error(401, 'token_expired');
    },
    [],
  ),
  account(
    'a 401 in HTML to everything but sessions',
    instead(/^\/api\/(?!auth)/, () => html(401)),
    REFUSED,
  ),
];
