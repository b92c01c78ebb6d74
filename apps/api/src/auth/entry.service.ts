import { Injectable } from '@nestjs/common';
import type { Executor } from '@app/database';
import type { AuthenticationResponse } from './dto/authentication.response';
import type { AccountEntity } from './entities/account.entity';
import { KnownAddressesService } from './known-addresses.service';
import { SecurityEventsService } from './security-events.service';
import { SessionsService } from './sessions.service';

/** How an account was entered. */
export interface Entry {
  kind: 'login' | 'registered';
  address: string;
  deviceLabel: string | undefined;
}

@Injectable()
export class EntryService {
  constructor(
    private readonly addresses: KnownAddressesService,
    private readonly events: SecurityEventsService,
    private readonly sessions: SessionsService,
  ) {}

  /** Opens a session, remembers where from, and tells the owner. The transaction must hold the account's row. */
  async enter(transaction: Executor, account: AccountEntity, entry: Entry): Promise<AuthenticationResponse> {
    await this.addresses.remember(transaction, account.id, entry.address);
    await this.events.record(transaction, account.id, entry.kind, entry.address);
    return this.sessions.open(transaction, account, { deviceLabel: entry.deviceLabel });
  }
}
