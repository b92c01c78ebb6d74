import { HealthRecordsClient } from '../client';
import type { HealthRecordsClientOptions } from '../client-options';
import type { FakeService } from './fake-service';

export { type FakeAnswer, type FakeRequest, FakeService } from './fake-service';

/** A client of a service in memory. It never really waits between two attempts. */
export function clientOfFake(
  service: FakeService,
  options: Partial<HealthRecordsClientOptions> = {},
): HealthRecordsClient {
  return new HealthRecordsClient({
    baseUrl: 'https://health.example',
    fetch: service.fetch,
    wait: () => Promise.resolve(),
    ...options,
  });
}
