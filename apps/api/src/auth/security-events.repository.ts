import { Injectable } from '@nestjs/common';
import { newId } from '@app/common';
import { Database, type Executor, Housekeeping, OwnedRepository, type Statement } from '@app/database';
import { AddressPseudonyms } from '@app/security';
import { SecurityEventEntity, type SecurityEventKind } from './entities/security-event.entity';

/** For an unknown account this statement inserts nothing, at nearly the same cost. */
const INSERT: Statement = {
  name: 'security events insert',
  text: `INSERT INTO security_events (account_id, id, kind, origin)
    SELECT id, $2::uuid, $3, $4::bytea FROM accounts WHERE id = $1`,
};

const FORGET: Statement = {
  name: 'security events forget',
  text: "DELETE FROM security_events WHERE created_at < now() - interval '180 days'",
};

@Injectable()
export class SecurityEventsRepository extends OwnedRepository<SecurityEventEntity> {
  constructor(
    database: Database,
    housekeeping: Housekeeping,
    private readonly pseudonyms: AddressPseudonyms,
  ) {
    super(database, {
      entity: SecurityEventEntity,
      orderBy: 'created_at',
      direction: 'DESC',
      changedAt: 'created_at',
      filters: {},
    });
    housekeeping.add(() => this.forgetOld());
  }

  /** @param address of the client. */
  async add(accountId: string, kind: SecurityEventKind, address: string, executor: Executor = this.database) {
    await executor.query(INSERT, [accountId, newId(), kind, this.pseudonyms.of(accountId, address)]);
  }

  private async forgetOld(): Promise<void> {
    await this.database.query(FORGET, []);
  }
}
