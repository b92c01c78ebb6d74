import { Injectable } from '@nestjs/common';
import { ServiceError } from '@app/common';
import { Database } from '@app/database';
import { AccountsService } from './accounts.service';
import type { AuthenticationResponse } from './dto/authentication.response';
import type { LoginRequest } from './dto/login.request';
import { EntryService } from './entry.service';
import { ProofService } from './proof.service';

@Injectable()
export class SignInService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsService,
    private readonly proofs: ProofService,
    private readonly entries: EntryService,
  ) {}

  /**
   * @throws ServiceError `invalid_credentials`, the same for an unknown email and a wrong secret; `rate_limited`,
   *   `overloaded`.
   */
  async login(request: LoginRequest, address: string): Promise<AuthenticationResponse> {
    const account = await this.accounts.findByEmail(request.email);
    const isRight = await this.proofs.prove({
      email: request.email,
      address,
      account,
      secret: request.password,
      hash: account?.password_hash,
      refusal: 'login_failed',
    });
    if (!account || !isRight) throw new ServiceError('invalid_credentials');
    await this.proofs.strengthen(account, request.password, address);
    return this.database.transaction(async (transaction) => {
      // The secret may have changed while it was being checked.
      if (!(await this.accounts.lock(transaction, account))) throw new ServiceError('invalid_credentials');
      return this.entries.enter(transaction, account, {
        kind: 'login',
        address,
        deviceLabel: request.device_label,
      });
    });
  }
}
