import { fromBase64, toBase64, utf8 } from '../encoding';
import { HealthRecordsError, RosterRefusedError } from '../errors';
import {
  namesOf,
  openAccountKey,
  pseudonymOf,
  openPasswordWrap,
  openRecoveryWrap,
  type AccountKey,
} from '../crypto/account-key';
import { accountDataKeyOf } from '../crypto/account-data-key';
import { isProven, proveDose } from '../crypto/dose-proof';
import { isLater, readStamp, stampAfter } from '../crypto/edit-time';
import { decodeHead, decodePresence, encodeHead, encodePresence } from '../crypto/head';
import { keyAad, passkeyInput, recordAad, type FormatVersion, type RecordKind } from '../crypto/labels';
import { writeFrameHead } from '../crypto/lineage';
import { frame, paddedLength } from '../crypto/padding';
import { openPasskeyWrap, passkeyWrappingKey } from '../crypto/passkey-wrap';
import { derivePasswordKeys, passwordBytes } from '../crypto/password-keys';
import { openChain } from '../crypto/key-chain';
import { FIRST_EPOCH, openProfileKey, wrapProfileKey } from '../crypto/profile-key';
import { decryptRecord } from '../crypto/record-cipher';
import { deriveRecoveryKeys } from '../crypto/recovery-keys';
import { normalizeRecoveryPhrase } from '../crypto/recovery-phrase';
import type { Key } from '../crypto/web-crypto';
import { canonicalJson } from '../json';
import { unitOfReading } from '../records/health-stats';
import { unitOfMedication } from '../records/medications';
import { mergeVersions, type UnitOf, type Version } from '../records/merge-records';
import { unitOfProfile } from '../records/profile-versions';
import { decryptFile } from '../transfer/encrypted-file';
import { runSpaceVectors } from './space-vector-run';
import type vectors from '../../vectors.json';

type Vectors = typeof vectors;

const ZERO_STATE = toBase64(new Uint8Array(16));
const fromHex = (text: string) =>
  Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
const aesKey = (raw: string, usages: ('encrypt' | 'decrypt' | 'wrapKey' | 'unwrapKey')[]) =>
  crypto.subtle.importKey('raw', fromHex(raw), 'AES-GCM', false, usages);
const wrapping = (raw: string) => aesKey(raw, ['wrapKey', 'unwrapKey']);
const FIXED_IV = { name: 'AES-GCM', iv: new Uint8Array(12) };

/** The bytes of a key are not readable, so two keys are compared by what they make. */
async function printOf(key: Key): Promise<string> {
  if (key.usages.includes('encrypt')) {
    return toBase64(new Uint8Array(await crypto.subtle.encrypt(FIXED_IV, key, new Uint8Array(16))));
  }
  const known = await crypto.subtle.importKey('raw', new Uint8Array(32), 'AES-GCM', true, ['encrypt']);
  return toBase64(new Uint8Array(await crypto.subtle.wrapKey('raw', known, key, FIXED_IV)));
}

async function accountOf(raw: string): Promise<AccountKey> {
  const [key, input] = await Promise.all([
    wrapping(raw),
    crypto.subtle.importKey('raw', fromHex(raw), 'HKDF', false, ['deriveBits']),
  ]);
  return { key, ...(await namesOf(input)) };
}

/** With the members of all objects in the order of their names. */
function sorted(value: unknown): unknown {
  return JSON.parse(canonicalJson(value));
}

