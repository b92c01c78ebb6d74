import { Injectable } from '@nestjs/common';
import { normalizeEmail, ServiceError } from '@app/common';
import { Decoys } from '@app/security';
import { AccountsService } from '../auth/accounts.service';
import { ProofService } from '../auth/proof.service';
import { SecurityEventsService } from '../auth/security-events.service';
import type { RecoveryInfoResponse } from './dto/recovery-info.response';
import type { RecoveryProofRequest } from './dto/recovery-proof.request';
import type { ResetPasswordRequest } from './dto/reset-password.request';
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
    private readonly proofs: ProofService,
    private readonly recovery: RecoveryRepository,
    private readonly decoys: Decoys,
    private readonly events: SecurityEventsService,
  ) {}

  /** The stored wrap of a known email, whether recovery is on or not; a stable decoy for any other. */
  async info(email: string): Promise<RecoveryInfoResponse> {
    const decoy = this.decoys.recoveryWrap(normalizeEmail(email)!);
    return (await this.recovery.findWrap(await this.accounts.idByEmail(email))) ?? decoy;
  }

  async verify(request: RecoveryProofRequest, address: string): Promise<boolean> {
    return (await this.prove(request, address)) !== undefined;
  }

  /** @throws ServiceError `invalid_credentials`, `rate_limited`, `overloaded`. */
  async resetPassword(request: ResetPasswordRequest, address: string): Promise<void> {
    const account = await this.prove(request, address);
    if (!account) throw new ServiceError('invalid_credentials');
    const isDone = await this.accounts.replaceSecret(
      account,
      request,
      { address, proofHash: account.recovery_phrase_hash! },
      async (transaction) => {
        await this.events.record(transaction, account.id, 'recovery_used', address);
        return true;
      },
    );
    if (!isDone) throw new ServiceError('invalid_credentials');
  }

  private async prove(request: RecoveryProofRequest, address: string) {
    const account = await this.accounts.findByEmail(request.email);
    const isRight = await this.proofs.prove({
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
