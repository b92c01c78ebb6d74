import { Injectable } from '@nestjs/common';
import { type Caller, normalizeEmail, ServiceError, validationError } from '@app/common';
import { Database } from '@app/database';
import { Decoys, PasswordHasher } from '@app/security';
import { AccountsService } from '../auth/accounts.service';
import { SecurityEventsService } from '../auth/security-events.service';
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
    private readonly database: Database,
    private readonly accounts: AccountsService,
    private readonly recovery: RecoveryRepository,
    private readonly hasher: PasswordHasher,
    private readonly decoys: Decoys,
    private readonly events: SecurityEventsService,
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
    const setup = {
      accountId: account.id,
      tokenVersion: account.token_version,
      verifiedHash: account.password_hash,
      proofHash: await this.hasher.hash(request.recovery_proof),
      wrap,
    };
    await this.database.transaction(async (transaction) => {
      if (!(await this.recovery.enable(transaction, setup))) throw new ServiceError('token_revoked');
      await this.events.record(transaction, account.id, 'recovery_set_up', caller.address);
    });
  }

  async verify(request: RecoveryProofRequest, address: string): Promise<boolean> {
    return (await this.prove(request, address)) !== undefined;
  }

  /** @throws ServiceError `invalid_credentials`, `rate_limited`. */
  async resetPassword(request: ResetPasswordRequest, address: string): Promise<void> {
    const account = await this.prove(request, address);
    if (!account) throw new ServiceError('invalid_credentials');
    const secret = {
      passwordHash: await this.hasher.hash(request.new_password),
      wrappedDek: request.new_wrapped_dek,
      wrappedDekIv: request.new_wrapped_dek_iv,
    };
    const isDone = await this.accounts.replaceSecret(
      account,
      account.recovery_phrase_hash!,
      secret,
      async (transaction) => {
        await this.events.record(transaction, account.id, 'recovery_used', address);
        return true;
      },
    );
    if (!isDone) throw new ServiceError('invalid_credentials');
  }

  private async prove(request: RecoveryProofRequest, address: string) {
    await this.hasher.assertRoom();
    const account = await this.accounts.findByEmail(request.email);
    const isRight = await this.accounts.prove({
      email: request.email,
      address,
      account,
      secret: request.recovery_proof,
      hash: account?.recovery_enabled ? account.recovery_phrase_hash : null,
      refusal: 'recovery_failed',
    });
    return isRight ? account : undefined;
  }
}
