import { randomUUID } from 'node:crypto';
import type { HealthRecordsClient, ServiceRequest } from '@app/client';
import type { JsonObject } from '../../../libs/client/src/json';
import { aDeviceOf, aMemberOf, type Member, type MemberDevice, sync } from '../../support/members';
import { Proxy, type ProxiedRequest } from '../../support/proxy';
import { sql } from '../../support/databases';
import { type SharedService, sharedService } from '../../support/service';

/** What an editor seals under a former key of a shared profile, and brings in past the rules of an honest client. */
let service: SharedService;
let proxy: Proxy;
let ada: Member;
let tablet: MemberDevice;
let bob: Member;
let profileId: string;
let spaceId: string;
let honestId: string;
let targetId: string;
beforeAll(async () => {
  service = await sharedService();
  proxy = await Proxy.start(service.api.url);
});
afterAll(() => proxy.stop());
beforeEach(async () => {
  proxy.mend();
  ada = await aMemberOf(proxy.url);
  tablet = await aDeviceOf(proxy.url, ada);
  bob = await aMemberOf(proxy.url);
  ({ id: profileId } = await ada.client.profiles.create({ relationship: 'child', details: { name: 'Bea' } }));
  ({ id: honestId } = await ada.client.healthStats.create(aReading(20)));
  ({ id: targetId } = await ada.client.healthStats.create(aReading(21)));
  await sync(ada, tablet);
  spaceId = await ada.share(profileId);
  await sync(ada, tablet);
  await ada.letIn(spaceId, bob, 'editor');
  await sync(bob, tablet);
});

const aReading = (value: number) => ({
  profileId,
  details: { metric: 'weight', values: { value }, unit: 'kg' },
});
const valuesOn = async ({ client }: { client: HealthRecordsClient }) => {
  const stats = await client.healthStats.list({ profileId });
  return Object.fromEntries(
    stats.map(({ id, details }) => [id, (details.values as { value: number }).value]),
  );
};
const epochsOn = async ({ client }: { client: HealthRecordsClient }) =>
  new Set((await client.healthStats.list({ profileId })).map(({ lineage }) => lineage.epoch ?? 1));
const problemsOn = ({ client }: { client: HealthRecordsClient }) =>
  client.sync.status.problems.map(({ code, recordId }) => [code, recordId]);
const inSync = { state: 'idle', pending: 0, problems: [], failure: null };

interface Forged {
  change: ProxiedRequest;
  creation: ProxiedRequest;
  createdId: string;
}

/** What a device sends next. It is kept, and not sent. The device is not used any more. */
async function sealed(write: (device: MemberDevice) => Promise<unknown>): Promise<ProxiedRequest> {
  const hostile = await aDeviceOf(proxy.url, bob);
  await sync(hostile);
  await write(hostile);
  const kept: ProxiedRequest[] = [];
  proxy.hold = (request) => {
    if (request.method === 'GET' || !request.path.startsWith('/api/health-stats')) return undefined;
    kept.push(request);
    return Promise.reject(new Error('kept'));
  };
  await sync(hostile);
  proxy.mend();
  return kept[0];
}

/** A change of a record and a new one, sealed under the key of now: as if Bob had written down the key. */
async function forge(): Promise<Forged> {
  const change = await sealed(async ({ client }) => {
    await client.healthStats.update(await client.healthStats.get(targetId), {
      details: { values: { value: 66 } },
    });
  });
  const creation = await sealed(({ client }) => client.healthStats.create(aReading(67)));
  return { change, creation, createdId: bodyOf(creation).id as string };
}

const bodyOf = ({ text }: ProxiedRequest) => JSON.parse(text) as JsonObject;
const sealedIn = (request: ProxiedRequest) => JSON.stringify(bodyOf(request).encrypted_data);

/** A service that is on the side of a removed member needs no more than its own database. */
async function storeByTheService({ change, creation, createdId }: Forged): Promise<void> {
  await sql(
    service.databaseUrl,
    `UPDATE health_stats SET encrypted_data = $3, revision = revision + 1, author_id = $4
      WHERE account_id = $1 AND id = $2`,
    [spaceId, targetId, sealedIn(change), bob.accountId],
  );
  await sql(
    service.databaseUrl,
    `INSERT INTO health_stats (account_id, id, profile_id, encrypted_data, author_id) VALUES ($1, $2, $3, $4, $5)`,
    [spaceId, createdId, profileId, sealedIn(creation), bob.accountId],
  );
}

