import type { HealthRecordsClientOptions } from '../client-options';
import { FakeService } from './fake-service';
import { clientOfFake as clientOf } from './index';

export { clientOf };

export const EMAIL = 'ada@example.org';
export const PASSWORD = 'correct horse battery staple';
/** A valid phrase, but a public one. */
export const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

/** A registered, unlocked account with one profile. */
export async function registered(service = new FakeService()) {
  const client = clientOf(service);
  await client.register({
    email: EMAIL,
    password: PASSWORD,
    recoveryPhrase: null,
    profile: { details: { name: 'Ada Canary' } },
  });
  const [profile] = await client.profiles.list();
  return { service, client, profileId: profile.id };
}

/** Another device of the same account, which has seen nothing yet. */
export async function loggedIn(service: FakeService, options: Partial<HealthRecordsClientOptions> = {}) {
  const client = clientOf(service, options);
  await client.login(EMAIL, PASSWORD);
  return { client };
}
