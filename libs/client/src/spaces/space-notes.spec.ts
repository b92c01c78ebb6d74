import { generateDataKey } from '../crypto/key-wrapping';
import { openProfileKey, wrapProfileKey } from '../crypto/profile-key';
import { newId } from '../ids';
import { newSpacePerson, type SpacePerson } from '../testing/space-people';
import { openNotes, sealNotes, type SpaceNotes } from './space-notes';

const [spaceId, profileId] = [newId(), newId()];
let ada: SpacePerson;
let eve: SpacePerson;
let notes: SpaceNotes;
const none = () => Promise.resolve(undefined);
const idOf = ({ own }: SpacePerson) => own.account;

beforeAll(async () => {
  [ada, eve] = await Promise.all([newSpacePerson(), newSpacePerson()]);
  const dek = { key: await generateDataKey('profile'), epoch: 3 };
  notes = {
    profileId,
    role: 'editor',
    isKeeper: false,
    state: 'member',
    version: 7,
    rosters: ['one', 'two'],
    key: { ...(await wrapProfileKey(dek, ada.account, profileId)), epoch: 3 },
    blocked: null,
    isDue: false,
    carers: [],
    joined: {},
  };
});

it('come back as they were, and show nothing of who is in', async () => {
  const text = await sealNotes(notes, ada.account, idOf(ada), spaceId);
  expect(text).not.toContain(profileId);
  expect(text).not.toContain('editor');
  const opened = await openNotes(text, ada.account, idOf(ada), spaceId, none);
  expect(opened).toEqual({ notes, isOld: false });
});

it('are not those of another space, another account, or of somebody who writes into the storage', async () => {
  const text = await sealNotes(notes, ada.account, idOf(ada), spaceId);
  const { keyId, ciphertext, iv } = JSON.parse(text) as Record<string, string>;
  const altered = `${ciphertext.startsWith('A') ? 'B' : 'A'}${ciphertext.slice(1)}`;
  const open = (changed: string, space = spaceId, account = idOf(ada)) =>
    openNotes(changed, ada.account, account, space, none);
  expect(await open(text, newId())).toBeUndefined();
  expect(await open(text, spaceId, newId())).toBeUndefined();
  expect(await open(JSON.stringify({ keyId, ciphertext: altered, iv }))).toBeUndefined();
  expect(await open(JSON.stringify({ keyId: eve.account.id, ciphertext, iv }))).toBeUndefined();
  expect(await open('{')).toBeUndefined();
  expect(await openNotes(text, eve.account, idOf(ada), spaceId, none)).toBeUndefined();
});

it('of before a replacement of all keys open by the former account key, and hold the key under the newest one', async () => {
  const text = await sealNotes(notes, ada.account, idOf(ada), spaceId);
  const former = (keyId: string) => Promise.resolve(keyId === ada.account.id ? ada.account : undefined);
  const found = (await openNotes(text, eve.account, idOf(ada), spaceId, former))!;
  expect(found.isOld).toBe(true);
  expect((await openProfileKey(found.notes.key!, eve.account, profileId)).epoch).toBe(3);
  await expect(openProfileKey(found.notes.key!, ada.account, profileId)).rejects.toMatchObject({
    code: 'key_mismatch',
  });
});

it('keep as many of the newest rosters as the service takes back, and no more than fit', async () => {
  const kept = async (rosters: string[]) => {
    const text = await sealNotes({ ...notes, rosters }, ada.account, idOf(ada), spaceId);
    return (await openNotes(text, ada.account, idOf(ada), spaceId, none))!.notes.rosters;
  };
  const small = Array.from({ length: 100 }, (_, at) => `roster ${at}`);
  expect(await kept(small)).toEqual(small.slice(37));
  const large = Array.from({ length: 30 }, (_, at) => String(at).padStart(8192, '.'));
  expect(await kept(large)).toEqual(large.slice(18));
});
