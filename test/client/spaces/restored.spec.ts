import { aDeviceOf, aMemberOf, type Member, type MemberDevice, sync } from '../../support/members';
import { type SharedService, sharedService } from '../../support/service';
import { backupOf } from '../../support/space-backup';

/** The service is restored from a backup that leaves the feed, and each device knows another state of the profile. */
let service: SharedService;
let ada: Member;
let tablet: MemberDevice;
let bob: Member;
let profileId: string;
let spaceId: string;
let restore: () => Promise<void>;

const inSync = { state: 'idle', pending: 0, problems: [], failure: null };
const notesOn = async ({ client }: MemberDevice) => (await client.profiles.get(profileId)).details.notes;
const write = async ({ client }: MemberDevice, notes: string) => {
  const { details } = await client.profiles.get(profileId);
  await client.profiles.update(await client.profiles.get(profileId), { details: { ...details, notes } });
  await client.sync.now();
};
const problemsOn = ({ client }: MemberDevice) =>
  client.sync.status.problems.map(({ code, kind, resolutions }) => ({ code, kind, resolutions }));

beforeEach(async () => {
  service = await sharedService();
  const { url } = service.api;
  [ada, bob] = [await aMemberOf(url), await aMemberOf(url)];
  ({ id: profileId } = await ada.client.profiles.create({ relationship: 'child', details: { name: 'Bea' } }));
  await sync(ada);
  tablet = await aDeviceOf(url, ada);
  spaceId = await ada.share(profileId);
  await ada.letIn(spaceId, bob, 'editor');
  await sync(ada, bob, tablet, ada, bob);
  restore = await backupOf(service.databaseUrl, spaceId, [ada.accountId, bob.accountId]);
  await write(ada, 'seen by all');
  await sync(ada, bob, tablet);
});

/** What the service brings back is doubted, on a device that asks for its profiles again. */
async function unlockAgain(device: Member): Promise<void> {
  device.client.lock();
  await device.client.unlock(device.password);
  device.client.sync.stop();
  await sync(device, device, device);
}

it('an editor is told of an older state of the profile, keeps the newer one, and gives it back', async () => {
  await restore();
  await unlockAgain(bob);
  expect(problemsOn(bob)).toEqual([
    { code: 'rolled_back', kind: 'profile', resolutions: ['retry', 'keep', 'discard'] },
  ]);
  expect(await notesOn(bob)).toBe('seen by all');
  const [{ id }] = bob.client.sync.status.problems;
  await bob.client.sync.resolve(id, 'keep');
  await sync(bob, ada, tablet);
  for (const each of [bob, ada, tablet]) {
    expect(each.client.sync.status).toMatchObject(inSync);
    expect(await notesOn(each)).toBe('seen by all');
  }
});

it('a change that only the editor has made is not lost, where an owner sets the list of members right without it', async () => {
  await ada.spaces.newKey(spaceId);
  await sync(ada, bob, tablet, ada, bob, tablet);
  await write(bob, 'by Bob, before the restore');
  await restore();
  await sync(ada, ada);
  expect((await ada.client.profiles.get(profileId)).space!.blocked).toMatchObject({
    code: 'roster_rolled_back',
  });
  await ada.spaces.setRight(spaceId);
  await sync(ada, bob, bob);
  await bob.spaces.setRight(spaceId).catch(() => undefined);
  await sync(ada, bob, tablet, bob, bob, ada);
  // The key of that state is gone from the service. Here it is kept, and the person decides.
  expect(await notesOn(bob)).toBe('by Bob, before the restore');
  const [problem] = bob.client.sync.status.problems;
  expect(problem).toMatchObject({ kind: 'profile', recordId: profileId });
  expect(['rolled_back', 'stale_revision']).toContain(problem.code);
  await bob.client.sync.resolve(problem.id, 'keep');
  await sync(bob, ada, tablet);
  for (const each of [bob, ada, tablet]) {
    expect(each.client.sync.status).toMatchObject(inSync);
    expect(await notesOn(each)).toBe('by Bob, before the restore');
  }
});
