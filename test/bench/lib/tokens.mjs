import { createHash, createHmac, randomBytes } from 'node:crypto';

export const JWT_SECRET = randomBytes(32).toString('base64');
const DAY_SECONDS = 24 * 60 * 60;

/** An access token of a session as the service issues it, but good for the length of any run. */
export function accessTokenOf(accountId, sessionId) {
  return sign({ typ: 'at+jwt', accountId, sessionId, claims: { email: 'a@example.org' } });
}

/** A refresh token as the service issues it, with what the registry keeps of it. */
export function refreshTokenOf(accountId, sessionId) {
  const token = sign({ typ: 'rt+jwt', accountId, sessionId });
  return { token, hash: createHash('sha256').update(token).digest() };
}

function sign({ typ, accountId, sessionId, claims = {} }) {
  const now = Math.floor(Date.now() / 1000);
  const jti = `${sessionId}.${randomBytes(16).toString('base64url')}`;
  const account = { sub: accountId, user_id: accountId, token_version: 0 };
  const content = [
    { alg: 'HS256', typ, jti },
    { ...account, ...claims, iat: now, exp: now + DAY_SECONDS },
  ]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  return `${content}.${createHmac('sha256', JWT_SECRET).update(content).digest('base64url')}`;
}
