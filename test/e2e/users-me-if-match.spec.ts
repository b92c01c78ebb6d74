import { aNewSecret } from '@app/testing';
import { type Account, anAccount, anEmail } from '../support/factories';
import { type SharedService, sharedService } from '../support/service';

let service: SharedService;
beforeAll(async () => (service = await sharedService()));

const me = (token: string) => service.api.get('/api/users/me', { token });

describe('a write to the account with If-Match', () => {
  const WRITES = {
    'PUT users/me': (account: Account, headers: Record<string, string>) => {
      const body = { email: anEmail(), current_password: account.password, ...aNewSecret() };
      return service.api.put('/api/users/me', body, { token: account.token, headers });
    },
    'POST users/me/delete': (account: Account, headers: Record<string, string>) => {
      const body = { current_password: account.password };
      return service.api.post('/api/users/me/delete', body, { token: account.token, headers });
    },
  };

  it.each(Object.entries(WRITES))(
    '%s is refused for another revision and changes nothing',
    async (_, write) => {
      const account = await anAccount(service.api);
      const before = (await me(account.token)).body;
      for (const condition of ['"2"', '"a"', '"2", "3"']) {
        const { status, body } = await write(account, { 'If-Match': condition });
        expect([condition, status, body.code]).toEqual([condition, 412, 'revision_mismatch']);
      }
      const malformed = await write(account, { 'If-Match': '1' });
      expect([malformed.status, malformed.body.code]).toEqual([400, 'validation_failed']);
      expect((await me(account.token)).body).toEqual(before);
    },
  );

  it.each(Object.entries(WRITES))('%s is done for the current revision', async (_, write) => {
    for (const condition of ['"1"', '*', '"7", "1"']) {
      const { status } = await write(await anAccount(service.api), { 'If-Match': condition });
      expect([condition, status < 300]).toEqual([condition, true]);
    }
  });
});
