import { Injectable } from '@nestjs/common';
import { type Caller, newId } from '@app/common';
import { Database, type Executor } from '@app/database';
import { PasswordHasher } from '@app/security';
import { ProfilesService } from '../../profiles/profiles.service';
import { AccountsService } from './accounts.service';
import type { AuthenticationResponse } from '../sessions/dto/authentication.response';
import type { RegisterRequest } from './dto/register.request';
import { SessionsService } from '../sessions/sessions.service';
import { SignupsService } from '../invites/signups.service';
import { EmailVerificationService } from '../email/email-verification.service';
import { AbandonedAccountsService } from './abandoned-accounts.service';

@Injectable()
export class RegistrationService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsService,
    private readonly profiles: ProfilesService,
    private readonly hasher: PasswordHasher,
    private readonly sessions: SessionsService,
    private readonly signups: SignupsService,
    private readonly abandoned: AbandonedAccountsService,
    private readonly verifications: EmailVerificationService,
  ) {}

  /**
   * Creates an account and a session in one transaction. It also creates a first profile if the client sends
   * a key for it.
   *
   * @throws ServiceError `email_taken`, `id_taken`, `overloaded`, `signups_closed`, `invite_required`, `invite_invalid`.
   */
  async register(request: RegisterRequest, address: string): Promise<AuthenticationResponse> {
    await this.signups.assertOpen(request.invite_code);
    const passwordHash = await this.hasher.hash(request.password, address);
    const recoveryHash =
      request.recovery_proof === undefined ? null : await this.hasher.hash(request.recovery_proof, address);
    const id = request.account_id ?? newId();
    const link = this.verifications.linkFor(id, request.email);
    const create = async (transaction: Executor) => {
      await this.signups.use(transaction, request.invite_code);
      await this.abandoned.giveWay(transaction, request.email);
      const account = await this.accounts.create(
        transaction,
        {
          id,
          email: request.email,
          password_hash: passwordHash,
          wrapped_dek: request.wrapped_dek,
          wrapped_dek_iv: request.wrapped_dek_iv,
          recovery_wrapped_dek: request.recovery_wrapped_dek,
          recovery_wrapped_dek_iv: request.recovery_wrapped_dek_iv,
          recovery_phrase_hash: recoveryHash,
        },
        request.new_kdf,
      );
      await link.store(transaction);
      const caller = { accountId: id, tokenVersion: account.token_version, sessionId: newId(), address };
      if (request.default_profile_wrapped_dek !== undefined)
        await this.createProfile(transaction, caller, request);
      return this.sessions.start(transaction, account, {
        kind: 'registered',
        address,
        deviceLabel: request.device_label,
        remember: request.remember_device,
      });
    };
    const response = await this.verifications.takeAddress(request.email, () =>
      this.database.transaction(create),
    );
    link.send();
    return response;
  }

  private async createProfile(
    transaction: Executor,
    caller: Caller,
    request: RegisterRequest,
  ): Promise<void> {
    const profile = {
      profile_id: request.default_profile_id,
      kind: request.default_profile_kind,
      relationship: request.default_profile_relationship,
      wrapped_profile_dek: request.default_profile_wrapped_dek!,
      wrapped_profile_dek_iv: request.default_profile_wrapped_dek_iv,
      name_data: request.default_profile_name_data,
      name_iv: request.default_profile_name_iv,
    };
    await this.profiles.create(caller, profile, undefined, transaction);
  }
}
