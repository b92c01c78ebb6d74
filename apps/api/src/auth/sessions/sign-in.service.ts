import { Injectable } from '@nestjs/common';
import { ServiceError } from '@app/common';
import { Database } from '@app/database';
import { AccountsService } from '../accounts/accounts.service';
import type { AuthenticationResponse } from './dto/authentication.response';
import type { LoginRequest } from './dto/session.requests';
import { ProofService } from '../accounts/proof.service';
import { SecondStepSignInService } from '../second-step/second-step-sign-in.service';
import { SessionsService } from './sessions.service';
import { NoticesService } from '../email/notices.service';

@Injectable()
export class SignInService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsService,
    private readonly proofs: ProofService,
    private readonly sessions: SessionsService,
    private readonly secondStep: SecondStepSignInService,
    private readonly notices: NoticesService,
  ) {}

  /**
   * A login runs nine statements: find the email (1) and the account (2), take points from the rate limits
   * (3), check the secret, give the points back (4), BEGIN (5), lock the account (6), record the event (7),
   * store the session (8), COMMIT (9). A known device takes one more, which records its use, and so does the
   * end of the oldest of five sessions. The statement that locks the account also replaces a hash of an outdated cost.
   *
   * Security: runs the same statements (1 to 3) and one hash, whether the account exists or not.
   * @throws ServiceError `invalid_credentials`, the same for an unknown email and a wrong secret;
   *   `second_step_required` after a right one; `rate_limited`, `overloaded`.
   */
  async login(request: LoginRequest, address: string): Promise<AuthenticationResponse> {
    const sender = { address, deviceToken: request.device_token };
    const account = await this.accounts.findByEmail(request.email, sender);
    const isRight = await this.proofs.prove({
      email: request.email,
      address,
      account,
      secret: request.password,
      hash: account?.password_hash,
      refusal: 'login_failed',
    });
    if (!account || !isRight) throw new ServiceError('invalid_credentials');
    if (account.second_step) throw await this.secondStep.asked(account);
    const newHash = await this.proofs.rehashIfOutdated(account, request.password, address);
    const response = await this.database.transaction(async (transaction) => {
      // The secret may have changed while it was being checked.
      if (!(await this.accounts.lock(transaction, account, newHash)))
        throw new ServiceError('invalid_credentials');
      return this.sessions.start(transaction, account, {
        kind: 'login',
        address,
        deviceLabel: request.device_label,
        knownHash: account.device_hash,
        remember: request.remember_device,
      });
    });
    this.notices.tellOfSignIn(account);
    return response;
  }
}
