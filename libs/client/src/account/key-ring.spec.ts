import { openAccountKey } from '../crypto/account-key';
import { makeChain } from '../crypto/key-chain';
import { generateDataKey, wrapDataKey } from '../crypto/key-wrapping';
import { openProfileKey, type OpenProfileKey, wrapProfileKey } from '../crypto/profile-key';
import { KeyRing } from './key-ring';

/** Keys of a shared profile: the newest one, and those of before as long as they are needed. */
const PROFILE = '00000000-0000-7000-8000-000000000001';
const PURPOSE = { purpose: 'password', accountId: '00000000-0000-7000-8000-000000000002' } as const;
let ring: KeyRing;
let keys: OpenProfileKey[];
let chainOf: (epoch: number) => Promise<unknown>;

beforeEach(async () => {
  const under = await generateDataKey('account');
  const account = await openAccountKey(
    await wrapDataKey(await generateDataKey('account'), under, PURPOSE),
    under,
    PURPOSE,
  );
  ring = new KeyRing();
  ring.attempt().unlock(account);
  const extractable: OpenProfileKey[] = [];
  keys = [];
  for (const epoch of [1, 2, 3]) {
    const wrap = await wrapProfileKey({ key: await generateDataKey('profile'), epoch }, account, PROFILE);
    keys.push(await openProfileKey(wrap, account, PROFILE));
    extractable.push(await openProfileKey(wrap, account, PROFILE, true));
  }
  // As it is sealed in the profile: JSON.
  chainOf = async (epoch) => {
    const former = extractable.slice(0, epoch - 1).reverse();
    return JSON.parse(JSON.stringify(await makeChain(former, keys[epoch - 1], PROFILE))) as unknown;
  };
});

const epochs = () => {
  const { epoch, older = [] } = ring.profileKey(PROFILE)!;
  return [epoch, ...older.map((each) => each.epoch)];
};

it('takes a key of a later epoch alone, and keeps the one before until the profile says otherwise', async () => {
  ring.takeSpaceKey(PROFILE, keys[1]);
  ring.takeSpaceKey(PROFILE, keys[0]);
  expect(epochs()).toEqual([2]);
  ring.takeSpaceKey(PROFILE, keys[2]);
  expect(epochs()).toEqual([3, 2]);
  await ring.takeChain(PROFILE, await chainOf(3), 3);
  expect(epochs()).toEqual([3, 2, 1]);
  await ring.takeChain(PROFILE, undefined, 3);
  expect(epochs()).toEqual([3]);
});

it('drops the one before where the newest state of the profile has no former keys any more', async () => {
  ring.takeSpaceKey(PROFILE, keys[0]);
  await ring.takeChain(PROFILE, undefined, 1);
  ring.takeSpaceKey(PROFILE, keys[1]);
  await ring.takeChain(PROFILE, undefined, 2);
  expect(epochs()).toEqual([2]);
});

it('learns nothing of former keys from a state of before', async () => {
  ring.takeSpaceKey(PROFILE, keys[1]);
  await ring.takeChain(PROFILE, await chainOf(2), 2);
  ring.takeSpaceKey(PROFILE, keys[2]);
  await ring.takeChain(PROFILE, undefined, 2);
  expect(epochs()).toEqual([3, 2, 1]);
});

it('has none after a lock', () => {
  ring.takeSpaceKey(PROFILE, keys[0]);
  ring.lock();
  expect(() => ring.takeSpaceKey(PROFILE, keys[1])).toThrow(expect.objectContaining({ code: 'locked' }));
});
