import { fromBase64, toBase64 } from '../encoding';
import { newId } from '../ids';
import { openAccountKey } from './account-key';
import { isProven, proveDose, readProof, type ProvenDose } from './dose-proof';
import { generateDataKey, wrapDataKey } from './key-wrapping';
import { openProfileKey, wrapProfileKey, type OpenProfileKey } from './profile-key';
import { AES_GCM, subtle } from './web-crypto';

const [profileId, otherId] = [newId(), newId()];
const dose: ProvenDose = {
  medicationId: newId(),
  id: newId(),
  taken: true,
  loggedAt: '2026-11-20T08:00:00.000Z',
};
let key: OpenProfileKey;
let otherKey: OpenProfileKey;
let proof: string;

beforeAll(async () => {
  const under = await subtle().generateKey(AES_GCM, false, ['wrapKey', 'unwrapKey']);
  const purpose = { purpose: 'password' } as const;
  const wrapped = await wrapDataKey(await generateDataKey('account'), under, purpose);
  const account = await openAccountKey(wrapped, under, purpose);
  const keyOf = async (id: string) => {
    const data = { key: await generateDataKey('profile'), epoch: 1 };
    return openProfileKey(await wrapProfileKey(data, account, id), account, id);
  };
  [key, otherKey] = [await keyOf(profileId), await keyOf(otherId)];
  proof = await proveDose(dose, { profileId, generation: 1 }, key);
});

it('proves a dose, in 76 characters', async () => {
  expect(proof).toHaveLength(76);
  expect(readProof(proof)).toEqual({ profileId, epoch: 1, generation: 1 });
  expect(await isProven(dose, proof, key)).toBe(true);
  expect(await isProven({ ...dose, loggedAt: '2026-11-20T09:00:00+01:00' }, proof, key)).toBe(true);
});

const altered: Partial<ProvenDose>[] = [
  { taken: false },
  { loggedAt: '2026-11-20T08:00:00.001Z' },
  { id: newId() },
  { medicationId: newId() },
];
it.each(altered)('does not prove a dose with %j', async (change) => {
  expect(await isProven({ ...dose, ...change }, proof, key)).toBe(false);
});

it('does not prove a dose under the key of another profile, or of another epoch', async () => {
  expect(await isProven(dose, proof, otherKey)).toBe(false);
  expect(await isProven(dose, proof, { ...key, epoch: 2 })).toBe(false);
});

it('does not prove a dose when any byte of the proof is another', async () => {
  const bytes = fromBase64(proof)!;
  for (let at = 0; at < bytes.length; at += 1) {
    const other = bytes.slice();
    other[at] ^= 1;
    expect(await isProven(dose, toBase64(other), key)).toBe(false);
  }
});

it.each(['', 'x', 'AQ==', toBase64(new Uint8Array(57))])('reads no proof in %j', async (text) => {
  expect(readProof(text)).toBeUndefined();
  expect(await isProven(dose, text, key)).toBe(false);
});

it('lets no script read the key', async () => {
  await expect(subtle().exportKey('raw', key.doses)).rejects.toThrow();
});
