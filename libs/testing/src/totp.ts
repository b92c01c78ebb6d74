import { Secret, TOTP } from 'otpauth';
import type { Api } from './api';
import type { Account } from './factories';

/** Adds an app that shows codes to an account. @throws Error if the service refuses. */
export async function addTotp(api: Api, { token, password }: Account): Promise<void> {
  const path = '/api/users/me/second-step/totp';
  const { ticket, secret } = (await api.post(path, { current_password: password }, { token })).body;
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  const { status, text } = await api.post(`${path}/confirm`, { ticket, code }, { token });
  if (status !== 204) throw new Error(`${path}/confirm answered ${status}: ${text}`);
}
