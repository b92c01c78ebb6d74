import { decryptFile, encryptFile, inspectFile } from './encrypted-file';
import { generateRecoveryPhrase } from '../crypto/recovery-phrase';
import type { Bytes } from '../encoding';

const document = { format: 'x', text: 'Zoë'.repeat(1000) };
const password = 'a file password';
let file: Bytes;

beforeAll(async () => {
  file = await encryptFile(document, { password });
});

const changed = (at: number) => {
  const copy = Uint8Array.from(file);
  copy[at < 0 ? copy.length + at : at] ^= 1;
  return copy;
};

it('returns the document, and shows nothing of it', async () => {
  expect(await decryptFile(file, { password })).toEqual(document);
  // The text is too long to occur by chance.
  expect(Buffer.from(file).includes('ZoëZoë')).toBe(false);
});

it('takes a recovery phrase, typed as people type', async () => {
  const recoveryPhrase = await generateRecoveryPhrase();
  const sealed = await encryptFile(document, { recoveryPhrase });
  expect(inspectFile(sealed)).toBe('recovery-phrase');
  expect(await decryptFile(sealed, { recoveryPhrase: recoveryPhrase.toUpperCase() })).toEqual(document);
  await expect(decryptFile(sealed, { password })).rejects.toMatchObject({ code: 'import_secret_wrong' });
});

it('does not open with another password, nor when the end is changed', async () => {
  await expect(decryptFile(file, { password: 'another' })).rejects.toMatchObject({
    code: 'import_secret_wrong',
  });
  await expect(decryptFile(changed(-1), { password })).rejects.toMatchObject({ code: 'import_secret_wrong' });
});

it('authenticates the header', async () => {
  const text = Buffer.from(file).toString('latin1').replace('"cipher":"aes', '"cipheR":"aes');
  await expect(decryptFile(Uint8Array.from(Buffer.from(text, 'latin1')), { password })).rejects.toMatchObject(
    {
      code: 'import_malformed',
    },
  );
  const spaced = Buffer.from(file).toString('latin1').replace('"iterations":600000', '"iterations":600001');
  await expect(
    decryptFile(Uint8Array.from(Buffer.from(spaced, 'latin1')), { password }),
  ).rejects.toMatchObject({
    code: 'import_secret_wrong',
  });
});

it('refuses a header that asks for a cheap or an endless derivation', async () => {
  for (const iterations of ['000001', '1e9000', '1e0008']) {
    const text = Buffer.from(file)
      .toString('latin1')
      .replace(':600000', `:${iterations.replace(/^0+/, (zeros) => ' '.repeat(zeros.length))}`);
    await expect(
      decryptFile(Uint8Array.from(Buffer.from(text, 'latin1')), { password }),
    ).rejects.toMatchObject({
      code: 'kdf_refused',
    });
  }
});

it.each([
  ['nothing', new Uint8Array(0), 'import_malformed'],
  ['another file', Uint8Array.from(Buffer.from('{"format":"health-records-export"}')), 'import_malformed'],
  ['a newer version', Uint8Array.from([...Buffer.from('HRSEXP'), 2, 0, 0, 0, 0]), 'import_version'],
  [
    'an endless header',
    Uint8Array.from([...Buffer.from('HRSEXP'), 1, 255, 255, 255, 255]),
    'import_malformed',
  ],
])('refuses %s', async (_what, bytes, code) => {
  await expect(decryptFile(bytes, { password })).rejects.toMatchObject({ code });
  expect(inspectFile(bytes)).toBeUndefined();
});
