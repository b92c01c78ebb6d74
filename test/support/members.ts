import { randomUUID } from 'node:crypto';
import type { HealthRecordsClient, HealthRecordsClientOptions } from '@app/client';
import { memoryOfflineStore } from '@app/client/offline';
import { inProcessLock, type LockRunner } from '../../libs/client/src/http/locks';
import { Circle, CircleDevice } from './circle';
import { aPerson, openClient, type Person } from './people';

/** A device of a member, with its directory. */
export interface MemberDevice {
  client: HealthRecordsClient;
  circle: CircleDevice;
}

/** Opens devices of several persons. They sync only when a test says so. */
export class Members {
  readonly circle = new Circle();

  constructor(private readonly url: string) {}

  async person(options: Partial<HealthRecordsClientOptions> = {}): Promise<Person & MemberDevice> {
    const circle = new CircleDevice(this.circle);
    const person = await aPerson(this.url, {}, { ...this.#options(circle), ...options });
    await quiet(person.client);
    return { ...person, circle };
  }

  /** Another device of the same account. */
  async deviceOf(
    { email, password }: Person,
    options: Partial<HealthRecordsClientOptions> = {},
  ): Promise<MemberDevice> {
    const circle = new CircleDevice(this.circle);
    const client = openClient(this.url, { ...this.#options(circle), ...options });
    await client.login(email, password);
    await quiet(client);
    return { client, circle };
  }

  #options(circle: CircleDevice): Partial<HealthRecordsClientOptions> {
    // Devices do not wait for each other, as the tabs of one do.
    const device = randomUUID();
    const lock: LockRunner = (name, run) => inProcessLock(`${device} ${name}`, run);
    return { offline: memoryOfflineStore(), retry: { attempts: 1 }, spaces: circle.factory, lock };
  }
}

async function quiet(client: HealthRecordsClient): Promise<void> {
  client.sync.stop();
  await client.sync.now();
}