/** Every vector against the library. Runs in Node and in a browser. */
export async function runVectors(all: Vectors): Promise<{ checked: number; failures: string[] }> {
  const failures: string[] = [];
  let checked = 0;
  const equal = (what: string, found: unknown, expected: unknown) => {
    checked += 1;
    const [one, two] = [found, expected].map((value) => JSON.stringify(value));
    if (one !== two) failures.push(`${what}: ${one} instead of ${two}`);
  };
  const refused = async (what: string, run: () => unknown, code: string, rule?: number) => {
    checked += 1;
    try {
      await run();
      failures.push(`${what}: not refused`);
    } catch (error) {
      const found = error instanceof HealthRecordsError ? error.code : String(error);
      if (found !== code) failures.push(`${what}: ${found} instead of ${code}`);
      if (rule !== undefined && !(error instanceof RosterRefusedError && error.rule === rule))
        failures.push(`${what}: another rule than ${rule}`);
    }
  };

  for (const each of all.password) {
    equal('password bytes', toHex(passwordBytes(each.password)), each.password_bytes_hex);
    const keys = await derivePasswordKeys(each.password, { ...each, salt: each.salt_base64 });
    equal('auth secret', keys.authSecret, each.auth_secret_base64);
    equal(
      'wrapping key',
      await printOf(keys.wrappingKey),
      await printOf(await wrapping(each.wrapping_key_hex)),
    );
  }
  for (const each of all.kdf_refused) {
    const run = () => derivePasswordKeys('password', { ...each, salt: each.salt_base64 });
    await refused(`derivation of ${each.iterations}`, run, 'kdf_refused');
  }
  for (const each of all.recovery) {
    equal('canonical phrase', await normalizeRecoveryPhrase(each.typed), each.canonical);
    const keys = await deriveRecoveryKeys(each.typed);
    equal('recovery proof', keys.recoveryProof, each.recovery_proof_base64);
    equal(
      'recovery key',
      await printOf(keys.wrappingKey),
      await printOf(await wrapping(each.wrapping_key_hex)),
    );
  }
  for (const each of all.recovery_refused) {
    await refused(each.typed, () => normalizeRecoveryPhrase(each.typed), each.code);
  }

  type AccountVector = Omit<Vectors['account_keys_refused'][number], 'name' | 'code'>;
  const openAccount = async (each: AccountVector) => {
    const wrap = { wrapped: each.wrapped_base64, iv: each.iv_base64 };
    const under = await wrapping(each.wrapping_key_hex);
    return each.purpose === 'password'
      ? openPasswordWrap(wrap, under, each.account_id)
      : openRecoveryWrap(wrap, under);
  };
  for (const each of all.account_keys) {
    const { accountKey, purpose, isBound } = await openAccount(each);
    equal('account key', await printOf(accountKey.key), await printOf(await wrapping(each.data_key_hex)));
    equal('account key id', accountKey.id, each.id_base64);
    equal('account id of the key', accountKey.accountId, each.account_id_of_key);
    equal('pseudonym', await pseudonymOf(accountKey, each.pseudonym_text), each.pseudonym);
    equal('version of the wrap', isBound ? 2 : 1, each.version);
    equal('account key place', new TextDecoder().decode(keyAad(purpose)), each.aad_utf8);
  }
  for (const each of all.account_keys_refused) {
    await refused(`account key, ${each.name}`, () => openAccount(each), each.code);
  }

  type RecoveryWrapVector = Omit<Vectors['recovery_wraps_refused'][number], 'name' | 'code'>;
  const openNamed = async (each: RecoveryWrapVector) => {
    const wrap = { wrapped: each.wrapped_base64, iv: each.iv_base64 };
    return openRecoveryWrap(wrap, await wrapping(each.wrapping_key_hex));
  };
  for (const each of all.recovery_wraps) {
    const { accountKey, accountId, purpose } = await openNamed(each);
    equal(
      'key under a phrase',
      await printOf(accountKey.key),
      await printOf(await wrapping(each.data_key_hex)),
    );
    equal('names of a recovery wrap', [accountId, accountKey.id], [each.account_id, each.id_base64]);
    equal('place of a recovery wrap', new TextDecoder().decode(keyAad(purpose)), each.aad_utf8);
  }
  for (const each of all.recovery_wraps_refused) {
    await refused(`recovery wrap, ${each.name}`, () => openNamed(each), each.code);
  }
  for (const each of all.account_data_keys) {
    const { key } = await accountDataKeyOf(await accountOf(each.account_key_hex));
    equal(
      'account data key',
      await printOf(key),
      await printOf(await aesKey(each.data_key_hex, ['encrypt'])),
    );
  }

  type FormerVector = Omit<Vectors['former_keys_refused'][number], 'name' | 'code'>;
  const openFormer = async (each: FormerVector) => {
    const purpose = { purpose: 'former', accountKeyId: each.id_base64 } as const;
    const wrap = { wrapped: each.wrapped_base64, iv: each.iv_base64 };
    return openAccountKey(wrap, await wrapping(each.account_key_hex), purpose);
  };
  for (const each of all.former_keys) {
    const { key, id } = await openFormer(each);
    equal('former account key', await printOf(key), await printOf(await wrapping(each.former_key_hex)));
    equal('id of a former account key', id, each.id_base64);
    const place = keyAad({ purpose: 'former', accountKeyId: id });
    equal('place of a former account key', new TextDecoder().decode(place), each.aad_utf8);
  }
  for (const each of all.former_keys_refused) {
    await refused(`former account key, ${each.name}`, () => openFormer(each), each.code);
  }

  type ChainVector = Omit<Vectors['key_chains_refused'][number], 'name' | 'code'>;
  const openLinks = async (each: ChainVector) => {
    const key = await aesKey(each.profile_key_hex, ['decrypt', 'unwrapKey']);
    return openChain(each.chain, { key, epoch: each.epoch }, each.profile_id);
  };
  for (const each of all.key_chains) {
    const opened = await openLinks(each);
    equal(
      'key chain',
      await Promise.all(opened.map(async ({ epoch, key }) => [epoch, await printOf(key)])),
      await Promise.all(
        each.former.map(async ({ epoch, key_hex }) => [
          epoch,
          await printOf(await aesKey(key_hex, ['encrypt'])),
        ]),
      ),
    );
  }
  for (const each of all.key_chains_refused) {
    await refused(`key chain, ${each.name}`, () => openLinks(each), each.code);
  }

  type PasskeyVector = Omit<Vectors['passkeys_refused'][number], 'name' | 'code'>;
  const openPasskey = async (each: PasskeyVector) => {
    const place = {
      accountId: each.account_id,
      credentialId: each.credential_id,
      accountKeyId: each.account_key_id,
    };
    const under = await passkeyWrappingKey(fromHex(each.prf_hex), place);
    return openPasskeyWrap({ wrapped: each.wrapped_base64, iv: each.iv_base64 }, under, place);
  };
  for (const each of all.passkeys) {
    const { key, id } = await openPasskey(each);
    equal('key under a passkey', await printOf(key), await printOf(await wrapping(each.data_key_hex)));
    equal('account key id under a passkey', id, each.account_key_id);
    equal('input of a passkey', new TextDecoder().decode(passkeyInput()), each.input_utf8);
  }
  for (const each of all.passkeys_refused) {
    await refused(`passkey, ${each.name}`, () => openPasskey(each), each.code);
  }

  type ProfileKeyVector = Omit<Vectors['profile_keys_refused'][number], 'name' | 'code'>;
  const openProfile = async (each: ProfileKeyVector) =>
    openProfileKey(
      { wrapped: each.wrapped_base64, iv: each.iv_base64 },
      await accountOf(each.account_key_hex),
      each.profile_id,
    );
  for (const each of all.profile_keys) {
    const opened = await openProfile(each);
    equal('profile key epoch', opened.epoch, each.epoch);
    equal(
      'profile key',
      await printOf(opened.key),
      await printOf(await aesKey(each.data_key_hex, ['encrypt'])),
    );
  }
  for (const each of all.profile_keys_refused) {
    await refused(`profile key, ${each.name}`, () => openProfile(each), each.code);
  }

  type RecordVector = Omit<Vectors['records_refused'][number], 'name' | 'code'>;
  const placeOf = (each: RecordVector) => ({
    profileId: each.profile_id,
    kind: each.kind as RecordKind,
    recordId: each.record_id,
  });
  const openRecordOf = async (each: RecordVector) =>
    decryptRecord(
      { ciphertext: each.ciphertext_base64, iv: each.iv_base64 },
      { key: await aesKey(each.key_hex, ['decrypt']), epoch: each.epoch },
      placeOf(each),
    );
  for (const each of all.records) {
    const { content, lineage } = await openRecordOf(each);
    equal(`content of a ${each.kind}`, JSON.stringify(content), each.content_utf8);
    const previous = each.previous_base64 === ZERO_STATE ? null : each.previous_base64;
    equal(`lineage of a ${each.kind}`, lineage, {
      generation: each.generation,
      previous,
      state: each.state_base64,
      ...(each.epoch > FIRST_EPOCH && { epoch: each.epoch }),
    });
    const aad = recordAad(placeOf(each), each.version as FormatVersion);
    equal(`place of a ${each.kind}`, new TextDecoder().decode(aad), each.aad_utf8);
    const head = each.version === 1 ? undefined : writeFrameHead(each.epoch, { ...each, previous });
    const framed = frame(utf8(each.content_utf8), head);
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', framed));
    equal(
      `frame of a ${each.kind}`,
      [framed.length, toHex(digest)],
      [each.frame_length, each.frame_sha256_hex],
    );
  }
  for (const each of all.records_refused) {
    await refused(`record, ${each.name}`, () => openRecordOf(each), each.code);
  }
  for (const { length, padded } of all.padding) equal(`padding of ${length}`, paddedLength(length), padded);
  for (const { entries, head_base64 } of all.heads) {
    equal('head', encodeHead(new Map(entries as [string, number][])), head_base64);
    equal('entries', [...decodeHead(head_base64)!], entries);
  }
  for (const { entries, kinds, present } of all.present) {
    const head = new Map(entries as [string, number][]);
    equal(
      'present',
      encodePresence(head, (id) => (kinds as Record<string, string>)[id]),
      present,
    );
    equal('kinds', Object.fromEntries([...decodePresence(head, present)!].sort()), kinds);
  }
  for (const { name, entries, present } of all.present_refused) {
    equal(`present, ${name}`, decodePresence(new Map(entries as [string, number][]), present), undefined);
  }
  for (const { stamp_base64, milliseconds, count, client_hex } of all.stamps) {
    equal('stamp', readStamp(stamp_base64), { ms: milliseconds, count, client: client_hex });
  }
  for (const { name, stamp } of all.stamps_refused) equal(`stamp, ${name}`, readStamp(stamp), undefined);
  type ProofVector = Omit<Vectors['dose_proofs_refused'][number], 'name'>;
  const doseOf = (each: ProofVector) => ({
    ...{ medicationId: each.medication_id, id: each.dose_id, taken: each.taken, loggedAt: each.logged_at },
  });
  const profileKeyOf = async ({ key_hex, epoch }: ProofVector) => {
    const account = await accountOf('ab'.repeat(32));
    const raw = await crypto.subtle.importKey('raw', fromHex(key_hex), 'AES-GCM', true, ['encrypt']);
    const profileId = all.dose_proofs[0].profile_id;
    return openProfileKey(await wrapProfileKey({ key: raw, epoch }, account, profileId), account, profileId);
  };
  for (const each of all.dose_proofs) {
    const of = { profileId: each.profile_id, generation: each.generation };
    const key = await profileKeyOf(each);
    equal('proof of a dose', await proveDose(doseOf(each), of, key), each.proof_base64);
    equal('dose', await isProven(doseOf(each), each.proof_base64, key), true);
  }
  for (const each of all.dose_proofs_refused) {
    const key = await profileKeyOf(each);
    equal(`dose, ${each.name}`, await isProven(doseOf(each), each.proof_base64, key), false);
  }
  for (const { name, before, now_ms, after } of all.stamps_after) {
    const made = stampAfter(before ?? undefined, now_ms);
    // The last four bytes name the client.
    equal(`stamp after, ${name}`, made.slice(0, 10), after.slice(0, 10));
  }
  for (const { name, a, b, now_ms, later } of all.stamps_order) {
    const isFirst = isLater(a ?? undefined, b ?? undefined, now_ms);
    equal(`order, ${name}`, isFirst ? 'a' : 'b', later);
  }
  const units: Record<string, UnitOf> = {
    medication: unitOfMedication,
    'health-stat': unitOfReading,
    profile: unitOfProfile,
  };
  for (const { name, kind, base, mine, theirs, merged } of all.merges) {
    const versions = [base ?? undefined, mine, theirs] as unknown as [Version | undefined, Version, Version];
    equal(`merge, ${name}`, sorted(mergeVersions(...versions, units[kind])), sorted(merged));
  }
  for (const each of all.heads_refused) equal(`head, ${each.name}`, decodeHead(each.head_base64), undefined);

  for (const each of all.encrypted_file) {
    const document = await decryptFile(fromBase64(each.file_base64)!, { password: each.password });
    equal('encrypted file', JSON.stringify(document), each.content_utf8);
  }
  for (const each of all.encrypted_file_refused) {
    const run = () => decryptFile(fromBase64(each.file_base64)!, { password: each.password });
    await refused(`file, ${each.name}`, run, each.code);
  }
  await runSpaceVectors(all, { equal, refused, accountOf, aesKey, printOf, fromHex, toHex });
  return { checked, failures };
}
