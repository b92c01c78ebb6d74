import { Injectable } from '@nestjs/common';
import { type Caller, invalidField, type ServiceError } from '@app/common';
import { assertLiveSession, Database } from '@app/database';
import { PasswordHasher } from '@app/security';
import { ProofService } from '../auth/accounts/proof.service';
import { SecurityEventsService } from '../auth/events/security-events.service';
import type { SetupRecoveryResponse } from './dto/recovery.responses';
import type { SetupRecoveryRequest } from './dto/recovery.requests';
import { RecoveryRepository } from './recovery.repository';

@Injectable()
export class RecoverySetupService {
  constructor(
    private readonly database: Database,
    private readonly proofs: ProofService,
    private readonly recovery: RecoveryRepository,
    private readonly hasher: PasswordHasher,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * Sets up recovery, or replaces the recovery phrase.
   *
   * @throws ServiceError `current_password_wrong`, `validation_failed` for an incomplete wrap, `token_revoked`,
   *   `rate_limited`, `overloaded`.
   */
  async setUp(caller: Caller, request: SetupRecoveryRequest): Promise<SetupRecoveryResponse> {
    const { recovery_wrapped_dek: dek, recovery_wrapped_dek_iv: iv } = request;
    if ((dek === undefined) !== (iv === undefined)) {
      throw invalidField(
        dek === undefined ? 'recovery_wrapped_dek' : 'recovery_wrapped_dek_iv',
        'recovery_wrapped_dek and recovery_wrapped_dek_iv must be sent together',
      );
    }
    const account = await this.proofs.confirmPassword(caller, request.current_password);
    const wrap = dek === undefined ? undefined : { recovery_wrapped_dek: dek, recovery_wrapped_dek_iv: iv! };
    if (account.recovery_enabled && !wrap) throw wrapIsNeeded();
    const proofHash = await this.hasher.hash(request.recovery_proof, caller.address, true);
    return this.database.transaction(async (transaction) => {
      if (!(await this.recovery.enable(transaction, { caller, proofHash, wrap }))) {
        await assertLiveSession(transaction, caller);
        // Another request has set recovery up at the same time.
        throw wrapIsNeeded();
      }
      await this.events.record(transaction, caller.accountId, 'recovery_set_up', caller.address);
      return { recovery_enabled: true };
    });
  }
}

function wrapIsNeeded(): ServiceError {
  return invalidField(
    'recovery_wrapped_dek',
    'recovery_wrapped_dek must be sent to replace a recovery phrase',
  );
}
