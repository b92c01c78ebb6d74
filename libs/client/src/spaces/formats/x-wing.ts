import { subtle } from '../../crypto/web-crypto';
import { toBase64, type Bytes } from '../../encoding';

/** The KEM of shared profiles: X-Wing, that is ML-KEM-768 together with X25519. */
export const SHARING_SEED_BYTES = 32;
export const SHARING_PUBLIC_BYTES = 1216;
export const ENCAPSULATED_BYTES = 1120;

/** Only who shares loads it. */
const load = () => import('./x-wing-suite.js').then(({ xWingSuite }) => xWingSuite());

/** The public key of a seed. Source: draft-connolly-cfrg-xwing-kem-08. */
export async function sharingPublicOf(seed: Bytes): Promise<Bytes> {
  const { kem } = await load();
  // The library keeps what it is given, so it gets a copy: callers clear their own.
  const copy = seed.slice();
  try {
    const { publicKey } = await kem.generateKeyPairDerand(copy);
    return new Uint8Array(await kem.serializePublicKey(publicKey)).slice();
  } finally {
    copy.fill(0);
  }
}

/** Base64 of the SHA-256 of a public key: so a roster and a wrap name it. */
export async function sharingHashOf(publicKey: Bytes): Promise<string> {
  return toBase64(new Uint8Array(await subtle().digest('SHA-256', publicKey)));
}

/** Seals to the holder of a public key. Source: RFC 9180, section 6.1, base mode. @throws for a public key that is none. */
export async function sealTo(
  publicKey: Bytes,
  info: Bytes,
  plaintext: Bytes,
): Promise<{ enc: Bytes; ciphertext: Bytes }> {
  const { kem, suite } = await load();
  const recipientPublicKey = await kem.deserializePublicKey(publicKey.slice().buffer);
  const sealed = await suite.seal({ recipientPublicKey, info }, plaintext);
  return { enc: new Uint8Array(sealed.enc), ciphertext: new Uint8Array(sealed.ct) };
}

/** Opens what {@link sealTo} has sealed. @throws for anything else. */
export async function openSealed(seed: Bytes, info: Bytes, enc: Bytes, ciphertext: Bytes): Promise<Bytes> {
  const { kem, suite } = await load();
  const copy = seed.slice();
  try {
    const recipientKey = await kem.deserializePrivateKey(copy.buffer);
    return new Uint8Array(await suite.open({ recipientKey, enc, info }, ciphertext));
  } finally {
    copy.fill(0);
  }
}
