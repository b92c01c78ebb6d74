import { aWorld, erasureChecks, SERVICE_REGISTRY } from '@app/testing';
import { runChecks } from '../support/checks';
import { sql } from '../support/databases';
import { type Account, anAccount, aRegistration } from '../support/factories';
import { type SharedService, sharedService } from '../support/service';

describe('users/me/delete', () => {
  let service: SharedService;
  beforeAll(async () => (service = await sharedService()));

  const erase = ({ token }: Account, password: string) =>
    service.api.post('/api/users/me/delete', { current_password: password }, { token });

  const aFullAccount = async () => (await aWorld(service.api, SERVICE_REGISTRY)).account;

  runChecks(erasureChecks(() => service, SERVICE_REGISTRY));

  it('ends every token of the account', async () => {
    const account = await anAccount(service.api);
    await erase(account, account.password);
    const read = await service.api.get('/api/users/me', { token: account.token });
    expect([read.status, read.body.code]).toEqual([401, 'token_revoked']);
    const refreshed = await service.api.post('/api/auth/refresh', { refresh_token: account.refreshToken });
    expect([refreshed.status, refreshed.body.code]).toEqual([401, 'refresh_token_invalid']);
    expect((await erase(account, account.password)).body.code).toBe('token_revoked');
  });

  it('frees the email, to which nothing of the old account clings', async () => {
    const account = await aFullAccount();
    await erase(account, account.password);
    const { email, password } = account;
    expect((await service.api.post('/api/auth/login', { email, password })).status).toBe(401);
    const { token } = await anAccount(service.api, { email });
    expect((await service.api.get('/api/profiles', { token })).body).toEqual([]);
  });

  it('refuses a wrong current password with 403 and erases nothing', async () => {
    const account = await aFullAccount();
    const { status, body } = await erase(account, 'wrong');
    expect([status, body.code]).toEqual([403, 'current_password_wrong']);
    expect((await service.api.get('/api/medications', { token: account.token })).body).toHaveLength(1);
  });

  it.each([[{}], [{ current_password: '' }], [undefined]])(
    'names current_password when the body is %j',
    async (body) => {
      const account = await anAccount(service.api);
      const answer = await service.api.post('/api/users/me/delete', body, { token: account.token });
      expect([answer.status, answer.body.details[0].field]).toEqual([400, 'current_password']);
      expect((await service.api.get('/api/users/me', { token: account.token })).status).toBe(200);
    },
  );

  it('is done once, however often it is asked for at once', async () => {
    const account = await anAccount(service.api);
    const answers = await Promise.all(Array.from({ length: 4 }, () => erase(account, account.password)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 401, 401, 401]);
  });

  it('leaves a sign-up with the same email at the same time whole or refused', async () => {
    const account = await anAccount(service.api);
    const registration = aRegistration({ email: account.email });
    const [erased, registered] = await Promise.all([
      erase(account, account.password),
      service.api.post('/api/auth/register', registration),
    ]);
    expect(erased.status).toBe(204);
    expect([201, 409]).toContain(registered.status);
    const text = `SELECT a.id FROM accounts a FULL JOIN logins l ON l.account_id = a.id
      WHERE a.email = $1 OR l.email = $1`;
    const rows = await sql<{ id: string | null }>(service.databaseUrl, text, [account.email]);
    expect(rows.map(({ id }) => typeof id)).toEqual(registered.status === 201 ? ['string'] : []);
  });
});
