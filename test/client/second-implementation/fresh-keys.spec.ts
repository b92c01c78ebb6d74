/** The second implementation opens what the library seals, and seals what the library opens. */
import { randomBytes } from 'node:crypto';
import { openPasswordWrap, type AccountKey } from '../../../libs/client/src/crypto/account-key';
import { isProven, proveDose } from '../../../libs/client/src/crypto/dose-proof';
import { readStamp, stampAfter } from '../../../libs/client/src/crypto/edit-time';
import { decodeHead, decodePresence, encodeHead, encodePresence } from '../../../libs/client/src/crypto/head';
import { wrapDataKey } from '../../../libs/client/src/crypto/key-wrapping';
import { derivePasswordKeys } from '../../../libs/client/src/crypto/password-keys';
import { openProfileKey, wrapProfileKey } from '../../../libs/client/src/crypto/profile-key';
import { decryptRecord, encryptRecord } from '../../../libs/client/src/crypto/record-cipher';
import { deriveRecoveryKeys } from '../../../libs/client/src/crypto/recovery-keys';
import { encryptFile, decryptFile } from '../../../libs/client/src/transfer/encrypted-file';
import { newId } from '../../../libs/client/src/ids';
import { deriveAtFullCost } from '../../../libs/client/src/testing/full-derivation';
import { ask, bytes, Questions, TIMEOUT_MS, words } from './program';

deriveAtFullCost();

