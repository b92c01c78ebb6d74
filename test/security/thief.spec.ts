import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { aNewSecret, decodeToken } from '@app/testing';
import { ClientAt, LIMITED } from '../support/clients';
import { type Account, anAccount } from '../support/factories';
import { startService, type TestService } from '../support/service';

let service: TestService;
beforeAll(async () => (service = await startService(LIMITED)));
afterAll(() => service.stop());

const client = (address?: string) => new ClientAt(service.api.url, address);

/** The device from which things are stolen, and the owner's other device. */
interface Story {
  account: Account;
  home: ClientAt;
  stolen: { token: string; refresh_token: string };
  sessionId: string;
}

async function begin(): Promise<Story> {
  const home = client();
  const account = await anAccount(home);
  const { email, password } = account;
  const { body: stolen } = await home.post('/api/auth/login', { email, password, remember_device: true });
  return { account, home, stolen, sessionId: decodeToken(stolen.token).header.jti.split('.')[0] };
}

const refresh = (from: ClientAt, token: string) => from.post('/api/auth/refresh', { refresh_token: token });
const isRead = async (token: string) => (await client().get('/api/profiles', { token })).status === 200;

/** What was stolen. @returns whether the thief still has a use of it, asked after the owner's act. */
const THEFTS: Record<string, (story: Story) => Promise<(owner: string) => Promise<boolean>>> = {
  'an access token': ({ stolen }) => Promise.resolve(() => isRead(stolen.token)),
  'a refresh token that the thief uses first': ({ stolen }) => exchange(client(), stolen.refresh_token),
  'the same, in the network and with the browser of the owner': ({ stolen, home }) =>
    exchange(home, stolen.refresh_token),
  'a device token': () =>
    Promise.resolve(async (owner) => {
      const { body } = await client().get('/api/users/me/device-tokens', { token: owner });
      return body.length > 0;
    }),
};

async function exchange(thief: ClientAt, token: string): Promise<() => Promise<boolean>> {
  const { status, body } = await refresh(thief, token);
  expect(status).toBe(200);
  return async () => (await isRead(body.token)) || (await refresh(thief, body.refresh_token)).status === 200;
}

/** What the owner does, by the columns of the table. @returns an access token of the owner. */
const ACTS: Record<string, (story: Story) => Promise<string>> = {
  'goes on with the device': async ({ account, home, stolen }) => {
    await refresh(home, stolen.refresh_token);
    return account.token;
  },
  'signs out on it': async ({ account, home, stolen }) => {
    await home.post('/api/auth/logout', { refresh_token: stolen.refresh_token });
    return account.token;
  },
  'ends it in the list': async ({ account, home, sessionId }) => {
    await home.delete(`/api/auth/sessions/${sessionId}`, undefined, { token: account.token });
    return account.token;
  },
  'changes the password': async ({ account: { password, token }, home }) => {
    const body = { current_password: password, ...aNewSecret() };
    return (await home.post('/api/auth/change-password', body, { token })).body.token;
  },
  'recovers with the phrase': async ({ account: { email, recoveryProof }, home }) => {
    const body = { email, recovery_proof: recoveryProof, ...aNewSecret() };
    await home.post('/api/auth/recovery/reset-password', body);
    return (await home.post('/api/auth/login', { email, password: body.new_password })).body.token;
  },
  'signs out everywhere': async ({ account: { email, password, token }, home }) => {
    await home.post('/api/auth/logout-all', undefined, { token });
    return (await home.post('/api/auth/login', { email, password })).body.token;
  },
};

/** The cells of the table: what is stolen, what the owner does, and whether it `ends` or `lives`. */
const CELLS = (() => {
  const text = readFileSync(join(__dirname, '../../SECURITY.md'), 'utf8');
  const [section] = text.split('## When a thief is out\n')[1].split('\n## ');
  const [head, , ...rows] = section
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return rows.flatMap(([theft, ...cells]) => cells.map((cell, index) => [theft, head[index + 1], cell]));
})();

it('the table in SECURITY.md has every theft and every act', () => {
  expect([...new Set(CELLS.map(([theft]) => theft))]).toEqual(Object.keys(THEFTS));
  expect([...new Set(CELLS.map(([, act]) => act))]).toEqual(Object.keys(ACTS));
});

it.each(CELLS)('%s, and the owner %s: it %s', async (theft, act, cell) => {
  const story = await begin();
  const isOfUse = await THEFTS[theft](story);
  expect(await isOfUse(story.account.token)).toBe(true);
  const owner = await ACTS[act](story);
  expect(await isRead(owner)).toBe(true);
  expect((await isOfUse(owner)) ? 'lives' : 'ends').toBe(cell);
});
