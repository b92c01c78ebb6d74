// A file of its own, imported on demand: only platforms without Ed25519 need it.
import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToNumberLE } from '@noble/curves/utils.js';
import { subtle } from '../../crypto/web-crypto';
import { concatBytes, type Bytes } from '../../encoding';

const { Point } = ed25519;

/** A new key pair. */
export function generateByCurves(): { seed: Bytes; publicKey: Bytes } {
  const { secretKey, publicKey } = ed25519.keygen();
  return { seed: Uint8Array.from(secretKey), publicKey: Uint8Array.from(publicKey) };
}

/** @returns 64 bytes. */
export function signByCurves(seed: Bytes, message: Bytes): Bytes {
  return Uint8Array.from(ed25519.sign(message, seed));
}

/** Whether a signature is right, by the equation without the cofactor: as WebCrypto decides it. */
export async function verifyByCurves(publicKey: Bytes, message: Bytes, signature: Bytes): Promise<boolean> {
  if (!ed25519.verify(signature, message, publicKey, { zip215: false })) return false;
  // The library clears the cofactor, so it also takes signatures that WebCrypto refuses: R itself is compared, too.
  const [r, s] = [signature.slice(0, 32), signature.slice(32)];
  const hash = await subtle().digest('SHA-512', concatBytes(r, publicKey, message));
  const k = Point.Fn.create(bytesToNumberLE(new Uint8Array(hash)));
  const a = Point.fromBytes(publicKey).multiplyUnsafe(k);
  const expected = Point.BASE.multiplyUnsafe(bytesToNumberLE(s)).subtract(a).toBytes();
  return expected.every((byte, at) => byte === r[at]);
}
