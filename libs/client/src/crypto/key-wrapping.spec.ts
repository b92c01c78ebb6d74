import { newId } from '../ids';
import { generateDataKey, rewrapDataKey, unwrapDataKey, wrapDataKey } from './key-wrapping';
import type { KeyPurpose } from './labels';
import { decryptRecord, encryptRecord } from './record-cipher';
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
    expect(key.usages).toEqual(tier === 'account' ? ['wrapKey', 'unwrapKey'] : ['encrypt', 'decrypt']);
    await expect(crypto.subtle.exportKey('raw', key)).rejects.toThrow();
  }
});

it.each<[string, KeyPurpose, KeyPurpose]>([
  ['password as recovery', password, recovery],
  ['recovery as password', recovery, password],
  ['one profile as another', profile, { purpose: 'profile', profileId: newId() }],
  ['profile as account', profile, password],
  ['shared as own', { purpose: 'share', profileId: profile.profileId }, profile],
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

it('rewraps the same key: data of before opens after', async () => {
  const place = { profileId: profile.profileId, kind: 'medication' as const, recordId: newId() };
  const first = await wrapDataKey(await generateDataKey('profile'), under, profile);
  const wire = await encryptRecord({ a: 1 }, await unwrapDataKey(first, under, profile), place);
  const next = await wrappingKey();
  const second = await rewrapDataKey(
    first,
    { key: under, purpose: profile },
    { key: next, purpose: profile },
  );
  expect(await decryptRecord(wire, await unwrapDataKey(second, next, profile), place)).toEqual({ a: 1 });
  expect(second.iv).not.toBe(first.iv);
});
