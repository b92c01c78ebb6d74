import { Database } from '@app/database';
import { TokenIssuer } from '../../apps/api/src/auth/sessions/token-issuer.service';
import { anAccount } from '../support/factories';
import type { ServiceHere } from '../support/service-here';

/** Signs an account in as a team's module does that has proven who comes. */
export async function signInByModule({ api, app }: ServiceHere): Promise<void> {
  const { token } = await anAccount(api);
  const { id } = (await api.get('/api/users/me', { token })).body;
  const issuer = app.get(TokenIssuer, { strict: false });
  const answer = await app
    .get(Database, { strict: false })
    .transaction((transaction) => issuer.issue(transaction, id, { address: '192.0.2.1' }));
  expect((await api.get('/api/users/me', { token: answer!.token })).body.id).toBe(id);
}
