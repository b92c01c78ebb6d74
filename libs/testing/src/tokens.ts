import { createHmac, createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { TEST_SETTINGS } from './service';

/** The parts of a token, as JSON. */
export interface DecodedToken {
  header: Record<string, any>;
  payload: Record<string, any>;
}

/** Decodes a token without verifying it. */
export function decodeToken(token: string): DecodedToken {
  const [header, payload] = token
    .split('.')
    .slice(0, 2)
    .map((part) => Buffer.from(part, 'base64url').toString('utf8'));
  return { header: JSON.parse(header), payload: JSON.parse(payload) };
}

/** A part of a token: base64url of its JSON. */
export function encodeTokenPart(part: unknown): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

let privateKey: KeyObject | undefined;

const HASHES: Record<string, string> = { HS256: 'sha256', HS384: 'sha384', HS512: 'sha512' };

/** Signs a token with `secret` and with the algorithm that its header names. */
export function signToken({ header, payload }: DecodedToken, secret = TEST_SETTINGS.JWT_SECRET): string {
  const content = `${encodeTokenPart(header)}.${encodeTokenPart(payload)}`;
  if (header.alg === 'none') return `${content}.`;
  if (header.alg === 'RS256') {
    privateKey ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    return `${content}.${createSign('sha256').update(content).sign(privateKey, 'base64url')}`;
  }
  return `${content}.${createHmac(HASHES[header.alg], secret).update(content).digest('base64url')}`;
}

/** Changes parts of a token and signs it again, so that the changed parts are the only possible fault. */
export function resignToken(token: string, changes: Partial<DecodedToken>, secret?: string): string {
  const { header, payload } = decodeToken(token);
  return signToken(
    { header: { ...header, ...changes.header }, payload: { ...payload, ...changes.payload } },
    secret,
  );
}
