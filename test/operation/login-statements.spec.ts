import { Client } from 'pg';
import type { Answer } from '@app/testing';
import { ClientAt, LIMITED } from '../support/clients';
import { aCiphertext, anAccount, anEmail } from '../support/factories';
import { type ServiceHere, startServiceHere } from '../support/service-here';

/** What one login may send to the database with the limits on. BEGIN and COMMIT count. */
const MOST_STATEMENTS = 10;

const UP_TO_THE_SECRET = ['logins find', 'accounts find', 'rate limits take'];
const AFTER_IT = (lock: string, ...rest: string[]) => [
  'rate limits give back',
  'BEGIN',
  lock,
  'security events insert',
  'sessions start',
  ...rest,
  'COMMIT',
];

let service: ServiceHere;
let strict: ServiceHere;
beforeAll(async () => {
  service = await startServiceHere(LIMITED);
  strict = await startServiceHere({
    ...LIMITED,
    DATABASE_URL: service.databaseUrl,
    PASSWORD_HASH_ITERATIONS: '2',
  });
});
afterAll(async () => {
  await strict.stop();
  await service.stop();
});

/** Everything that goes over any connection of this process during a request: the names of statements, or their text. */
async function sentDuring(request: () => Promise<Answer>): Promise<{ status: number; sent: string[] }> {
  const query = jest.spyOn(Client.prototype, 'query');
  try {
    const { status } = await request();
    const sent = (query.mock.calls as unknown[][]).map(([first]) => {
      const { name, text } = typeof first === 'string' ? { text: first, name: undefined } : (first as any);
      return name ?? text;
    });
    // What the process does by the clock, like reminders, names no account.
    return { status, sent: sent.filter((name: string) => !name.startsWith('operator ')) };
  } finally {
    query.mockRestore();
  }
}

const login = (url: string, email: string, password: string, address?: string, device_token?: string) => {
  const api = new ClientAt(url, address);
  return sentDuring(() => api.post('/api/auth/login', { email, password, device_token }));
};

it.each([
  ['from a new address', () => service.api.url, 'accounts lock'],
  ['whose stored hash is of an outdated cost', () => strict.api.url, 'accounts rehash'],
])('a login %s takes nine statements, at most ten', async (_, url, lock) => {
  const { email, password } = await anAccount(new ClientAt(service.api.url));
  const { status, sent } = await login(url(), email, password);
  expect([status, sent]).toEqual([200, [...UP_TO_THE_SECRET, ...AFTER_IT(lock)]]);
  expect(sent.length).toBeLessThanOrEqual(MOST_STATEMENTS);
});

it('a login from a known address takes one more if it ends the oldest of five sessions', async () => {
  const home = new ClientAt(service.api.url);
  const { email, password } = await anAccount(home);
  for (let count = 0; count < 6; count++) {
    const { status, sent } = await login(service.api.url, email, password, home.address);
    const end = count < 4 ? [] : ['ended sessions insert'];
    expect([status, sent]).toEqual([200, [...UP_TO_THE_SECRET, ...AFTER_IT('accounts lock', ...end)]]);
  }
});

it('a login on a known device takes one more, which records its use', async () => {
  const { email, password } = await anAccount(new ClientAt(service.api.url));
  const remember = { email, password, remember_device: true };
  const { body } = await new ClientAt(service.api.url).post('/api/auth/login', remember);
  const { status, sent } = await login(service.api.url, email, password, undefined, body.device_token);
  const expected = [...UP_TO_THE_SECRET, ...AFTER_IT('accounts lock', 'device tokens use')];
  expect([status, sent]).toEqual([200, expected]);
  expect(sent.length).toBeLessThanOrEqual(MOST_STATEMENTS);
});

it('a refused login takes the same statements, whether the account exists or not', async () => {
  const { email } = await anAccount(new ClientAt(service.api.url));
  for (const tried of [email, anEmail()]) {
    const { status, sent } = await login(service.api.url, tried, aCiphertext(32));
    // The event is written in the background: it may be sent before or after the answer.
    expect([status, sent.filter((name) => name !== 'security events gather')]).toEqual([
      401,
      // The last one counts the wrong secrets of all accounts together.
      [...UP_TO_THE_SECRET, 'rate limits take'],
    ]);
  }
});
