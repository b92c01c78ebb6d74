/**
 * The library and a second implementation (only primitives of Node's OpenSSL binding) must both reproduce
 * vectors.json.
 */
import { createCipheriv, createHash, pbkdf2Sync } from 'node:crypto';
import { fromBase64, utf8 } from './encoding';
import { decryptRecord } from './crypto/record-cipher';
import { unwrapDataKey } from './crypto/key-wrapping';
import { keyAad, recordAad, type KeyPurpose, type RecordKind } from './crypto/labels';
import { frame, paddedLength } from './crypto/padding';
import { derivePasswordKeys, passwordBytes } from './crypto/password-keys';
import { deriveRecoveryKeys } from './crypto/recovery-keys';
import { normalizeRecoveryPhrase } from './crypto/recovery-phrase';
import { decryptFile } from './transfer/encrypted-file';
import vectors from '../vectors.json';

const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));
const label = (name: string) => Buffer.from(`health-records/v1/${name}`);
const pbkdf2 = (secret: Uint8Array, salt: Uint8Array, iterations: number) =>
  pbkdf2Sync(secret, salt, iterations, 32, 'sha256');
const aesGcm = (key: string, iv: string, aad: string | Uint8Array, plaintext: Uint8Array) => {
  const cipher = createCipheriv('aes-256-gcm', hex(key), Buffer.from(iv, 'base64'));
  cipher.setAAD(Buffer.from(aad as string));
  return Buffer.concat([cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]).toString('base64');
};
const aesKey = (raw: string, usages: ('encrypt' | 'decrypt' | 'wrapKey' | 'unwrapKey')[]) =>
  crypto.subtle.importKey('raw', hex(raw), 'AES-GCM', false, usages);
/** The bytes of a key are not readable, so two keys are compared by their ciphertexts. */
const probe = async (key: Awaited<ReturnType<typeof aesKey>>) =>
  Buffer.from(
    await crypto.subtle.encrypt({ name: 'AES-GCM', iv: new Uint8Array(12) }, key, new Uint8Array(16)),
  ).toString('hex');
const probeWrapping = async (key: Awaited<ReturnType<typeof aesKey>>) => {
  const fixed = await crypto.subtle.importKey('raw', new Uint8Array(32), 'AES-GCM', true, ['encrypt']);
  const wrapped = await crypto.subtle.wrapKey('raw', fixed, key, { name: 'AES-GCM', iv: new Uint8Array(12) });
  return Buffer.from(wrapped).toString('hex');
};

describe.each(vectors.password)('password: $name', (vector) => {
  it('is reproduced by the library', async () => {
    expect(Buffer.from(passwordBytes(vector.password)).toString('hex')).toBe(vector.password_bytes_hex);
    const keys = await derivePasswordKeys(vector.password, { ...vector, salt: vector.salt_base64 });
    expect(keys.authSecret).toBe(vector.auth_secret_base64);
    expect(await probeWrapping(keys.wrappingKey)).toBe(
      await probeWrapping(await aesKey(vector.wrapping_key_hex, ['wrapKey'])),
    );
  });

  it('is reproduced by another implementation', () => {
    const master = pbkdf2(
      hex(vector.password_bytes_hex),
      Buffer.from(vector.salt_base64, 'base64'),
      vector.iterations,
    );
    expect(master.toString('hex')).toBe(vector.master_key_hex);
    expect(pbkdf2(master, label('password/auth'), 1).toString('base64')).toBe(vector.auth_secret_base64);
    expect(pbkdf2(master, label('password/wrap'), 1).toString('hex')).toBe(vector.wrapping_key_hex);
  });
});

it.each(vectors.kdf_refused)('refuses $kdf, $iterations iterations, salt $salt_base64', async (vector) => {
  await expect(derivePasswordKeys('password', { ...vector, salt: vector.salt_base64 })).rejects.toMatchObject(
    {
      code: 'kdf_refused',
    },
  );
});

describe.each(vectors.recovery)('recovery: $name', (vector) => {
  it('is reproduced by the library', async () => {
    expect(normalizeRecoveryPhrase(vector.typed)).toBe(vector.canonical);
    const keys = await deriveRecoveryKeys(vector.typed);
    expect(keys.recoveryProof).toBe(vector.recovery_proof_base64);
    expect(await probeWrapping(keys.wrappingKey)).toBe(
      await probeWrapping(await aesKey(vector.wrapping_key_hex, ['wrapKey'])),
    );
  });

  it('is reproduced by another implementation', () => {
    const master = pbkdf2(Buffer.from(vector.canonical), label('recovery'), vector.iterations);
    expect(master.toString('hex')).toBe(vector.master_key_hex);
    expect(pbkdf2(master, label('recovery/proof'), 1).toString('base64')).toBe(vector.recovery_proof_base64);
    expect(pbkdf2(master, label('recovery/wrap'), 1).toString('hex')).toBe(vector.wrapping_key_hex);
  });
});

