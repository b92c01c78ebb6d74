import { Injectable } from '@nestjs/common';
import { type Caller, newId, type RevisionCondition, ServiceError } from '@app/common';
import { AccountsService } from './accounts.service';
import type { AuthenticationResponse } from '../sessions/dto/authentication.response';
import type { ChangePasswordRequest, DeleteMeRequest } from './dto/account.requests';
import { DeviceTokensService } from '../devices/device-tokens.service';
import { ProofService } from './proof.service';
import { SecurityEventsService } from '../events/security-events.service';
import { SessionsService } from '../sessions/sessions.service';
import { ServiceConfig } from '@app/config';
import type { Executor } from '@app/database';
import { EmailVerificationService } from '../email/email-verification.service';
import { NoticesService } from '../email/notices.service';
import { AbandonedAccountsService } from './abandoned-accounts.service';

/** Changes of the account itself. Each change needs the current password. */
@Injectable()
export class CredentialsService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly proofs: ProofService,
    private readonly sessions: SessionsService,
    private readonly events: SecurityEventsService,
    private readonly devices: DeviceTokensService,
    private readonly abandoned: AbandonedAccountsService,
    private readonly verifications: EmailVerificationService,
    private readonly notices: NoticesService,
    private readonly config: ServiceConfig,
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
    const isMove = email !== undefined && email !== account.email;
    const kind = isMove ? 'email_changed' : 'password_changed';
    const link = isMove ? this.verifications.linkFor(account.id, email) : undefined;
    const replace = () =>
      this.accounts.replaceSecret(
        account,
        request,
        {
          address: caller.address,
          caller,
          email,
          condition,
          before: isMove ? (transaction) => this.abandoned.giveWay(transaction, email) : undefined,
        },
        async (transaction, changed, deviceLabel) => {
          await link?.store(transaction);
          await this.events.record(transaction, account.id, kind, caller.address);
          const session = { id: newId(), label: deviceLabel };
          await this.devices.changeSession(transaction, caller, session.id, request.forget_devices ?? true);
          return this.sessions.open(transaction, changed, caller.address, session);
        },
      );
    const response = await (isMove ? this.verifications.takeAddress(email, replace) : replace());
    if (!response) throw overtaken(condition);
    link?.send();
    this.notices.tell(account, kind);
    return response;
  }

  /**
   * Erases the account and everything that it owns: at once, or after `ERASURE_DAYS`. If an operator holds it, the wish
   * is noted.
   *
   * @throws ServiceError `current_password_wrong`, `erasure_held`, `sole_owner`, `token_revoked`, `revision_mismatch`,
   *   `rate_limited`, `overloaded`.
   */
  async erase(
    caller: Caller,
    { current_password, sole_spaces }: DeleteMeRequest,
    condition?: RevisionCondition,
  ): Promise<void> {
    const account = await this.proofs.confirmPassword(caller, current_password);
    const { erasureDays } = this.config;
    const record = (kind: 'erasure_asked' | 'erasure_planned') => (transaction: Executor) =>
      this.events.record(transaction, account.id, kind, caller.address);
    const wish = { condition, takesAll: sole_spaces === 'delete', whenHeld: record('erasure_asked') };
    const outcome =
      erasureDays === 0
        ? await this.accounts.erase(account, wish)
        : await this.accounts.planErasure(account, erasureDays, wish, record('erasure_planned'));
    if (outcome === 'held') throw new ServiceError('erasure_held');
    if (outcome === 'overtaken') throw overtaken(condition);
    this.notices.tell(account, outcome === 'erased' ? 'erased' : 'erasure_planned');
  }
}

/**
 * The reason why a write found no account: the account has another revision or, if the client named no
 * revision, the session has ended.
 */
function overtaken(condition: RevisionCondition | undefined): ServiceError {
  return new ServiceError(Array.isArray(condition) ? 'revision_mismatch' : 'token_revoked');
}
