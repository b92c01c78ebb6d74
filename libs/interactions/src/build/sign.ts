import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { editionsOf } from '../edition';
import { signedText } from '../signature';
import type { KnowledgeBase } from '../compiled-base';

/** A new Ed25519 key of an operator: PKCS #8 in PEM. */
export function newSigningKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The public key for the settings of clients: base64 of 32 bytes. @throws Error unless it is an Ed25519 key. */
export function publicKeyOf(pem: string): string {
  const { x = '' } = createPublicKey(privateKey(pem)).export({ format: 'jwk' });
  return Buffer.from(x, 'base64url').toString('base64');
}

/** The base with its signature, in place of an earlier one. @throws Error unless the key is an Ed25519 key. */
export function signKnowledge(base: KnowledgeBase, pem: string, signedAt: Date): KnowledgeBase {
  const unsigned = { ...base };
  delete unsigned.signature;
  const signed_at = signedAt.toISOString();
  const value = sign(null, Buffer.from(signedText(unsigned, signed_at)), privateKey(pem)).toString('base64');
  return { ...unsigned, signature: { signed_at, value } };
}

/** The base with a signature for each edition, in place of earlier ones. @throws Error unless the key is an Ed25519 key. */
export function signEditions(base: KnowledgeBase, pem: string, signedAt: Date): KnowledgeBase {
  const signatures = editionsOf(base).map(([language, edition]) => [
    language,
    signKnowledge(edition, pem, signedAt).signature,
  ]);
  return { ...base, signatures: Object.fromEntries(signatures) as KnowledgeBase['signatures'] };
}

function privateKey(pem: string): KeyObject {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error('The key is not an Ed25519 key.');
  return key;
}