it.each(vectors.recovery_refused)(
  'refuses the phrase "$typed" as $code',
  ({ typed, code, position, word }) => {
    const unknownWords = word ? [expect.objectContaining({ position, word })] : [];
    expect(() => normalizeRecoveryPhrase(typed)).toThrow(expect.objectContaining({ code, unknownWords }));
  },
);

describe.each(vectors.wrapped_keys)('wrapped key: $purpose', (vector) => {
  const purpose = { purpose: vector.purpose, profileId: vector.profile_id } as KeyPurpose;

  it('is opened by the library', async () => {
    const { profileId, ...rest } = purpose as { purpose: 'profile'; profileId?: string };
    const exact = (profileId ? { ...rest, profileId } : rest) as KeyPurpose;
    expect(Buffer.from(keyAad(exact)).toString()).toBe(vector.aad_utf8);
    const key = await unwrapDataKey(
      { wrapped: vector.wrapped_base64, iv: vector.iv_base64 },
      await aesKey(vector.wrapping_key_hex, ['unwrapKey']),
      exact,
    );
    const [read, same] =
      vector.purpose === 'profile'
        ? [await probe(key), await probe(await aesKey(vector.data_key_hex, ['encrypt']))]
        : [await probeWrapping(key), await probeWrapping(await aesKey(vector.data_key_hex, ['wrapKey']))];
    expect(read).toBe(same);
  });

  it('is reproduced by another implementation', () => {
    const wrapped = aesGcm(
      vector.wrapping_key_hex,
      vector.iv_base64,
      vector.aad_utf8,
      hex(vector.data_key_hex),
    );
    expect(wrapped).toBe(vector.wrapped_base64);
  });
});

describe.each(vectors.records)('record: $kind', (vector) => {
  const place = {
    profileId: vector.profile_id,
    kind: vector.kind as RecordKind,
    recordId: vector.record_id,
  };

  it('is read by the library', async () => {
    expect(Buffer.from(recordAad(place, 1)).toString()).toBe(vector.aad_utf8);
    expect(
      createHash('sha256')
        .update(frame(utf8(vector.content_utf8)))
        .digest('hex'),
    ).toBe(vector.frame_sha256_hex);
    const record = await decryptRecord(
      { ciphertext: vector.ciphertext_base64, iv: vector.iv_base64 },
      { key: await aesKey(vector.key_hex, ['decrypt']), epoch: 1 },
      place,
    );
    expect(JSON.stringify(record.content)).toBe(vector.content_utf8);
  });

  it('is reproduced by another implementation', () => {
    const framed = Buffer.alloc(vector.frame_length);
    framed.writeUInt8(1);
    framed.writeUInt32BE(Buffer.byteLength(vector.content_utf8), 1);
    framed.write(vector.content_utf8, 5);
    expect(createHash('sha256').update(framed).digest('hex')).toBe(vector.frame_sha256_hex);
    expect(aesGcm(vector.key_hex, vector.iv_base64, vector.aad_utf8, framed)).toBe(vector.ciphertext_base64);
  });
});

it.each(vectors.padding)('pads $length bytes to $padded', ({ length, padded }) => {
  expect(paddedLength(length)).toBe(padded);
});

describe.each(vectors.encrypted_file)('encrypted file', (vector) => {
  it('is read by the library', async () => {
    const document = await decryptFile(fromBase64(vector.file_base64)!, { password: vector.password });
    expect(JSON.stringify(document)).toBe(vector.content_utf8);
  });

  it('is reproduced by another implementation', () => {
    const header = JSON.parse(vector.header_utf8) as { salt: string; iv: string; iterations: number };
    const length = Buffer.alloc(4);
    length.writeUInt32BE(Buffer.byteLength(vector.header_utf8));
    const head = Buffer.concat([Buffer.from('HRSEXP\x01'), length, Buffer.from(vector.header_utf8)]);
    const master = pbkdf2(
      Buffer.from(vector.password),
      Buffer.from(header.salt, 'base64'),
      header.iterations,
    );
    const key = pbkdf2(master, label('export'), 1).toString('hex');
    expect(key).toBe(vector.key_hex);
    const content = Buffer.from(vector.content_utf8);
    const framed = Buffer.alloc(256);
    framed.writeUInt8(1);
    framed.writeUInt32BE(content.length, 1);
    content.copy(framed, 5);
    const sealed = Buffer.from(aesGcm(key, header.iv, head, framed), 'base64');
    expect(Buffer.concat([head, sealed]).toString('base64')).toBe(vector.file_base64);
  });
});
