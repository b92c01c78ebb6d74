import { createPrivateKey, createPublicKey, sign as signByNode } from 'node:crypto';
import fc from 'fast-check';
import { subtle } from '../../crypto/web-crypto';
import type { Bytes } from '../../encoding';
import { generateSigningPair, isSigningPair, sign, verify } from './ed25519';

const bytes = (hex: string): Bytes => Uint8Array.from(Buffer.from(hex, 'hex'));
const message = bytes('616263');

/** RFC 8032, section 7.1, test 3. */
const RFC_8032 = {
  seed: bytes('c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7'),
  publicKey: bytes('fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025'),
  message: bytes('af82'),
  signature: bytes(
    '6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a',
  ),
};
const [R, S] = [RFC_8032.signature.slice(0, 32), RFC_8032.signature.slice(32)];
const joined = (...parts: Bytes[]): Bytes => Uint8Array.from(Buffer.concat(parts));

/** The platform without Ed25519, as Chromium before 137. */
function removeEd25519(): void {
  const absent = () => Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError'));
  jest.spyOn(subtle(), 'generateKey').mockImplementation(absent);
  jest.spyOn(subtle(), 'importKey').mockImplementation(absent);
}

afterEach(() => jest.restoreAllMocks());

/** What both implementations say. */
async function onBoth<T>(run: () => Promise<T>): Promise<[T, T]> {
  const byPlatform = await run();
  removeEd25519();
  const byCurves = await run();
  jest.restoreAllMocks();
  return [byPlatform, byCurves];
}

it('signs as RFC 8032 says, with and without the platform', async () => {
  const made = await onBoth(() => sign(RFC_8032.seed, RFC_8032.message));
  expect(made).toEqual([RFC_8032.signature, RFC_8032.signature]);
  const are = await onBoth(() => isSigningPair(RFC_8032.seed, RFC_8032.publicKey));
  expect(are).toEqual([true, true]);
});

it('makes a pair that Node can use, with and without the platform', async () => {
  for (const { seed, publicKey } of await onBoth(generateSigningPair)) {
    const pkcs8 = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), seed]);
    const key = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
    const jwk = createPublicKey(key).export({ format: 'jwk' });
    expect(Buffer.from(publicKey).toString('base64url')).toBe(jwk.x);
    const signature = Uint8Array.from(signByNode(null, message, key));
    expect(await verify(publicKey, message, signature)).toBe(true);
  }
});

/** Signatures under the point of order 1, of order 2 and so on: for each of them S = 0 and R = k·A can be found by trying. */
const SMALL_ORDER = [
  '0100000000000000000000000000000000000000000000000000000000000000',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  '0000000000000000000000000000000000000000000000000000000000000080',
  '0000000000000000000000000000000000000000000000000000000000000000',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
  // Other encodings of the same points.
  '0100000000000000000000000000000000000000000000000000000000000080',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
  'eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff',
  'edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
].map(bytes);

it.each(SMALL_ORDER.map((point) => [Buffer.from(point).toString('hex'), point]))(
  'refuses the point %s as key and as first half',
  async (_hex, point) => {
    const forged = joined(point, new Uint8Array(32));
    for (const key of SMALL_ORDER) {
      expect(await onBoth(() => verify(key, message, forged))).toEqual([false, false]);
    }
    const { publicKey, message: signed } = RFC_8032;
    const as = joined(point, S);
    expect(await onBoth(() => verify(publicKey, signed, as))).toEqual([false, false]);
  },
);

it.each([
  ['another message', RFC_8032.publicKey, message, RFC_8032.signature],
  ['S that is not reduced', RFC_8032.publicKey, RFC_8032.message, joined(R, addOrder(S))],
  ['a signature that is too short', RFC_8032.publicKey, RFC_8032.message, RFC_8032.signature.slice(1)],
  ['a key that is too short', RFC_8032.publicKey.slice(1), RFC_8032.message, RFC_8032.signature],
  ['a key that is no point', bytes(`02${'00'.repeat(31)}`), RFC_8032.message, RFC_8032.signature],
  ['R that is no point', RFC_8032.publicKey, RFC_8032.message, joined(bytes(`02${'00'.repeat(31)}`), S)],
])('refuses %s', async (_what, key, signed, signature) => {
  expect(await onBoth(() => verify(key, signed, signature))).toEqual([false, false]);
});

/** The same scalar, one group order more. */
function addOrder(scalar: Bytes): Bytes {
  const order = (1n << 252n) + 27742317777372353535851937790883648493n;
  let sum = BigInt(`0x${Buffer.from(scalar.toReversed()).toString('hex')}`) + order;
  return Uint8Array.from({ length: 32 }, () => {
    const byte = Number(sum & 0xffn);
    sum >>= 8n;
    return byte;
  });
}

/** What the holder of a key can make with any R: S fits to it. */
async function signatureWith(r: Bytes, nonce: bigint, publicKey: Bytes): Promise<Bytes> {
  const { ed25519 } = await import('@noble/curves/ed25519.js');
  const { Fn } = ed25519.Point;
  const { scalar } = ed25519.utils.getExtendedPublicKey(RFC_8032.seed);
  const hash = new Uint8Array(await subtle().digest('SHA-512', joined(r, publicKey, message)));
  const k = Fn.create(BigInt(`0x${Buffer.from(hash.toReversed()).toString('hex')}`));
  return joined(r, Uint8Array.from(Fn.toBytes(Fn.create(nonce + k * scalar))));
}

it('says the same on both sides of a signer who adds a point of small order', async () => {
  const { ed25519 } = await import('@noble/curves/ed25519.js');
  const { Point } = ed25519;
  const torsion = Point.fromBytes(SMALL_ORDER[4]);
  const own = RFC_8032.publicKey;
  const mixed = Uint8Array.from(Point.fromBytes(own).add(torsion).toBytes());
  const seen = new Set<boolean>();
  for (let nonce = 1n; nonce <= 12n; nonce += 1n) {
    for (const publicKey of [own, mixed]) {
      const plain = Point.BASE.multiply(nonce);
      const r = Uint8Array.from((publicKey === own ? plain.add(torsion) : plain).toBytes());
      const signature = await signatureWith(r, nonce, publicKey);
      // The library alone, which clears the cofactor, takes all of them.
      expect(ed25519.verify(signature, message, publicKey, { zip215: false })).toBe(true);
      const [one, other] = await onBoth(() => verify(publicKey, message, signature));
      expect(one).toBe(other);
      seen.add(one);
    }
  }
  expect(seen.has(false)).toBe(true);
});

it('refuses R of order 1, though the holder of the key has made it', async () => {
  const { ed25519 } = await import('@noble/curves/ed25519.js');
  const signature = await signatureWith(SMALL_ORDER[0], 0n, RFC_8032.publicKey);
  expect(ed25519.verify(signature, message, RFC_8032.publicKey, { zip215: false })).toBe(true);
  expect(await onBoth(() => verify(RFC_8032.publicKey, message, signature))).toEqual([false, false]);
});

it('takes no signature with a bit changed', async () => {
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 511 }), async (bit) => {
      const changed = RFC_8032.signature.slice();
      changed[bit >> 3] ^= 1 << (bit & 7);
      const said = await onBoth(() => verify(RFC_8032.publicKey, RFC_8032.message, changed));
      expect(said).toEqual([false, false]);
    }),
    { numRuns: 60 },
  );
});
