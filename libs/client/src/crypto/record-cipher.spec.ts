import { fromBase64, toBase64 } from '../encoding';
import { newId } from '../ids';
import { generateDataKey } from './key-wrapping';
import { recordAad, type RecordPlace } from './labels';
import type { ProfileKey } from './profile-key';
import { decryptRecord, encryptRecord } from './record-cipher';
import { encryptAsVersion1 } from '../testing/format-1';

const place: RecordPlace = { profileId: newId(), kind: 'medication', recordId: newId() };
const record = { details: { name: 'Zoë 💊', strength: 400, tags: ['a', null, true] } };
let key: ProfileKey;

beforeAll(async () => {
  key = { key: await generateDataKey('profile'), epoch: 1 };
});

const flip = (base64: string, at: number) => {
  const bytes = fromBase64(base64)!;
  bytes[at < 0 ? bytes.length + at : at] ^= 1;
  return toBase64(bytes);
};

it('returns what was encrypted', async () => {
  const wire = await encryptRecord(record, key, place);
  const state = toBase64(fromBase64(wire.ciphertext)!.subarray(-16));
  const lineage = { generation: 1, previous: null, state };
  expect(await decryptRecord(wire, key, place)).toEqual({ content: record, lineage });
});

it('never uses an IV twice and never shows the text', async () => {
  const wires = await Promise.all(Array.from({ length: 200 }, () => encryptRecord(record, key, place)));
  expect(new Set(wires.map((wire) => wire.iv)).size).toBe(200);
  expect(new Set(wires.map((wire) => wire.ciphertext)).size).toBe(200);
  expect(wires.map((wire) => Buffer.from(wire.ciphertext, 'base64').toString('latin1')).join()).not.toContain(
    '400',
  );
});

it.each<[string, Partial<RecordPlace>]>([
  ['record', { recordId: newId() }],
  ['profile', { profileId: newId() }],
  ['kind', { kind: 'appointment' }],
])('does not open in the place of another %s', async (_what, other) => {
  const wire = await encryptRecord(record, key, place);
  await expect(decryptRecord(wire, key, { ...place, ...other })).rejects.toMatchObject({
    code: 'tampered',
    record: { id: other.recordId ?? place.recordId },
  });
});

it('does not open with the key of another profile', async () => {
  const wire = await encryptRecord(record, key, place);
  await expect(
    decryptRecord(wire, { ...key, key: await generateDataKey('profile') }, place),
  ).rejects.toMatchObject({
    code: 'tampered',
  });
});

it('does not open when any part is changed, or exchanged with another version', async () => {
  const wire = await encryptRecord(record, key, place);
  const older = await encryptRecord(record, key, place);
  const changed = [
    { ...wire, ciphertext: flip(wire.ciphertext, 0) },
    { ...wire, ciphertext: flip(wire.ciphertext, -1) },
    { ...wire, ciphertext: wire.ciphertext.slice(0, -4) },
    { ...wire, ciphertext: '' },
    { ...wire, ciphertext: `${wire.ciphertext}\n` },
    { ...wire, iv: flip(wire.iv, 3) },
    { ...wire, iv: '' },
    { ...wire, iv: older.iv },
  ];
  for (const each of changed) {
    await expect(decryptRecord(each, key, place)).rejects.toMatchObject({ code: 'tampered' });
  }
});

it('hides the length: a name, a reading and a longer note of usual size look alike', async () => {
  const lengths = await Promise.all(
    ['', 'Jo', 'x'.repeat(200)].map(
      async (note) => (await encryptRecord({ note }, key, place)).ciphertext.length,
    ),
  );
  expect(new Set(lengths)).toEqual(new Set([Math.ceil((256 + 16) / 3) * 4]));
});

it('takes records up to the limit of the service, and refuses larger ones before they are sent', async () => {
  const wire = await encryptRecord({ note: 'x'.repeat(190_000) }, key, place);
  expect(JSON.stringify(wire).length).toBeLessThanOrEqual(256 * 1024);
  await expect(encryptRecord({ note: 'x'.repeat(200_000) }, key, place)).rejects.toMatchObject({
    code: 'invalid_argument',
  });
});

it('counts the history of a record: generation and the state before', async () => {
  const first = await decryptRecord(await encryptRecord(record, key, place), key, place);
  const ancestry = { generation: 7, previous: first.lineage.state };
  const later = await decryptRecord(await encryptRecord(record, key, place, ancestry), key, place);
  expect(later.lineage).toMatchObject(ancestry);
  expect(later.lineage.state).not.toBe(first.lineage.state);
  const wrong = { generation: 2, previous: 'AAAA' };
  await expect(encryptRecord(record, key, place, wrong)).rejects.toMatchObject({ code: 'invalid_argument' });
});

it('reads version 1 for ever, as the first generation', async () => {
  const wire = await encryptAsVersion1(record, key, place);
  const opened = await decryptRecord(wire, key, place);
  expect(opened).toMatchObject({ content: record, lineage: { generation: 1, previous: null } });
});

it('does not take a record for one of another key epoch', async () => {
  const ofSecond = await encryptRecord(record, { ...key, epoch: 2 }, place);
  const ofFirst = await encryptAsVersion1(record, key, place);
  await expect(decryptRecord(ofSecond, key, place)).rejects.toMatchObject({ code: 'format_unsupported' });
  await expect(decryptRecord(ofFirst, { ...key, epoch: 2 }, place)).rejects.toMatchObject({
    code: 'format_unsupported',
  });
});

it.each([
  ['of another version', [3]],
  ['without an epoch', [2, 0, 0, 0, 0, 0, 0, 0, 1]],
  ['without a generation', [2, 0, 0, 0, 1, 0, 0, 0, 0]],
  ['without content', [2, 0, 0, 0, 1, 0, 0, 0, 1]],
])('reads no frame %s', async (_what, head) => {
  const framed = new Uint8Array(256);
  framed.set(head);
  const iv = new Uint8Array(12);
  const algorithm = { name: 'AES-GCM', iv, additionalData: recordAad(place, 2) };
  const sealed = await crypto.subtle.encrypt(algorithm, key.key, framed);
  const wire = { ciphertext: toBase64(new Uint8Array(sealed)), iv: toBase64(iv) };
  await expect(decryptRecord(wire, key, place)).rejects.toMatchObject({ code: 'format_unsupported' });
});

it('gives no member a prototype', async () => {
  const hostile = JSON.parse('{"a":{"__proto__":{"admin":true}}}');
  const { content } = await decryptRecord(await encryptRecord(hostile, key, place), key, place);
  expect(Object.keys(content.a as object)).toEqual([]);
});
