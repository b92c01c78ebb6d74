import { randomUUID } from 'node:crypto';
import type { HealthRecordsClient, HealthRecordsClientOptions } from '@app/client';
import { memoryOfflineStore } from '@app/client/offline';
import { sharedProfiles, type SpaceRole, type Spaces } from '@app/client/spaces';
import { inProcessLock, type LockRunner } from '../../libs/client/src/http/locks';
import type { SpaceParts, SpacesFactory } from '../../libs/client/src/spaces/space-parts';
import { aPerson, openClient, type Person } from './people';

/** A device of a member of shared profiles. It syncs only when a test says so. */
export class MemberDevice {
  client!: HealthRecordsClient;
  /** The inner parts of the client. */
  parts!: SpaceParts;
  readonly #lock = randomUUID();

  options(): Partial<HealthRecordsClientOptions> {
    const spaces: SpacesFactory = (parts) => {
      this.parts = parts;
      return sharedProfiles()(parts);
    };
    // Devices do not wait for each other, as the tabs of one do.
    const lock: LockRunner = (name, run) => inProcessLock(`${this.#lock} ${name}`, run);
    return { offline: memoryOfflineStore(), retry: { attempts: 1 }, spaces, lock };
  }

  async start(client: HealthRecordsClient): Promise<this> {
    this.client = client;
    client.sync.stop();
    await client.sync.now();
    return this;
  }

  get spaces(): Spaces {
    return this.client.spaces!;
  }

  get accountId(): string {
    return this.parts.connection.accountId();
  }

  /** Shares a profile of this account. @returns the id of the space */
  async share(profileId: string): Promise<string> {
    return (await this.spaces.share(profileId, 'Somebody')).id;
  }

  /** Lets in the account of another device, which is told by its next sync. */
  async letIn(spaceId: string, other: MemberDevice, role: SpaceRole): Promise<void> {
    const { id, fragment } = await this.spaces.invite(spaceId, role);
    await other.spaces.accept(await other.spaces.openInvitation(fragment), 'Somebody else');
    await this.spaces.confirm(spaceId, id, true);
  }
}

/** A person with a device. */
export type Member = MemberDevice & Person;

export async function aMemberOf(
  url: string,
  options: Partial<HealthRecordsClientOptions> = {},
): Promise<Member> {
  const device = new MemberDevice();
  const { client, ...person } = await aPerson(url, {}, { ...device.options(), ...options });
  return Object.assign(await device.start(client), person);
}

/** Another device of the same account. */
export async function aDeviceOf(url: string, { email, password }: Person): Promise<MemberDevice> {
  const device = new MemberDevice();
  const client = openClient(url, device.options());
  await client.login(email, password);
  return device.start(client);
}

/** Sends and reads all of these, in this order. */
export async function sync(...devices: (HealthRecordsClient | MemberDevice)[]): Promise<void> {
  for (const device of devices) await ('sync' in device ? device : device.client).sync.now();
}
