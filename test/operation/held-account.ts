import { expectFailure } from '@app/testing';
import { OperatorService } from '../../apps/api/src/auth/accounts/operator.service';
import { anAccount } from '../support/factories';
import type { ServiceHere } from '../support/service-here';

/** Lets the owner of an account that an operator holds ask for its erasure. */
export async function askToEraseHeld({ api, app }: ServiceHere): Promise<void> {
  const { password, token } = await anAccount(api);
  const { id } = (await api.get('/api/users/me', { token })).body;
  const operator = app.get(OperatorService, { strict: false });
  await operator.hold({ id }, { by: 'a court', why: 'a case' });
  expectFailure(
    await api.post('/api/users/me/delete', { current_password: password }, { token }),
    'erasure_held',
  );
}
