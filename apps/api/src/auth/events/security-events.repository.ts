import { Injectable } from '@nestjs/common';
import { Clock, newId } from '@app/common';
import { Database, type Executor, Housekeeping, OwnedRepository, type Statement } from '@app/database';
import { AddressPseudonyms } from '@app/security';
import { v5 } from 'uuid';
import { SecurityEventEntity, type SecurityEventKind } from './entities/security-event.entity';

const HOUR_MS = 3_600_000;

/** For an unknown account this statement inserts nothing, at nearly the same cost. */
const INSERT: Statement = {
  name: 'security events insert',
  text: `INSERT INTO security_events (account_id, id, kind, origin)
    SELECT id, $2::uuid, $3, $4::bytea FROM accounts WHERE id = $1`,
};

/** The id of an event that repeats is the same for an hour. */
const GATHER: Statement = {
  name: 'security events gather',
  text: `${INSERT.text} ON CONFLICT (account_id, id) DO UPDATE SET count = security_events.count + 1`,
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
    private readonly clock: Clock,
  ) {
    super(database, {
      entity: SecurityEventEntity,
      orderBy: 'created_at',
      direction: 'DESC',
      changedAt: 'created_at',
      filters: {},
    });
    housekeeping.add(() => database.query(FORGET, []));
  }

  /** @param address of the client; `null` for what an operator has done. */
  async add(accountId: string, kind: SecurityEventKind, address: string | null, executor: Executor) {
    const origin = address === null ? null : this.pseudonyms.of(accountId, address);
    await executor.query(INSERT, [accountId, newId(), kind, origin]);
  }

  /**
   * Adds an event, or counts it with the one of this kind from the same network and the same hour.
   * @param address of the client.
   */
  async gather(
    accountId: string,
    kind: SecurityEventKind,
    address: string,
    executor: Executor = this.database,
  ) {
    const origin = this.pseudonyms.of(accountId, address);
    const hour = Math.floor(this.clock.now().getTime() / HOUR_MS);
    const id = v5(`${kind} ${hour}`, origin.subarray(0, 16));
    await executor.query(GATHER, [accountId, id, kind, origin]);
  }
}
