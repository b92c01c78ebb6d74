import type { HealthRecordsClient, HealthRecordsClientOptions } from '@app/client';
import { memoryOfflineStore } from '@app/client/offline';
import { aPerson, openClient, type Person } from './people';
import { Proxy } from './proxy';
import { type SharedService, sharedService, type TestService } from './service';

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

/** Devices behind a network that a test can cut, and a service that it can let lie. */
export interface DevicesBehindProxy extends Devices {
  service: SharedService;
  proxy: Proxy;
}

/**
 * Gives each test of the file a new person with two devices, behind a proxy without faults.
 *
 * @param onPhone the options of the phone of this test
 * @param start a service of the file, where the shared one will not do
 */
export function forEachTest(
  take: (devices: DevicesBehindProxy) => void,
  onPhone?: () => Partial<HealthRecordsClientOptions>,
  start: () => Promise<SharedService & Partial<TestService>> = sharedService,
): void {
  let service: Awaited<ReturnType<typeof start>>;
  let proxy: Proxy;
  beforeAll(async () => {
    service = await start();
    proxy = await Proxy.start(service.api.url);
  });
  afterAll(async () => {
    await proxy.stop();
    await service.stop?.();
  });
  beforeEach(async () => {
    proxy.mend();
    take({ service, proxy, ...(await aPhoneAndATablet(proxy.url, onPhone?.())) });
  });
}