describe('with fresh keys', () => {
  const password = 'Pässwörd １２';
  const phrase = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
  const kdf = { kdf: 'pbkdf2-sha256', iterations: 600_000, salt: bytes(16) };
  const [profileId, accountId] = [newId(), newId()];
  const [accountRaw, profileRaw] = [randomBytes(32), randomBytes(32)];
  const [account_key, profile_key] = [accountRaw, profileRaw].map((raw) => raw.toString('base64'));
  const content = {
    details: { name: 'Zoë 💊', n: [1.5, null] },
    meta: { route: 'oral', dose_schedule: null },
  };
  const place = { profileId, kind: 'medication' as const, recordId: newId() };
  const asked = { profile_id: profileId, kind: place.kind, record_id: place.recordId };
  // Ids of one millisecond are in no order, and a head is sorted by them.
  const [first, second] = [newId(), newId()].sort();
  const head = new Map([
    [first, 2],
    [second, 70_000],
  ]);
  const dose = { medicationId: newId(), id: newId(), taken: false, loggedAt: '2026-11-23T20:15:00.000Z' };
  const askedDose = {
    ...{ medication_id: dose.medicationId, dose_id: dose.id, taken: dose.taken },
    milliseconds: Date.parse(dose.loggedAt),
  };
  const ancestry = { generation: 9, previous: bytes(16) };
  const document = { format: 'health-records-export', version: 1, profiles: [], note: 'Zoë' };
  let account: AccountKey;
  let wrappingKeys: Record<'password' | 'recovery', any>;
  let wrapped: Record<'password' | 'recovery', { wrapped: string; iv: string }>;

  const importKey = (raw: Buffer, usages: ('encrypt' | 'decrypt' | 'wrapKey' | 'unwrapKey')[]) =>
    crypto.subtle.importKey('raw', Uint8Array.from(raw), 'AES-GCM', true, usages);
  const profileKey = async (epoch = 4) => ({
    key: await importKey(profileRaw, ['encrypt', 'decrypt']),
    epoch,
  });

  beforeAll(async () => {
    const accountKey = await importKey(accountRaw, ['wrapKey', 'unwrapKey']);
    wrappingKeys = {
      password: (await derivePasswordKeys(password, kdf)).wrappingKey,
      recovery: (await deriveRecoveryKeys(phrase)).wrappingKey,
    };
    wrapped = {
      password: await wrapDataKey(accountKey, wrappingKeys.password, { purpose: 'password', accountId }),
      recovery: await wrapDataKey(accountKey, wrappingKeys.recovery, { purpose: 'recovery', isBound: true }),
    };
    ({ accountKey: account } = await openPasswordWrap(wrapped.password, wrappingKeys.password, accountId));
  }, TIMEOUT_MS);

  it(
    'opens all that the library seals',
    async () => {
      const [derived, recovered] = ask([
        { do: 'password', password, ...kdf },
        { do: 'recovery', typed: phrase, words },
      ]).map(({ ok }) => ok);
      const wrap = await wrapProfileKey(await profileKey(), account, profileId);
      const file = await encryptFile(document, { password });
      const all = new Questions();
      const data_key = account_key;
      const names = { version: 2, data_key, id: account.id, account_id_of_key: account.accountId };
      const question = { do: 'open_account_key', account_id: accountId };
      const under = { password: derived.wrapping_key, recovery: recovered.wrapping_key };
      for (const purpose of ['password', 'recovery'] as const)
        all.ok({ ...question, purpose, key: under[purpose], ...wrapped[purpose] }, names);
      const opened = { data_key: profile_key, epoch: 4 };
      all.ok({ do: 'open_profile_key', key: account_key, profile_id: profileId, ...wrap }, opened);
      const wire = await encryptRecord(content, await profileKey(), place, ancestry);
      const state = Buffer.from(wire.ciphertext, 'base64').subarray(-16).toString('base64');
      all.ok(
        { do: 'open_record', ...asked, key: profile_key, epoch: 4, ...wire },
        { content: JSON.stringify(content), ...ancestry, state },
      );
      const proof = await proveDose(
        dose,
        { profileId, generation: 3 },
        await openProfileKey(wrap, account, profileId),
      );
      const proven = { do: 'is_proven', ...askedDose, key: profile_key, epoch: 4, proof };
      all.ok(proven, true);
      all.ok({ ...proven, taken: true }, false);
      all.ok({ do: 'decode_head', head: encodeHead(head) }, [...head]);
      const kinds = { [first]: 'appointment' };
      const present = encodePresence(head, (id) => kinds[id]);
      all.ok({ do: 'decode_present', entries: [...head], present }, kinds);
      const stamp = stampAfter(undefined, 1_800_000_000_000);
      const client_hex = Buffer.from(stamp, 'base64').subarray(8).toString('hex');
      all.ok({ do: 'read_stamp', stamp }, { milliseconds: 1_800_000_000_000, count: 0, client_hex });
      all.ok(
        { do: 'open_file', file: Buffer.from(file).toString('base64'), password },
        JSON.stringify(document),
      );
      expect(ask(all.tasks)).toEqual(all.expected);
    },
    TIMEOUT_MS,
  );

  it(
    'seals what the library opens',
    async () => {
      const [{ ok: derived }] = ask([{ do: 'password', password, ...kdf }]);
      const key = derived.wrapping_key;
      const now = Date.now();
      const text = JSON.stringify(content);
      const lineage = { epoch: 4, ...ancestry };
      const answers = ask([
        { do: 'wrap_profile_key', key: account_key, profile_id: profileId, data_key: profile_key, epoch: 4 },
        { do: 'seal_record', ...asked, key: profile_key, ...lineage, content: text },
        { do: 'encode_head', entries: [...head] },
        { do: 'seal_file', content: JSON.stringify(document), password },
        { do: 'wrap_account_key', key, purpose: 'password', account_id: accountId, data_key: account_key },
        { do: 'encode_present', entries: [...head], kinds: { [second]: 'medication' } },
        { do: 'stamp_after', before: null, now_ms: now, client_hex: 'a1b2c3d4' },
        { do: 'prove_dose', ...askedDose, key: profile_key, profile_id: profileId, epoch: 4, generation: 3 },
      ]);
      const [wrap, wire, sealedHead, file, accountWrap, present, stamp, proof] = answers.map(({ ok }) => ok);
      const opened = await openProfileKey(wrap, account, profileId);
      expect(opened.epoch).toBe(4);
      expect((await decryptRecord(wire, opened, place)).content).toEqual(content);
      expect((await decryptRecord(wire, opened, place)).lineage).toMatchObject(ancestry);
      expect(decodeHead(sealedHead)).toEqual(head);
      expect(await decryptFile(Uint8Array.from(Buffer.from(file, 'base64')), { password })).toEqual(document);
      const again = await openPasswordWrap(accountWrap, wrappingKeys.password, accountId);
      expect([again.accountKey.id, again.isBound]).toEqual([account.id, true]);
      expect([...decodePresence(head, present)!]).toEqual([[second, 'medication']]);
      expect([
        await isProven(dose, proof, opened),
        await isProven({ ...dose, taken: true }, proof, opened),
      ]).toEqual([true, false]);
      expect(readStamp(stamp)).toEqual({ ms: now, count: 0, client: 'a1b2c3d4' });
    },
    TIMEOUT_MS,
  );
});
