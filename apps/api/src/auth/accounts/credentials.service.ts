import { Injectable } from '@nestjs/common';
import { type Caller, newId, type RevisionCondition, ServiceError } from '@app/common';
import { AccountsService } from './accounts.service';
import type { AuthenticationResponse } from '../sessions/dto/authentication.response';
import type { ChangePasswordRequest } from './dto/change-password.request';
import { DeviceTokensService } from '../devices/device-tokens.service';
import { ProofService } from './proof.service';
import { SecurityEventsService } from '../events/security-events.service';
import { SessionsService } from '../sessions/sessions.service';

/** Changes of the account itself. Each change needs the current password. */
@Injectable()
export class CredentialsService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly proofs: ProofService,
    private readonly sessions: SessionsService,
    private readonly events: SecurityEventsService,
    private readonly devices: DeviceTokensService,
  ) {}

  /**
   * Changes the secret and, if the request has a new email, the email. Ends every older token.
   *
   * @throws ServiceError `current_password_wrong`, `token_revoked`, `revision_mismatch`, `email_taken`,
   *   `rate_limited`, `overloaded`.
   */
  async change(
    caller: Caller,
    request: ChangePasswordRequest & { email?: string },
    condition?: RevisionCondition,
  ): Promise<AuthenticationResponse> {
    const account = await this.proofs.confirmPassword(caller, request.current_password);
    const { email } = request;
    const kind = email === undefined || email === account.email ? 'password_changed' : 'email_changed';
    const response = await this.accounts.replaceSecret(
      account,
      request,
      { address: caller.address, caller, email, condition },
      async (transaction, changed, deviceLabel) => {
        await this.events.record(transaction, account.id, kind, caller.address);
        const session = { id: newId(), label: deviceLabel };
        await this.devices.changeSession(transaction, caller, session.id, request.forget_devices ?? true);
        return this.sessions.open(transaction, changed, caller.address, session);
      },
    );
    if (!response) throw overtaken(condition);
    return response;
  }

  /**
   * Erases the account and everything that it owns. If an operator holds it, the wish is noted.
   *
   * @throws ServiceError `current_password_wrong`, `erasure_held`, `token_revoked`, `revision_mismatch`, `rate_limited`, `overloaded`.
   */
  async erase(caller: Caller, currentPassword: string, condition?: RevisionCondition): Promise<void> {
    const account = await this.proofs.confirmPassword(caller, currentPassword);
    const outcome = await this.accounts.erase(account, condition, (transaction) =>
      this.events.record(transaction, account.id, 'erasure_asked', caller.address),
    );
    if (outcome === 'held') throw new ServiceError('erasure_held');
    if (outcome === 'overtaken') throw overtaken(condition);
  }
}

/**
 * The reason why a write found no account: the account has another revision or, if the client named no
 * revision, the session has ended.
 */
function overtaken(condition: RevisionCondition | undefined): ServiceError {
  return new ServiceError(Array.isArray(condition) ? 'revision_mismatch' : 'token_revoked');
}
