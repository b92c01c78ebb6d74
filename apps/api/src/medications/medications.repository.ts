import { Injectable } from '@nestjs/common';
import { type Caller, Clock } from '@app/common';
import {
  Database,
  type Executor,
  ProfileRecordRepository,
  safeId,
  type Statement,
  type UpdateRequest,
} from '@app/database';
import { PERIOD_DAYS } from '@app/common/adherence';
import type { Period } from './adherence.rule';
import { MedicationEntity } from './entities/medication.entity';

/** The values of one medication from which adherence is computed. */
export interface AdherenceRow {
  id: string;
  dose_schedule: string | null;
  /** Index of the first date that counts since the start, from 0. */
  start_day: number;
  taken: number;
  skipped: number;
  taken_since_start: number;
  skipped_since_start: number;
}

/**
 * The most doses of a period that are counted together with other short reads. A person logs fewer in 30
 * days. A longer count is a long read.
 */
const MOST_COUNTED = 2_000;

const FIRST_LOG = `(SELECT min(d.logged_at) FROM doses d WHERE d.account_id = $1 AND d.medication_id = r.id)`;

/**
 * Parameters: $3 medication, $4 start of the period, $5 end of the period, $6 all boundaries of the dates, in
 * seconds since 1970, $7 the most doses that are counted, or null.
 *
 * A medication starts when it is created or when its first dose is logged, whichever is earlier. If its
 * schedule changed later, it starts at that change. Without this rule a medication entered yesterday would
 * have a month of missed doses.
 *
 * Subqueries name the account by `$1` and not by a column of the outer row. A sharded database can then find
 * the shard. `OFFSET 0` makes PostgreSQL compute the start once, and not for each dose.
 */
const ADHERENCE: Statement = {
  name: 'medications adherence',
  text: `SELECT r.id, r.dose_schedule, start.day - 1 AS start_day, counts.*
    FROM accounts a JOIN medications r ON r.account_id = a.id
    CROSS JOIN LATERAL (SELECT greatest(r.schedule_changed_at, least(r.created_at, ${FIRST_LOG})) AS at OFFSET 0) began
    CROSS JOIN LATERAL (
      SELECT greatest(1, least(${PERIOD_DAYS}, width_bucket(extract(epoch FROM began.at)::float8, $6::float8[]))) AS day
      OFFSET 0
    ) start
    CROSS JOIN LATERAL (SELECT to_timestamp(($6::float8[])[start.day]) AS instant OFFSET 0) since
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE d.taken) AS taken, count(*) FILTER (WHERE NOT d.taken) AS skipped,
        count(*) FILTER (WHERE d.taken AND d.logged_at >= since.instant) AS taken_since_start,
        count(*) FILTER (WHERE NOT d.taken AND d.logged_at >= since.instant) AS skipped_since_start
      FROM (SELECT d.taken, d.logged_at FROM doses d WHERE d.account_id = $1 AND d.medication_id = r.id
        AND d.logged_at >= $4::timestamptz AND d.logged_at < $5::timestamptz LIMIT $7::bigint) d
    ) counts
    WHERE a.id = $1 AND a.token_version = $2 AND r.id = $3`,
};

/**
 * Only a different schedule counts as a change, because adherence since the start is counted from the last
 * change.
 */
const SCHEDULE_CHANGED_AT = `CASE WHEN r.dose_schedule IS DISTINCT FROM $dose_schedule THEN $schedule_changed_at ELSE r.schedule_changed_at END`;

@Injectable()
export class MedicationsRepository extends ProfileRecordRepository<MedicationEntity> {
  constructor(
    database: Database,
    private readonly clock: Clock,
  ) {
    super(database, { entity: MedicationEntity, orderBy: 'created_at' });
  }

  override updateRecord(
    caller: Caller,
    id: string,
    request: UpdateRequest<MedicationEntity>,
    executor?: Executor,
  ): Promise<MedicationEntity> {
    const { changes } = request;
    if (changes.dose_schedule === undefined) return super.updateRecord(caller, id, request, executor);
    const rescheduled = {
      ...request,
      changes: { ...changes, schedule_changed_at: this.clock.now().toISOString() },
      derived: { schedule_changed_at: SCHEDULE_CHANGED_AT },
    };
    return super.updateRecord(caller, id, rescheduled, executor);
  }

  /** @throws ServiceError `overloaded` if the period has too many doses to count them in time. */
  async adherence(caller: Caller, id: string, period: Period): Promise<AdherenceRow> {
    const seconds = period.boundaries.map((boundary) => boundary.getTime() / 1000);
    const values = [caller.accountId, caller.tokenVersion, safeId(id), period.from, period.to, seconds];
    const [row] = await this.database.shortReads.query<AdherenceRow>(ADHERENCE, [
      ...values,
      MOST_COUNTED + 1,
    ]);
    if (!row) return this.missing(caller);
    if (row.taken + row.skipped <= MOST_COUNTED) return row;
    const [complete] = await this.database.longRead(caller.accountId, (reads) =>
      reads.query<AdherenceRow>(ADHERENCE, [...values, null]),
    );
    return complete ?? this.missing(caller);
  }
}
