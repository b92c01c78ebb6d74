import type { HealthRecordsClient, HealthRecordsClientOptions } from '@app/client';
import { memoryOfflineStore } from '@app/client/offline';
import { aPerson, openClient, type Person } from './people';

/** Two devices of one person, each with a cache and an outbox. They sync only when a test says so. */
export interface Devices {
  person: Person;
  phone: HealthRecordsClient;
  tablet: HealthRecordsClient;
}

/** @param onPhone the options of the phone, where a test looks into its store */
export async function aPhoneAndATablet(
  url: string,
  onPhone: Partial<HealthRecordsClientOptions> = {},
): Promise<Devices> {
  const once = { retry: { attempts: 1 } };
  const person = await aPerson(url, {}, { offline: memoryOfflineStore(), ...once, ...onPhone });
  const tablet = openClient(url, { offline: memoryOfflineStore(), ...once });
  await tablet.login(person.email, person.password);
  for (const device of [person.client, tablet]) {
    device.sync.stop();
    await device.sync.now();
  }
  return { person, phone: person.client, tablet };
}
