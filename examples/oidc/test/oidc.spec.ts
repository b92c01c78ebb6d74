import { serviceDataSource } from 'health-records-service';
import { findSchemaFaults } from 'health-records-service/database';
import { type Account, anAccount, registryOf, serviceChecks } from 'health-records-service/testing';
import { deepEqual, equal, ok } from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { DOMAINS } from '../src/domains';
import { CLIENT, TestProvider } from './provider';
import { startService } from './service';

const provider = new TestProvider();
const SETTINGS = {
  OIDC_ISSUER: '',
  OIDC_CLIENT_ID: CLIENT.client_id,
  OIDC_CLIENT_SECRET: CLIENT.client_secret,
  OIDC_REDIRECT_URI: CLIENT.redirect_uris[0],
};
let service: Awaited<ReturnType<typeof startService>>;
before(async () => {
  await provider.start();
  SETTINGS.OIDC_ISSUER = provider.issuer;
  service = await startService(SETTINGS);
});
after(async () => {
  await service?.stop();
  await provider.stop();
});

/** What the page has when the browser comes back. */
async function comeBack(login: string) {
  const { url, ...kept } = (await service.api.post('/api/oidc/start', {})).body;
  return { ...kept, query: await provider.signIn(url, login) };
}

const signIn = async (login: string) => service.api.post('/api/oidc/login', await comeBack(login));
const link = async ({ token, password }: Account, login: string, current_password = password) =>
  service.api.post('/api/oidc/link', { ...(await comeBack(login)), current_password }, { token });
const outcome = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code];

async function aLinkedAccount(login: string) {
  const account = await anAccount(service.api);
  equal((await link(account, login)).status, 200);
  return account;
}

describe('sign-in by a provider', () => {
  it('signs a linked person in, with the wrapped key of a login', async () => {
    const account = await aLinkedAccount('ana');
    const answer = await signIn('ana');
    equal(answer.status, 200);
    deepEqual(Object.keys(answer.body).sort(), ['refresh_token', 'token', 'wrapped_dek', 'wrapped_dek_iv']);
    const me = await service.api.get('/api/users/me', { token: answer.body.token });
    equal(me.body.email, account.email);
    const refreshed = await service.api.post('/api/auth/refresh', {
      refresh_token: answer.body.refresh_token,
    });
    equal(refreshed.status, 200);
  });

  it('refuses a person who is not linked, also one with the email of an account', async () => {
    const account = await aLinkedAccount('bea');
    provider.emails.set('carl', account.email);
    deepEqual(outcome(await signIn('carl')), [401, 'invalid_credentials']);
  });

  it('refuses an answer of another start, a code that was used, and a code that was made up', async () => {
    await aLinkedAccount('dora');
    const first = await comeBack('dora');
    const second = await comeBack('dora');
    const login = async (body: object) => outcome(await service.api.post('/api/oidc/login', body));
    deepEqual(await login({ ...first, state: second.state }), [403, 'oidc_refused']);
    deepEqual(await login({ ...first, nonce: second.nonce }), [403, 'oidc_refused']);
    deepEqual(await login({ ...second, code_verifier: first.code_verifier }), [403, 'oidc_refused']);
    deepEqual(await login({ ...first, query: `code=x&state=${first.state}` }), [403, 'oidc_refused']);
    const third = await comeBack('dora');
    equal((await login(third))[0], 200);
    deepEqual(await login(third), [403, 'oidc_refused']);
  });

  it('links only with the password, and one person to one account', async () => {
    const account = await aLinkedAccount('emil');
    deepEqual(outcome(await link(account, 'fay', 'not this')), [403, 'current_password_wrong']);
    const other = await anAccount(service.api);
    deepEqual(outcome(await link(other, 'emil')), [409, 'oidc_identity_taken']);
    deepEqual((await service.api.get('/api/oidc/links', { token: other.token })).body, []);
    equal((await link(account, 'emil')).status, 200);
    equal((await service.api.get('/api/oidc/links', { token: account.token })).body.length, 1);
  });

  it('tells the owner of a link, and ends it', async () => {
    const account = await aLinkedAccount('gil');
    const { token, password } = account;
    const unlinked = await service.api.post('/api/oidc/unlink', { current_password: password }, { token });
    equal(unlinked.status, 204);
    deepEqual(outcome(await signIn('gil')), [401, 'invalid_credentials']);
    const events = (await service.api.get('/api/users/me/events', { token })).body;
    const kinds = events.map(({ kind }: { kind: string }) => kind);
    ok(kinds.includes('sign_in_added') && kinds.includes('sign_in_removed'));
  });

  it('refuses a link whose session ended while the browser was away', async () => {
    const { token, password } = await anAccount(service.api);
    const answer = await comeBack('hal');
    await service.api.post('/api/auth/logout-all', {}, { token });
    const body = { ...answer, current_password: password };
    deepEqual(outcome(await service.api.post('/api/oidc/link', body, { token })), [401, 'token_revoked']);
  });

  it('forgets the link with the account', async () => {
    const { token, password } = await aLinkedAccount('ida');
    await service.api.post('/api/users/me/delete', { current_password: password }, { token });
    deepEqual(outcome(await signIn('ida')), [401, 'invalid_credentials']);
  });

  it('goes on when the provider has new keys', async () => {
    await aLinkedAccount('jo');
    equal((await signIn('jo')).status, 200);
    await provider.stop();
    await provider.start();
    equal((await signIn('jo')).status, 200);
  });

  it('says so when the provider is away', async () => {
    await provider.stop();
    deepEqual(outcome(await service.api.post('/api/oidc/start', {})), [503, 'oidc_provider_away']);
    await provider.start();
  });
});

describe('the service with this module', () => {
  const codes = { oidc_refused: 403, oidc_identity_taken: 409, oidc_provider_away: 503 };
  /** They make their links from examples, which no provider has confirmed. The tests above do it with real ones. */
  const withExamples = [
    'an account that is deleted leaves no row in any table',
    'every protected route takes the token of which all bad ones are copies, and does what it is documented to do',
  ];
  const checks = serviceChecks(() => service, registryOf({ codes, kinds: [] })).filter(
    ({ name }) => !withExamples.includes(name),
  );
  for (const { name, run, timeoutMs } of checks) it(name, { timeout: timeoutMs }, run);

  it('has the tables that the entities describe', async () => {
    Object.assign(process.env, SETTINGS, { DATABASE_URL: service.databaseUrl });
    const dataSource = await serviceDataSource(DOMAINS).initialize();
    const faults = await findSchemaFaults(dataSource);
    await dataSource.destroy();
    deepEqual(faults, []);
  });
});
