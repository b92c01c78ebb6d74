import { newId } from '../ids';
import { openAccountKey, type AccountKey } from './account-key';
import { generateDataKey, rewrapDataKey, unwrapDataKey, wrapDataKey, type WrappedKey } from './key-wrapping';
import type { KeyPurpose } from './labels';
import { openProfileKey, wrapProfileKey } from './profile-key';
import { AES_GCM, type Key } from './web-crypto';

const password: KeyPurpose = { purpose: 'password' };
const recovery: KeyPurpose = { purpose: 'recovery' };
const profile = { purpose: 'profile', profileId: newId() } as const;
const wrappingKey = () => crypto.subtle.generateKey(AES_GCM, false, ['wrapKey', 'unwrapKey']);
let under: Key;

beforeAll(async () => {
  under = await wrappingKey();
});

it('has the length that the service imitates for unknown emails: 64 and 16 characters', async () => {
  const wrapped = await wrapDataKey(await generateDataKey('account'), under, recovery);
  expect([wrapped.wrapped.length, wrapped.iv.length]).toEqual([64, 16]);
});

it('opens as a key that no script can read', async () => {
  for (const purpose of [password, profile]) {
    const tier = purpose === password ? 'account' : 'profile';
    const key = await unwrapDataKey(
      await wrapDataKey(await generateDataKey(tier), under, purpose),
      under,
      purpose,
    );
    expect(key.extractable).toBe(false);
    expect(key.usages).toEqual(
      tier === 'account' ? ['wrapKey', 'unwrapKey'] : ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'],
    );
    await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow();
  }
});

it.each<[string, KeyPurpose, KeyPurpose]>([
  ['password as recovery', password, recovery],
  ['recovery as password', recovery, password],
  ['one profile as another', profile, { purpose: 'profile', profileId: newId() }],
  ['profile as account', profile, password],
])('does not open a key of %s', async (_what, made, asked) => {
  const wrapped = await wrapDataKey(await generateDataKey('profile'), under, made);
  await expect(unwrapDataKey(wrapped, under, made)).resolves.toBeDefined();
  await expect(unwrapDataKey(wrapped, under, asked)).rejects.toMatchObject({ code: 'tampered' });
});

it('does not open with another wrapping key, nor in a wrong form', async () => {
  const wrapped = await wrapDataKey(await generateDataKey('account'), under, password);
  await expect(unwrapDataKey(wrapped, await wrappingKey(), password)).rejects.toMatchObject({
    code: 'tampered',
  });
  for (const broken of [
    { ...wrapped, iv: '' },
    { ...wrapped, wrapped: wrapped.wrapped.slice(4) },
  ]) {
    await expect(unwrapDataKey(broken, under, password)).rejects.toMatchObject({ code: 'tampered' });
  }
});

it('rewraps the same key', async () => {
  const first = await wrapDataKey(await generateDataKey('account'), under, password);
  const next = await wrappingKey();
  const second = await rewrapDataKey(
    first,
    { key: under, purpose: password },
    { key: next, purpose: recovery },
  );
  const [before, after] = [
    await openAccountKey(first, under, password),
    await openAccountKey(second, next, recovery),
  ];
  expect(after.id).toBe(before.id);
  expect(second.iv).not.toBe(first.iv);
});

describe('the account key', () => {
  it('has an id that tells it from every other, and no script can read it', async () => {
    const keys = await Promise.all([1, 2].map(() => generateDataKey('account')));
    const [one, two] = await Promise.all(
      keys.map(async (key) => openAccountKey(await wrapDataKey(key, under, password), under, password)),
    );
    expect(Buffer.from(one.id, 'base64')).toHaveLength(16);
    expect(two.id).not.toBe(one.id);
    expect(one.key.extractable).toBe(false);
  });

  it('does not open for another purpose', async () => {
    const wrapped = await wrapDataKey(await generateDataKey('account'), under, password);
    await expect(openAccountKey(wrapped, under, recovery)).rejects.toMatchObject({ code: 'tampered' });
  });
});

describe('the key of a profile', () => {
  const { profileId } = profile;
  let account: AccountKey;
  beforeAll(async () => {
    const wrapped = await wrapDataKey(await generateDataKey('account'), under, password);
    account = await openAccountKey(wrapped, under, password);
  });
  const wrap = async (epoch = 1) =>
    wrapProfileKey({ key: await generateDataKey('profile'), epoch }, account, profileId);
  const change = ({ wrapped, iv }: WrappedKey, at: number) => {
    const bytes = Buffer.from(wrapped, 'base64');
    bytes[at] ^= 1;
    return { wrapped: bytes.toString('base64'), iv };
  };

  it('comes back with its epoch, unreadable', async () => {
    const opened = await openProfileKey(await wrap(3), account, profileId);
    expect([opened.epoch, opened.key.extractable, opened.key.usages]).toEqual([
      3,
      false,
      ['encrypt', 'decrypt', 'wrapKey', 'unwrapKey'],
    ]);
  });

  it('of version 1 is read for ever, as that of the first epoch', async () => {
    const wrapped = await wrapDataKey(await generateDataKey('profile'), account.key, profile);
    expect((await openProfileKey(wrapped, account, profileId)).epoch).toBe(1);
    await expect(openProfileKey(wrapped, account, newId())).rejects.toMatchObject({ code: 'tampered' });
  });

  it('names a wrap of another account key, and a damaged one, each by its own code', async () => {
    const good = await wrap();
    const other = { ...account, id: Buffer.alloc(16).toString('base64') };
    await expect(openProfileKey(good, other, profileId)).rejects.toMatchObject({ code: 'key_mismatch' });
    await expect(openProfileKey(change(good, 0), account, profileId)).rejects.toMatchObject({
      code: 'key_mismatch',
    });
    // The epoch, the key, the tag.
    for (const at of [19, 20, 67]) {
      await expect(openProfileKey(change(good, at), account, profileId)).rejects.toMatchObject({
        code: 'tampered',
      });
    }
    await expect(openProfileKey(good, account, newId())).rejects.toMatchObject({ code: 'tampered' });
  });
});
