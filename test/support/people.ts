import {
  generateRecoveryPhrase,
  HealthRecordsClient,
  type HealthRecordsClientOptions,
  type Registration,
} from '@app/client';
import { deviceInteractionEngine } from '../../libs/client/src/interactions/device-engine';
import { anEmail } from './factories';

/** The client library, as an application of Node opens it. */
export function openClient(
  baseUrl: string,
  options: Partial<HealthRecordsClientOptions> = {},
): HealthRecordsClient {
  return new HealthRecordsClient({ baseUrl, interactionEngine: deviceInteractionEngine, ...options });
}

/** Somebody who has registered, with a profile and, where a test asks for it, a recovery phrase. */
export interface Person {
  client: HealthRecordsClient;
  email: string;
  password: string;
  profileId: string;
}

export async function aPerson(
  baseUrl: string,
  registration: Partial<Registration> = {},
  options: Partial<HealthRecordsClientOptions> = {},
): Promise<Person> {
  const client = openClient(baseUrl, options);
  const email = anEmail();
  const password = 'correct horse battery staple';
  const profile = { details: { name: 'Ada' } };
  await client.register({ email, password, recoveryPhrase: null, profile, ...registration });
  const [{ id: profileId }] = await client.profiles.list();
  return { client, email, password, profileId };
}

export async function aPersonWithPhrase(baseUrl: string): Promise<Person & { phrase: string }> {
  const phrase = await generateRecoveryPhrase();
  return { ...(await aPerson(baseUrl, { recoveryPhrase: phrase })), phrase };
}
