import { Injectable } from '@nestjs/common';
import { ServiceError } from '@app/common';
import { Database, type Executor } from '@app/database';
import { PasswordHasher, RateLimits } from '@app/security';
import { AccountsRepository } from './accounts.repository';
import { AccountsService } from './accounts.service';
import type { AuthenticationResponse } from './dto/authentication.response';
import type { LoginRequest } from './dto/login.request';
import type { AccountEntity } from './entities/account.entity';
import { KnownAddressesRepository } from './known-addresses.repository';
import { SecurityEventsService } from './security-events.service';
import { SessionsService } from './sessions.service';

/** How an account was entered. */
interface Entry {
  kind: 'login' | 'registered';
  address: string;
  deviceLabel: string | undefined;
}

@Injectable()
export class SignInService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly accountsService: AccountsService,
    private readonly sessions: SessionsService,
    private readonly addresses: KnownAddressesRepository,
    private readonly events: SecurityEventsService,
    private readonly hasher: PasswordHasher,
    private readonly limits: RateLimits,
  ) {}

  /** @throws ServiceError `invalid_credentials`, the same for an unknown email and a wrong secret; `rate_limited`. */
  async login(request: LoginRequest, address: string): Promise<AuthenticationResponse> {
    await this.hasher.assertRoom();
    const account = await this.accountsService.findByEmail(request.email);
    const isRight = await this.accountsService.prove({
      email: request.email,
      address,
      account,
      secret: request.password,
      hash: account?.password_hash,
      refusal: 'login_failed',
    });
    if (!account || !isRight) throw new ServiceError('invalid_credentials');
    const current = await this.strengthen(account, request.password);
    return this.database.transaction(async (transaction) => {
      // The secret may have changed while it was being checked.
      if (!(await this.accounts.lock(transaction, current))) throw new ServiceError('invalid_credentials');
      return this.enter(transaction, current, { kind: 'login', address, deviceLabel: request.device_label });
    });
  }

  /** Opens a session, remembers where from, and tells the owner. */
  async enter(transaction: Executor, account: AccountEntity, entry: Entry): Promise<AuthenticationResponse> {
    await this.addresses.remember(transaction, account.id, this.limits.tagOf(account.id, entry.address));
    await this.events.record(transaction, account.id, entry.kind, entry.address);
    return this.sessions.open(transaction, account, { deviceLabel: entry.deviceLabel });
  }

  /** Hashes a secret again that was stored at a lower cost; only now, while it is at hand, can that be done. */
  private async strengthen(account: AccountEntity, secret: string): Promise<AccountEntity> {
    if (!this.hasher.isOutdated(account.password_hash)) return account;
    const passwordHash = await this.hasher.hash(secret);
    await this.accounts.rehash(account, passwordHash);
    return { ...account, password_hash: passwordHash };
  }
}
