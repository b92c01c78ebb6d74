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

export function anEmail(): string {
  return `${randomBytes(6).toString('hex')}@example.org`;
}

/** Random base64, as a ciphertext looks. */
export function aCiphertext(bytes = 48): string {
  return randomBytes(bytes).toString('base64');
}

export function aBlob(bytes = 48): { ciphertext: string; iv: string } {
  return { ciphertext: aCiphertext(bytes), iv: aCiphertext(12) };
}

/** A valid register body; `overrides` replace fields, `undefined` leaves one out. */
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

/** Creates something and returns its record; fails loudly where the service refuses. */
async function created(api: Api, path: string, body: object, token: string): Promise<Record<string, any>> {
  const answer = await api.post(path, body, { token });
  if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${answer.text}`);
  return answer.body;
}

export async function aProfile(api: Api, token: string, overrides: object = {}): Promise<string> {
  const body = { wrapped_profile_dek: aCiphertext(), wrapped_profile_dek_iv: aCiphertext(12), ...overrides };
  return (await created(api, '/api/profiles', body, token)).profile_id;
}

export function aMedication(api: Api, token: string, profileId: string, overrides: object = {}) {
  const body = { profile_id: profileId, route: 'oral', encrypted_data: aBlob(), ...overrides };
  return created(api, '/api/medications', body, token);
}

export function anAppointment(api: Api, token: string, profileId: string, overrides: object = {}) {
  const body = { profile_id: profileId, status: 'scheduled', encrypted_data: aBlob(), ...overrides };
  return created(api, '/api/appointments', body, token);
}

export function aHealthStat(api: Api, token: string, profileId: string, overrides: object = {}) {
  const body = {
    profile_id: profileId,
    encrypted_data: aBlob(),
    recorded_at: '2026-11-20T08:00:00Z',
    ...overrides,
  };
  return created(api, '/api/health-stats', body, token);
}

export function aDose(api: Api, token: string, medicationId: string, overrides: object = {}) {
  return created(api, `/api/medications/${medicationId}/log`, { taken: true, ...overrides }, token);
}
