import { type Api, aNewSecret } from '@app/testing';
import { AbandonedAccountsService } from '../../apps/api/src/auth/accounts/abandoned-accounts.service';
import { Mailer } from '../../apps/api/src/auth/email/mailer.service';
import { sql } from '../support/databases';
import { anAccount, anEmail, aProfile, aRegistration } from '../support/factories';
import type { ServiceHere } from '../support/service-here';

/** Of the service for this day. Nothing listens there. */
export const MAIL_SETTINGS = {
  SMTP_URL: 'smtp://127.0.0.1:9',
  MAIL_FROM: 'records@example.org',
  ERASURE_DAYS: '7',
};

const LATER = 'UPDATE accounts SET verification_expires = now() WHERE email = $1';
const DUE = `UPDATE accounts SET erase_at = now() - interval '1 hour' WHERE email = $1`;
const OLD = `UPDATE accounts SET created_at = created_at - interval '200 days' WHERE email = $1`;
const LEFT = 'SELECT FROM accounts WHERE email = ANY ($1)';
/** What the test itself sends, in this order. */
export const SQL_OF_MAIL_DAY = [LATER, DUE, OLD, LEFT];

/**
 * What happens only where there is mail, and where an erasure waits, and the removal of what is left.
 *
 * @param api of this service.
 */
export async function aMailDay(service: ServiceHere, api: Api = service.api): Promise<void> {
  const links: string[] = [];
  const mailer = service.app.get(Mailer, { strict: false });
  mailer.send = ({ text }) => void links.push(...(/#([\w-]{64})/.exec(text)?.slice(1) ?? []));
  const { token, email, password } = await anAccount(api);
  await sql(service.databaseUrl, LATER, [email]);
  expect((await api.post('/api/users/me/email/verification', {}, { token })).status).toBe(202);
  expect((await api.post('/api/auth/email/verify', { token: links.at(-1) })).status).toBe(200);
  const squatter = await anAccount(api);
  const register = () => api.post('/api/auth/register', aRegistration({ email: squatter.email }));
  await aProfile(api, squatter.token);
  await aProfile(api, squatter.token);
  await sql(service.databaseUrl, LATER, [squatter.email]);
  expect((await register()).status).toBe(409);
  expect((await api.post('/api/auth/email/release', { token: links.at(-1) })).status).toBe(200);
  expect((await register()).status).toBe(201);
  const body = { email: anEmail(), current_password: password, ...aNewSecret() };
  const moved = (await api.put('/api/users/me', body, { token })).body as { token: string };
  const secret = { email: body.email, password: body.new_password };
  const erase = (bearer: string) =>
    api.post('/api/users/me/delete', { current_password: secret.password }, { token: bearer });
  expect((await erase(moved.token)).status).toBe(204);
  const { status, body: back } = await api.post('/api/auth/login', secret);
  expect(status).toBe(200);
  expect((await erase(back.token)).status).toBe(204);
  await sql(service.databaseUrl, DUE, [body.email]);
  const unused = await anAccount(api);
  await api.post('/api/auth/logout', { refresh_token: unused.refreshToken });
  await sql(service.databaseUrl, OLD, [unused.email]);
  const abandoned = service.app.get(AbandonedAccountsService, { strict: false });
  await abandoned.eraseDue();
  await abandoned.eraseUnused();
  expect(await sql(service.databaseUrl, LEFT, [[body.email, unused.email]])).toEqual([]);
}
