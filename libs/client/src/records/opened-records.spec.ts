import { generateDataKey } from '../crypto/key-wrapping';
import type { RecordPlace } from '../crypto/labels';
import { FIRST_EPOCH } from '../crypto/profile-key';
import { encryptRecord } from '../crypto/record-cipher';
import { OpenedRecords } from './opened-records';

const place: RecordPlace = {
  profileId: '0199a000-0000-7000-8000-000000000001',
  kind: 'medication',
  recordId: '0199a000-0000-7000-8000-000000000002',
};
const content = (name: string) => ({ details: { name }, meta: {} });
const decrypt = jest.spyOn(globalThis.crypto.subtle, 'decrypt');

const aKey = async () => ({ key: await generateDataKey('profile'), epoch: FIRST_EPOCH });

let opened: OpenedRecords;
beforeEach(() => {
  opened = new OpenedRecords();
  decrypt.mockClear();
});
afterAll(() => decrypt.mockRestore());

it('decrypts a state once, and gives each reader a copy of its own', async () => {
  const key = await aKey();
  const wire = await encryptRecord(content('Ibuprofen'), key, place);
  const first = await opened.open(wire, key, place);
  const untouched = structuredClone(first);
  (first.content.details as { name: string }).name = 'Changed by a reader';
  first.lineage.generation = 9;
  expect(await opened.open({ ...wire }, key, { ...place })).toEqual(untouched);
  expect(decrypt).toHaveBeenCalledTimes(1);
});

it('takes nothing that it holds for another state, key or kind', async () => {
  const [key, other] = [await aKey(), await aKey()];
  const [before, after] = [
    await encryptRecord(content('Before'), key, place),
    await encryptRecord(content('After'), key, place),
  ];
  await opened.open(before, key, place);
  expect((await opened.open(after, key, place)).content).toEqual(content('After'));
  expect((await opened.open(before, key, place)).content).toEqual(content('Before'));
  const tampered = { code: 'tampered' };
  await expect(opened.open({ ...before, iv: after.iv }, key, place)).rejects.toMatchObject(tampered);
  await expect(opened.open(before, other, place)).rejects.toMatchObject(tampered);
  await expect(opened.open(before, key, { ...place, kind: 'appointment' })).rejects.toMatchObject(tampered);
});

it('holds nothing of a deleted record, and nothing after a lock, also of what was under way', async () => {
  const key = await aKey();
  const wire = await encryptRecord(content('Ibuprofen'), key, place);
  const isKept = async () => {
    decrypt.mockClear();
    await opened.open(wire, key, place);
    return decrypt.mock.calls.length === 0;
  };
  expect([await isKept(), await isKept()]).toEqual([false, true]);
  opened.forget(place.recordId);
  expect(await isKept()).toBe(false);
  opened.clear();
  const underWay = opened.open(wire, key, place);
  opened.clear();
  await underWay;
  expect(await isKept()).toBe(false);
});
