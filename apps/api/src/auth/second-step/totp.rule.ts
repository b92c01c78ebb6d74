import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';

/** What apps can do. Source: RFC 6238; the key URIs of Google Authenticator. */
const PARAMETERS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;
const ISSUER = 'Health Records';
/** Source: RFC 4226 section 4, R6. */
const SECRET_BYTES = 20;
/** Steps before and after the present one, for clocks that differ. */
const WINDOW = 1;

export function newTotpSecret(): Buffer {
  return randomBytes(SECRET_BYTES);
}

/** @returns the secret in base32, to be typed, and the URI of the QR code. */
export function shownToApp(secret: Buffer, email: string): { secret: string; uri: string } {
  const totp = totpOf(secret, email);
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** @returns the step that the code belongs to, or `undefined` for a wrong code. */
export function stepOfCode(secret: Buffer, code: string, now: Date): number | undefined {
  const totp = totpOf(secret);
  const timestamp = now.getTime();
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}

function totpOf(secret: Buffer, label = ''): TOTP {
  return new TOTP({
    ...PARAMETERS,
    issuer: ISSUER,
    label,
    secret: new Secret({ buffer: Uint8Array.from(secret).buffer }),
  });
}
