import { Injectable } from '@nestjs/common';
import type { Executor } from '@app/database';
import { RateLimits } from '@app/security';
import { KnownAddressesRepository } from './known-addresses.repository';

/** From where accounts have signed in of late. Security: kept as HMACs, another one for each account. */
@Injectable()
export class KnownAddressesService {
  constructor(
    private readonly addresses: KnownAddressesRepository,
    private readonly limits: RateLimits,
  ) {}

  async has(accountId: string, address: string): Promise<boolean> {
    return this.addresses.has(accountId, this.limits.tagOf(accountId, address));
  }

  async remember(transaction: Executor, accountId: string, address: string): Promise<void> {
    await this.addresses.remember(transaction, accountId, this.limits.tagOf(accountId, address));
  }
}