/** A member names the newest version to the service, and sends what it has sealed under an older key. */
async function sendWithTheNewestVersion({ change, creation }: Forged): Promise<void> {
  const read = async <T>(path: string) =>
    (await bob.client.request({ method: 'GET', path, space: spaceId })).body as T;
  const space = `${spaceId};${(await read<{ version: number }>('/api/space')).version}`;
  const { revision } = await read<{ revision: number }>(`/api/health-stats/${targetId}`);
  const send = async ({ method, path, text }: ProxiedRequest, rest: Partial<ServiceRequest>) => {
    const request = { method: method as 'POST', path, body: JSON.parse(text) as JsonObject, space, ...rest };
    expect((await bob.client.request(request)).status).toBeLessThan(300);
  };
  await send(change, { ifMatch: revision });
  await send(creation, { idempotencyKey: randomUUID() });
}

describe('attack 9: a removed editor and the service forge together', () => {
  it('before the re-seal has ended it is taken, as SECURITY.md says, and sealed anew', async () => {
    const forged = await forge();
    await ada.spaces.remove(spaceId, bob.accountId);
    await storeByTheService(forged);
    await sync(ada, tablet);
    for (const device of [ada, tablet]) {
      expect(device.client.sync.status).toMatchObject(inSync);
      expect(await valuesOn(device)).toEqual({ [honestId]: 20, [targetId]: 66, [forged.createdId]: 67 });
      expect(await epochsOn(device)).toEqual(new Set([2]));
    }
  });

  it('after it nothing of it is taken: what was there stays', async () => {
    const forged = await forge();
    await ada.spaces.remove(spaceId, bob.accountId);
    await sync(ada, tablet);
    await storeByTheService(forged);
    const fresh = await aDeviceOf(proxy.url, ada);
    await sync(ada, tablet, fresh);
    const refused = [
      ['tampered', targetId],
      ['tampered', forged.createdId],
    ];
    for (const device of [ada, tablet]) {
      expect(await valuesOn(device)).toEqual({ [honestId]: 20, [targetId]: 21 });
      expect(problemsOn(device)).toEqual(expect.arrayContaining(refused));
      expect(problemsOn(device)).toHaveLength(2);
    }
    // A device without a memory has no good row to keep.
    expect(await valuesOn(fresh)).toEqual({ [honestId]: 20 });
    expect(problemsOn(fresh)).toEqual(expect.arrayContaining(refused));
    // What follows is written as before.
    const [problem] = ada.client.sync.status.problems.filter(({ recordId }) => recordId === targetId);
    await ada.client.sync.resolve(problem.id, 'keep');
    await sync(ada, tablet);
    expect(problemsOn(tablet)).toEqual([['tampered', forged.createdId]]);
    expect(await valuesOn(tablet)).toEqual({ [honestId]: 20, [targetId]: 21 });
  });
});

describe('attack 10: a member writes under an old key with the current version', () => {
  it('during a re-seal: it is read and sealed anew', async () => {
    const forged = await forge();
    await ada.spaces.newKey(spaceId);
    await sendWithTheNewestVersion(forged);
    await sync(ada, tablet, bob);
    for (const device of [ada, tablet, bob]) {
      expect(device.client.sync.status).toMatchObject(inSync);
      expect(await valuesOn(device)).toEqual({ [honestId]: 20, [targetId]: 66, [forged.createdId]: 67 });
      expect(await epochsOn(device)).toEqual(new Set([2]));
    }
  });

  it('later: it is unreadable for all, and nothing else is harmed', async () => {
    const forged = await forge();
    await ada.spaces.newKey(spaceId);
    await sync(ada, tablet, bob);
    await sendWithTheNewestVersion(forged);
    const { id: afterId } = await ada.client.healthStats.create(aReading(22));
    await sync(ada, tablet, bob);
    for (const device of [ada, tablet, bob]) {
      expect(await valuesOn(device)).toEqual({ [honestId]: 20, [targetId]: 21, [afterId]: 22 });
      expect(problemsOn(device)).toEqual(
        expect.arrayContaining([
          ['tampered', targetId],
          ['tampered', forged.createdId],
        ]),
      );
      expect(problemsOn(device)).toHaveLength(2);
    }
    // An owner goes on without what its device can't read, with another new key. Who has the state of before gives it back.
    for (const { id } of ada.client.sync.status.problems) await ada.client.sync.resolve(id, 'discard');
    await ada.spaces.newKey(spaceId);
    await sync(ada, tablet, bob, ada, tablet, bob);
    for (const device of [ada, tablet, bob]) {
      expect(device.parts.keys.profileKey(profileId)).toMatchObject({ epoch: 3 });
      expect(device.parts.keys.profileKey(profileId)!.older).toBeUndefined();
      expect(await valuesOn(device)).toEqual({ [honestId]: 20, [targetId]: 21, [afterId]: 22 });
      expect(await epochsOn(device)).toEqual(new Set([3]));
    }
  });
});
