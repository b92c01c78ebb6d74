import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { smallBase } from '../__fixtures__/small-base';
import { createEngine } from '../engine';
import { signedText } from '../signature';
import { editionsOf } from '../edition';
import { newSigningKey, publicKeyOf, signEditions, signKnowledge } from './sign';

const base = smallBase();
const pem = newSigningKey();
const signedAt = new Date('2026-11-22T10:00:00Z');

function isSigned(served: object, publicKey: string): boolean {
  const { signature } = served as { signature: { signed_at: string; value: string } };
  const x = Buffer.from(publicKey, 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const text = Buffer.from(signedText(served, signature.signed_at));
  return verify(null, text, key, Buffer.from(signature.value, 'base64'));
}

describe('signKnowledge', () => {
  const signed = signKnowledge(base, pem, signedAt);
  /** As a client gets it. */
  const served = JSON.parse(JSON.stringify(signed)) as typeof signed;

  it('makes a base that anyone with the public key can verify, after parsing too', () => {
    expect(signed.signature?.signed_at).toBe('2026-11-22T10:00:00.000Z');
    expect(isSigned(signed, publicKeyOf(pem))).toBe(true);
    expect(isSigned(served, publicKeyOf(pem))).toBe(true);
    expect(Buffer.from(publicKeyOf(pem), 'base64')).toHaveLength(32);
  });

  it('covers the content, the time and the key', () => {
    expect(isSigned({ ...served, version: '9.9.9' }, publicKeyOf(pem))).toBe(false);
    const later = { ...signed.signature!, signed_at: '2027-11-22T10:00:00.000Z' };
    expect(isSigned({ ...served, signature: later }, publicKeyOf(pem))).toBe(false);
    expect(isSigned(served, publicKeyOf(newSigningKey()))).toBe(false);
  });

  it('replaces an earlier signature, and changes nothing else', () => {
    const again = signKnowledge(signed, pem, new Date('2026-11-23T10:00:00Z'));
    expect(isSigned(again, publicKeyOf(pem))).toBe(true);
    expect({ ...again, signature: undefined }).toEqual(base);
    const request = { medications: ['warfarin', 'ibuprofen'] };
    expect(createEngine(again).check(request)).toEqual(createEngine(base).check(request));
  });

  it('signs the edition of each language, as it is served', () => {
    const whole = signEditions(base, pem, signedAt);
    const editions = editionsOf(JSON.parse(JSON.stringify(whole)) as typeof whole);
    expect(editions.map(([language]) => language)).toEqual(['en', 'de', 'es']);
    for (const [, edition] of editions) {
      expect(isSigned(JSON.parse(JSON.stringify(edition)) as object, publicKeyOf(pem))).toBe(true);
      expect(isSigned({ ...edition, texts: edition.texts.slice(1) }, publicKeyOf(pem))).toBe(false);
    }
    expect(new Set(editions.map(([, { signature }]) => signature?.value)).size).toBe(3);
    expect({ ...signEditions(whole, pem, new Date()), signatures: undefined }).toEqual(base);
  });

  it('refuses a key of another kind', () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const otherPem = other.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    expect(() => signKnowledge(base, otherPem, signedAt)).toThrow('not an Ed25519 key');
    expect(() => publicKeyOf(otherPem)).toThrow('not an Ed25519 key');
  });
});
