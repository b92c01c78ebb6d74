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

const INSERT_ONCE: Statement = {
  name: 'security events insert once',
  text: `INSERT INTO security_events (account_id, id, kind, origin)
    SELECT id, $2::uuid, $3::text, $4::bytea FROM accounts WHERE id = $1 AND NOT EXISTS (
      SELECT 1 FROM security_events e
      WHERE e.account_id = $1 AND e.kind = $3::text AND e.created_at > now() - interval '1 minute')`,
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

  /** Adds nothing if the account has an event of this kind from the last minute. */
  async addOnceAMinute(accountId: string, kind: SecurityEventKind, address: string, executor: Executor) {
    await executor.query(INSERT_ONCE, [accountId, newId(), kind, this.pseudonyms.of(accountId, address)]);
  }

  private async forgetOld(): Promise<void> {
    await this.database.query(FORGET, []);
  }
}
