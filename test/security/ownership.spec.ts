import { aWorld, ownershipChecks, SERVICE_REGISTRY } from '@app/testing';
import { runChecks } from '../support/checks';
import { aRegistration } from '../support/factories';
import { type SharedService, sharedService } from '../support/service';

describe('the records of another owner', () => {
  let service: SharedService;
  beforeAll(async () => (service = await sharedService()));

  runChecks(ownershipChecks(() => service, SERVICE_REGISTRY));

  it('do not take an id away from a profile that registering makes', async () => {
    const { profileId } = await aWorld(service.api, SERVICE_REGISTRY);
    const profile = { default_profile_id: profileId, default_profile_wrapped_dek: 'key' };
    const answer = await service.api.post('/api/auth/register', aRegistration(profile));
    expect(answer.status).toBe(201);
    const { body } = await service.api.get('/api/profiles', { token: answer.body.token });
    expect(body.map(({ profile_id: id }: { profile_id: string }) => id)).toEqual([profileId]);
  });
});
