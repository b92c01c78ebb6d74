import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/common';
import { Database, ProfileRecordRepository, safeId, type Statement } from '@app/database';
import { type Period, PERIOD_DAYS } from './adherence.rule';
import { MedicationEntity } from './entities/medication.entity';

/** A medication and its doses of the whole period. */
interface CountedRow {
  id: string;
  dose_schedule: string | null;
  taken: number;
  skipped: number;
}

/** What adherence needs of one medication. */
export interface AdherenceRow extends CountedRow {
  /** The first date that counts since the start, from 0. */
  start_day: number;
  taken_since_start: number;
  skipped_since_start: number;
}

const FIRST_LOG = `(SELECT min(d.logged_at) FROM doses d WHERE d.account_id = $1 AND d.medication_id = r.id)`;

const COUNTS = `count(*) FILTER (WHERE d.taken) AS taken, count(*) FILTER (WHERE NOT d.taken) AS skipped`;

const DOSES_OF_PERIOD = `FROM doses d
      WHERE d.account_id = $1 AND d.medication_id = r.id
        AND d.logged_at >= $4::timestamptz AND d.logged_at < $5::timestamptz`;

/**
 * $3 medication, $4 and $5 from when to when the period lasts.
 *
 * A medication starts at the earlier of creation and first log, or at the last change of its schedule if that is later, so
 * that one entered yesterday has not been missed for a month. Nearly all, and their schedules, are older than the period:
 * then they start with it, and this is all there is to ask. To work out the day of another start takes PostgreSQL nearly as
 * long again. The first log matters only where the creation is within the period, and is looked for only then.
 *
 * Subqueries name the account by `$1` and not by the row around them: so a sharded database knows the one shard.
 */
const ADHERENCE: Statement = {
  name: 'medications adherence',
  text: `SELECT r.id, r.dose_schedule, counts.*,
      greatest(r.schedule_changed_at,
        CASE WHEN r.created_at > $4::timestamptz THEN least(r.created_at, ${FIRST_LOG}) ELSE r.created_at END
      ) > $4::timestamptz AS starts_within
    FROM accounts a JOIN medications r ON r.account_id = a.id
    CROSS JOIN LATERAL (SELECT ${COUNTS} ${DOSES_OF_PERIOD}) counts
    WHERE a.id = $1 AND a.token_version = $2 AND r.id = $3`,
};

/**
 * The same of one that starts within the period, with its start; $6 all boundaries of the dates in seconds since 1970.
 * `OFFSET 0`: worked out once, not for each dose.
 */
const ADHERENCE_SINCE_START: Statement = {
  name: 'medications adherence since start',
  text: `SELECT r.id, r.dose_schedule, start.day - 1 AS start_day, counts.*
    FROM accounts a JOIN medications r ON r.account_id = a.id
    CROSS JOIN LATERAL (SELECT greatest(r.schedule_changed_at, least(r.created_at, ${FIRST_LOG})) AS at OFFSET 0) began
    CROSS JOIN LATERAL (
      SELECT greatest(1, least(${PERIOD_DAYS}, width_bucket(extract(epoch FROM began.at)::float8, $6::float8[]))) AS day
      OFFSET 0
    ) start
    CROSS JOIN LATERAL (SELECT to_timestamp(($6::float8[])[start.day]) AS instant OFFSET 0) since
    CROSS JOIN LATERAL (
      SELECT ${COUNTS},
        count(*) FILTER (WHERE d.taken AND d.logged_at >= since.instant) AS taken_since_start,
        count(*) FILTER (WHERE NOT d.taken AND d.logged_at >= since.instant) AS skipped_since_start
      ${DOSES_OF_PERIOD}
    ) counts
    WHERE a.id = $1 AND a.token_version = $2 AND r.id = $3`,
};

@Injectable()
export class MedicationsRepository extends ProfileRecordRepository<MedicationEntity> {
  constructor(database: Database) {
    super(database, { entity: MedicationEntity, orderBy: 'created_at' });
  }

  async adherence(caller: Caller, id: string, period: Period): Promise<AdherenceRow> {
    const values = [caller.accountId, caller.tokenVersion, safeId(id), period.from, period.to];
    const [row] = await this.database.reader.query<CountedRow & { starts_within: boolean }>(
      ADHERENCE,
      values,
    );
    if (!row) return this.missing(caller);
    if (!row.starts_within) return sinceStartOf(row);
    const seconds = period.boundaries.map((boundary) => boundary.getTime() / 1000);
    const [complete] = await this.database.reader.query<AdherenceRow>(ADHERENCE_SINCE_START, [
      ...values,
      seconds,
    ]);
    return complete ?? this.missing(caller);
  }
}

/** Written out: a spread with fields on top makes V8 describe the object's shape anew each time, a kilobyte to collect. */
function sinceStartOf({ id, dose_schedule, taken, skipped }: CountedRow): AdherenceRow {
  return {
    id,
    dose_schedule,
    taken,
    skipped,
    start_day: 0,
    taken_since_start: taken,
    skipped_since_start: skipped,
  };
}
