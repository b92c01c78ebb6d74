import { Injectable } from '@nestjs/common';
import { ServiceError } from '@app/common';
import { Decoys } from '@app/security';
import { AccountsService } from '../auth/accounts/accounts.service';
import { ProofService } from '../auth/accounts/proof.service';
import { SecondStepService } from '../auth/second-step/second-step.service';
import { NoticesService } from '../auth/email/notices.service';
import { SecurityEventsService } from '../auth/events/security-events.service';
import type {
  RecoveryInfoResponse,
  ResetPasswordResponse,
  VerifyRecoveryResponse,
} from './dto/recovery.responses';
import type { RecoveryProofRequest, ResetPasswordRequest } from './dto/recovery.requests';
import { RecoveryRepository } from './recovery.repository';

/**
 * Recovers an account with its recovery phrase.
 *
 * Security: an unknown email, a wrong proof and an account without recovery get the same answer, after one
 * hash each.
 */
@Injectable()
export class RecoveryService {
  constructor(
    private readonly accounts: AccountsService,
    private readonly proofs: ProofService,
    private readonly recovery: RecoveryRepository,
    private readonly decoys: Decoys,
    private readonly events: SecurityEventsService,
    private readonly secondStep: SecondStepService,
    private readonly notices: NoticesService,
  ) {}

  /**
   * Returns the stored wrap of a known email, whether recovery is set up or not. An unknown email gets a
   * decoy, derived from the email.
   */
  async info(email: string): Promise<RecoveryInfoResponse> {
    const decoy = this.decoys.recoveryWrap(email);
    return (await this.recovery.findWrap(await this.accounts.idByEmail(email))) ?? decoy;
  }

  /** @throws ServiceError `rate_limited`, `overloaded`. */
  async verify(request: RecoveryProofRequest, address: string): Promise<VerifyRecoveryResponse> {
    return { verified: (await this.prove(request, address)) !== undefined };
  }

  /**
   * Sets a new password, ends every session and switches a second step off.
   *
   * @throws ServiceError `invalid_credentials`, `account_suspended`, `rate_limited`, `overloaded`.
   */
  async resetPassword(request: ResetPasswordRequest, address: string): Promise<ResetPasswordResponse> {
    const account = await this.prove(request, address);
    if (!account) throw new ServiceError('invalid_credentials');
    if (account.suspended_at !== null) throw new ServiceError('account_suspended');
    const response = await this.accounts.replaceSecret(
      account,
      request,
      { address, proofHash: account.recovery_phrase_hash! },
      async (transaction) => {
        await this.events.record(transaction, account.id, 'recovery_used', address);
        await this.secondStep.switchOff(transaction, account.id, address);
        return { password_reset: true } as const;
      },
    );
    if (!response) throw new ServiceError('invalid_credentials');
    this.notices.tell(account, 'password_reset');
    return response;
  }

  private async prove(request: RecoveryProofRequest, address: string) {
    const sender = { address, deviceToken: request.device_token };
    const account = await this.accounts.findByEmail(request.email, sender);
    const isRight = await this.proofs.prove({
      email: request.email,
      address,
      account,
      isRecovery: true,
      secret: request.recovery_proof,
      hash: account?.recovery_enabled ? account.recovery_phrase_hash : null,
      refusal: 'recovery_failed',
    });
    return isRight ? account : undefined;
  }
}
