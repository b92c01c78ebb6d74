import { expectFailure } from '@app/testing';
import { aCiphertext, anAccount } from '../support/factories';
import { type SharedService, sharedService } from '../support/service';

/** What holds beside the routes of records; those are in record-kinds.spec.ts. */
let service: SharedService;
beforeAll(async () => (service = await sharedService()));

describe('public routes', () => {
  it('ignore an Authorization header', async () => {
    const { email, password } = await anAccount(service.api);
    for (const Authorization of ['Bearer x.y.z', 'Basic abc', 'Bearer', '']) {
      const headers = { Authorization };
      const login = await service.api.post('/api/auth/login', { email, password }, { headers });
      expect(login.status).toBe(200);
      expect((await service.api.get('/healthz', { headers })).status).toBe(200);
    }
  });

  it('refuse an unknown field by its name too', async () => {
    const { email, password } = await anAccount(service.api);
    const body = { email, password, otp: aCiphertext(4) };
    expectFailure(await service.api.post('/api/auth/login', body), 'validation_failed', 'otp');
  });
});

describe('a route without parameters', () => {
  it.each([
    '/api/users/me',
    '/api/auth/recovery-info?email=a@b',
    '/api/interactions/knowledge-base',
    '/healthz',
    '/readyz',
  ])('refuses one by its name: %s', async (path) => {
    const { token } = await anAccount(service.api);
    const answer = await service.api.get(`${path}${path.includes('?') ? '&' : '?'}x=1`, { token });
    expectFailure(answer, 'validation_failed', 'x');
  });

  it('asks for a token before it looks at a parameter', async () => {
    expectFailure(await service.api.get('/api/users/me?x=1'), 'token_missing');
  });
});
