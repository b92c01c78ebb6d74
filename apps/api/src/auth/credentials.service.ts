import { Injectable } from '@nestjs/common';
import { type Caller, normalizeEmail, type RevisionCondition, ServiceError } from '@app/common';
import { AccountsService } from './accounts.service';
import type { AuthenticationResponse } from './dto/authentication.response';
import type { ChangePasswordRequest } from './dto/change-password.request';
import { ProofService } from './proof.service';
import { SecurityEventsService } from './security-events.service';
import { SessionsService } from './sessions.service';

/** What a signed-in person does to the account itself, each after a step-up with the current password. */
@Injectable()
export class CredentialsService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly proofs: ProofService,
    private readonly sessions: SessionsService,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * Changes the secret, and the email where one is given; every older token dies.
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
    const email = request.email === undefined ? undefined : normalizeEmail(request.email);
    const kind = email === undefined || email === account.email ? 'password_changed' : 'email_changed';
    const response = await this.accounts.replaceSecret(
      account,
      request,
      { address: caller.address, caller, email, condition },
      async (transaction, changed, deviceLabel) => {
        await this.events.record(transaction, account.id, kind, caller.address);
        return this.sessions.open(transaction, changed, { deviceLabel });
      },
    );
    if (!response) throw overtaken(condition);
    return response;
  }

  /**
   * Erases the account and all that it owns.
   *
   * @throws ServiceError `current_password_wrong`, `token_revoked`, `revision_mismatch`, `rate_limited`, `overloaded`.
   */
  async erase(caller: Caller, currentPassword: string, condition?: RevisionCondition): Promise<void> {
    const account = await this.proofs.confirmPassword(caller, currentPassword);
    if (!(await this.accounts.erase(account, condition))) throw overtaken(condition);
  }
}

/** Why a write found no account: it is at another revision; without a condition on that, the session has ended. */
function overtaken(condition: RevisionCondition | undefined): ServiceError {
  return new ServiceError(Array.isArray(condition) ? 'revision_mismatch' : 'token_revoked');
}
