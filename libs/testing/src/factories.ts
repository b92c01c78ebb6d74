import { randomBytes } from 'node:crypto';
import type { Api } from './api';

/** A signed-in account. */
export interface Account {
  email: string;
  password: string;
  recoveryProof: string;
  token: string;
  refreshToken: string;
}

/** An address that nobody else has. */
export function anEmail(): string {
  return `${randomBytes(6).toString('hex')}@example.org`;
}

/** Random base64 that looks like a ciphertext. */
export function aCiphertext(bytes = 48): string {
  return randomBytes(bytes).toString('base64');
}

/** An encrypted blob of the reference client's shape. */
export function aBlob(bytes = 48): { ciphertext: string; iv: string } {
  return { ciphertext: aCiphertext(bytes), iv: aCiphertext(12) };
}

/** A valid register body. `overrides` replace fields. A value of `undefined` removes the field. */
export function aRegistration(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    email: anEmail(),
    password: aCiphertext(32),
    wrapped_dek: aCiphertext(),
    wrapped_dek_iv: aCiphertext(12),
    recovery_wrapped_dek: aCiphertext(),
    recovery_wrapped_dek_iv: aCiphertext(12),
    recovery_proof: aCiphertext(32),
    ...overrides,
  };
}

/** Registers an account. @throws Error if the service refuses. */
export async function anAccount(api: Api, overrides: Record<string, unknown> = {}): Promise<Account> {
  const registration = aRegistration(overrides);
  const { status, body, text } = await api.post('/api/auth/register', registration);
  if (status !== 201) throw new Error(`register answered ${status}: ${text}`);
  return {
    email: registration.email as string,
    password: registration.password as string,
    recoveryProof: registration.recovery_proof as string,
    token: body.token,
    refreshToken: body.refresh_token,
  };
}

/** Creates a profile. @returns its id. @throws Error if the service refuses. */
export async function aProfile(api: Api, token: string, overrides: object = {}): Promise<string> {
  const body = { wrapped_profile_dek: aCiphertext(), wrapped_profile_dek_iv: aCiphertext(12), ...overrides };
  const answer = await api.post('/api/profiles', body, { token });
  if (answer.status !== 201) throw new Error(`/api/profiles answered ${answer.status}: ${answer.text}`);
  return answer.body.profile_id;
}

/** The new secret of change-password, PUT users/me and reset-password. */
export function aNewSecret() {
  return {
    new_password: aCiphertext(32),
    new_wrapped_dek: aCiphertext(),
    new_wrapped_dek_iv: aCiphertext(12),
  };
}
