import { Injectable } from '@nestjs/common';
import { type Caller, normalizeEmail, type RevisionCondition, ServiceError } from '@app/common';
import { Database } from '@app/database';
import { PasswordHasher } from '@app/security';
import { AccountsRepository } from './accounts.repository';
import { AccountsService } from './accounts.service';
import type { AuthenticationResponse } from './dto/authentication.response';
import type { ChangePasswordRequest } from './dto/change-password.request';
import { LoginsService } from './logins.service';
import { SecurityEventsService } from './security-events.service';
import { SessionsService } from './sessions.service';

/** What a signed-in person does to the account itself, each after a step-up with the current password. */
@Injectable()
export class CredentialsService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly accountsService: AccountsService,
    private readonly logins: LoginsService,
    private readonly sessions: SessionsService,
    private readonly events: SecurityEventsService,
    private readonly hasher: PasswordHasher,
  ) {}

  /**
   * Changes the secret, and the email where one is given; every older token dies.
   *
   * @throws ServiceError `current_password_wrong`, `token_revoked`, `revision_mismatch`, `email_taken`,
   *   `rate_limited`.
   */
  async change(
    caller: Caller,
    request: ChangePasswordRequest & { email?: string },
    condition?: RevisionCondition,
  ): Promise<AuthenticationResponse> {
    const account = await this.accountsService.confirmPassword(caller, request.current_password);
    const email = request.email === undefined ? undefined : normalizeEmail(request.email);
    const secret = {
      passwordHash: await this.hasher.hash(request.new_password),
      wrappedDek: request.new_wrapped_dek,
      wrappedDekIv: request.new_wrapped_dek_iv,
      email,
      condition,
    };
    const kind = email === undefined || email === account.email ? 'password_changed' : 'email_changed';
    const response = await this.accountsService.replaceSecret(
      account,
      account.password_hash,
      secret,
      async (transaction, changed, deviceLabel) => {
        await this.events.record(transaction, account.id, kind, caller.address);
        return this.sessions.open(transaction, changed, { deviceLabel });
      },
      caller,
    );
    if (!response) throw overtaken(condition);
    return response;
  }

  /**
   * Erases the account and all that it owns.
   *
   * @throws ServiceError `current_password_wrong`, `token_revoked`, `revision_mismatch`, `rate_limited`.
   */
  async erase(caller: Caller, currentPassword: string, condition?: RevisionCondition): Promise<void> {
    const account = await this.accountsService.confirmPassword(caller, currentPassword);
    await this.database.transaction(async (transaction) => {
      if (!(await this.accounts.delete(transaction, account, condition))) throw overtaken(condition);
      await this.logins.remove(transaction, account);
    });
  }
}

/** Why a write found no account: it is at another revision; without a condition on that, the session has ended. */
function overtaken(condition: RevisionCondition | undefined): ServiceError {
  return new ServiceError(Array.isArray(condition) ? 'revision_mismatch' : 'token_revoked');
}
