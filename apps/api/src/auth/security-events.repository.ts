import { Injectable } from '@nestjs/common';
import { newId } from '@app/common';
import { Database, type Executor, OwnedRepository, type Statement } from '@app/database';
import { SecurityEventEntity, type SecurityEventKind } from './entities/security-event.entity';

/** For an account that does not exist it does nothing, at nearly the same cost. */
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
  constructor(database: Database) {
    super(database, {
      entity: SecurityEventEntity,
      orderBy: 'created_at',
      direction: 'DESC',
      changedAt: 'created_at',
      filters: {},
    });
  }

  async add(accountId: string, kind: SecurityEventKind, origin: Buffer, executor: Executor = this.database) {
    await executor.query(INSERT, [accountId, newId(), kind, origin]);
  }

  async forgetOld(): Promise<void> {
    await this.database.query(FORGET, []);
  }
}
