import { Injectable } from '@nestjs/common';
import { type Caller, normalizeEmail, ServiceError, validationError } from '@app/common';
import { Decoys, PasswordHasher } from '@app/security';
import { AccountsService } from '../auth/accounts.service';
import type { RecoveryInfoResponse } from './dto/recovery-info.response';
import type { RecoveryProofRequest } from './dto/recovery-proof.request';
import type { ResetPasswordRequest } from './dto/reset-password.request';
import type { SetupRecoveryRequest } from './dto/setup-recovery.request';
import { RecoveryRepository } from './recovery.repository';

/**
 * The way back in with a recovery phrase.
 *
 * Security: an unknown email, a wrong proof and recovery that is off look the same and cost one hash each.
 */
@Injectable()
export class RecoveryService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly recovery: RecoveryRepository,
    private readonly hasher: PasswordHasher,
    private readonly decoys: Decoys,
  ) {}

  /** The stored wrap of a known email, whether recovery is on or not; a stable decoy for any other. */
  async info(email: string): Promise<RecoveryInfoResponse> {
    const decoy = this.decoys.recoveryWrap(normalizeEmail(email)!);
    return (await this.recovery.findWrap(await this.accounts.idByEmail(email))) ?? decoy;
  }

  /** @throws ServiceError `current_password_wrong`, `validation_failed` for an incomplete wrap, `token_revoked`. */
  async setUp(caller: Caller, request: SetupRecoveryRequest): Promise<void> {
    const { recovery_wrapped_dek: dek, recovery_wrapped_dek_iv: iv } = request;
    if ((dek === undefined) !== (iv === undefined)) {
      const field = dek === undefined ? 'recovery_wrapped_dek' : 'recovery_wrapped_dek_iv';
      throw validationError([
        { field, message: 'recovery_wrapped_dek and recovery_wrapped_dek_iv must be sent together' },
      ]);
    }
    const account = await this.accounts.confirmPassword(caller, request.current_password);
    const wrap = dek === undefined ? undefined : { recovery_wrapped_dek: dek, recovery_wrapped_dek_iv: iv! };
    if (account.recovery_enabled && !wrap) {
      throw validationError([
        {
          field: 'recovery_wrapped_dek',
          message: 'recovery_wrapped_dek must be sent to replace a recovery phrase',
        },
      ]);
    }
    const isDone = await this.recovery.enable({
      accountId: account.id,
      tokenVersion: account.token_version,
      verifiedHash: account.password_hash,
      proofHash: await this.hasher.hash(request.recovery_proof),
      wrap,
    });
    if (!isDone) throw new ServiceError('token_revoked');
  }

  async verify(request: RecoveryProofRequest): Promise<boolean> {
    return (await this.prove(request)) !== undefined;
  }

  /** @throws ServiceError `invalid_credentials`. */
  async resetPassword(request: ResetPasswordRequest): Promise<void> {
    const account = await this.prove(request);
    if (!account) throw new ServiceError('invalid_credentials');
    const secret = {
      passwordHash: await this.hasher.hash(request.new_password),
      wrappedDek: request.new_wrapped_dek,
      wrappedDekIv: request.new_wrapped_dek_iv,
    };
    const isDone = await this.accounts.replaceSecret(account, account.recovery_phrase_hash!, secret, () =>
      Promise.resolve(true),
    );
    if (!isDone) throw new ServiceError('invalid_credentials');
  }

  private async prove(request: RecoveryProofRequest) {
    const account = await this.accounts.findByEmail(request.email);
    const stored = account?.recovery_enabled ? account.recovery_phrase_hash : null;
    return (await this.hasher.verify(request.recovery_proof, stored)) ? account : undefined;
  }
}
