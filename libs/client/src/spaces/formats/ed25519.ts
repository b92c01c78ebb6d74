import { subtle, type Key } from '../../crypto/web-crypto';
import { concatBytes, type Bytes } from '../../encoding';

const ED25519 = { name: 'Ed25519' } as const;
export const SIGNING_SEED_BYTES = 32;
export const SIGNING_PUBLIC_BYTES = 32;
export const SIGNATURE_BYTES = 64;
/** PKCS #8 of a seed begins so, and then comes the seed. Source: RFC 8410, section 7. */
const PKCS8_HEAD = Uint8Array.of(48, 46, 2, 1, 0, 48, 5, 6, 3, 43, 101, 112, 4, 34, 4, 32);
/**
 * The y of the points of small order: 0, 1, -1, and two of order 8. Under such a public key anybody can make signatures.
 * Little-endian, in hexadecimal. Source: the torsion subgroup of edwards25519, as in RFC 7748 and `@noble/curves`.
 */
const SMALL_ORDER = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  `ec${'ff'.repeat(30)}7f`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
]);

/** A new key pair. Clear the seed after its use. */
export async function generateSigningPair(): Promise<{ seed: Bytes; publicKey: Bytes }> {
  const made = await byPlatform(async () => {
    // The type declarations of Node do not say that this algorithm returns a key pair.
    const pair: unknown = await subtle().generateKey(ED25519, true, ['sign', 'verify']);
    const { privateKey, publicKey } = pair as { privateKey: Key; publicKey: Key };
    const pkcs8 = new Uint8Array(await subtle().exportKey('pkcs8', privateKey));
    const seed = pkcs8.slice(PKCS8_HEAD.length);
    pkcs8.fill(0);
    return { seed, publicKey: new Uint8Array(await subtle().exportKey('raw', publicKey)) };
  });
  if (made) return made;
  return (await curves()).generateByCurves();
}

/** @returns 64 bytes. Source: RFC 8032, section 5.1.6. */
export async function sign(seed: Bytes, message: Bytes): Promise<Bytes> {
  const made = await byPlatform(async () => {
    const pkcs8 = concatBytes(PKCS8_HEAD, seed);
    try {
      const key = await subtle().importKey('pkcs8', pkcs8, ED25519, false, ['sign']);
      return new Uint8Array(await subtle().sign(ED25519, key, message));
    } finally {
      pkcs8.fill(0);
    }
  });
  return made ?? (await curves()).signByCurves(seed, message);
}

/**
 * Whether the holder of a key has signed. All platforms must say the same, also of what a hostile signer makes: else the
 * members of one circle would see two of them. So both points have one encoding and are not of small order.
 * Source: RFC 8032, section 5.1.7, without the cofactor.
 */
export async function verify(publicKey: Bytes, message: Bytes, signature: Bytes): Promise<boolean> {
  if (publicKey.length !== SIGNING_PUBLIC_BYTES || signature.length !== SIGNATURE_BYTES) return false;
  if (!isSound(publicKey) || !isSound(signature.slice(0, SIGNATURE_BYTES / 2))) return false;
  const isRight = await byPlatform(async () => {
    try {
      const key = await subtle().importKey('raw', publicKey, ED25519, false, ['verify']);
      return await subtle().verify(ED25519, key, signature, message);
    } catch (error) {
      // Bytes that are no point: some platforms say so at the import.
      if (nameOf(error) === 'DataError') return false;
      throw error;
    }
  });
  return isRight ?? (await curves()).verifyByCurves(publicKey, message, signature);
}

/** Whether the seed belongs to the public key. */
export async function isSigningPair(seed: Bytes, publicKey: Bytes): Promise<boolean> {
  const message = publicKey.slice();
  return verify(publicKey, message, await sign(seed, message));
}

/** @returns `undefined` where the platform has no Ed25519. */
async function byPlatform<T>(run: () => Promise<T>): Promise<T | undefined> {
  try {
    return await run();
  } catch (error) {
    if (nameOf(error) === 'NotSupportedError') return undefined;
    throw error;
  }
}

/** An audited implementation without the platform. Only who needs it loads it. */
const curves = () => import('./ed25519-curves.js');

/** Whether a point is encoded in the one right way, and is not of small order. The highest bit is the sign of x. */
function isSound(point: Bytes): boolean {
  const y = point.slice();
  y[31] &= 0x7f;
  const isReduced = y[0] < 0xed || y[31] < 0x7f || y.subarray(1, 31).some((byte) => byte !== 0xff);
  const hex = Array.from(y, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return isReduced && !SMALL_ORDER.has(hex);
}

const nameOf = (error: unknown) => (error as Error)?.name;
