import { accessChecks, anAccount, expectFailure, resignToken, SERVICE_REGISTRY } from '@app/testing';
import { runChecks } from '../support/checks';
import { type ServiceHere, startServiceHere } from '../support/service-here';

describe('access tokens', () => {
  let service: ServiceHere;
  beforeAll(async () => (service = await startServiceHere()));
  afterAll(() => service.stop());

  runChecks(accessChecks(() => service, SERVICE_REGISTRY));

  it.each(['Bearer', 'bearer', 'BEARER'])('are taken with the scheme as %s', async (scheme) => {
    const { token } = await anAccount(service.api);
    const headers = { Authorization: `${scheme} ${resignToken(token, {})}` };
    expect((await service.api.get('/api/users/me', { headers })).status).toBe(200);
  });

  it.each([' x', ', Bearer x', '.', '='])('are refused with %j behind them', async (rest) => {
    const { token } = await anAccount(service.api);
    const headers = { Authorization: `Bearer ${token}${rest}` };
    expectFailure(await service.api.get('/api/users/me', { headers }), 'token_invalid');
  });
});
