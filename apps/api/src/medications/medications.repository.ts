import { Injectable } from '@nestjs/common';
import { type Caller, isUuid } from '@app/common';
import { Database, ProfileRecordRepository, type Statement } from '@app/database';
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

/**
 * $3 medication, $4 and $5 from when to when the period lasts.
 *
 * Nearly every medication, and its schedule, is older than the period: then it starts with the period, and this is all there
 * is to ask. To work out a start takes PostgreSQL nearly as long again.
 *
 * Subqueries name the account by `$1` and not by the row around them: so a sharded database knows the one shard.
 */
const ADHERENCE: Statement = {
  name: 'medications adherence',
  text: `SELECT r.id, r.dose_schedule, greatest(r.created_at, r.schedule_changed_at) > $4::timestamptz AS young, counts.*
    FROM accounts a JOIN medications r ON r.account_id = a.id
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE d.taken) AS taken, count(*) FILTER (WHERE NOT d.taken) AS skipped
      FROM doses d
      WHERE d.account_id = $1 AND d.medication_id = r.id
        AND d.logged_at >= $4::timestamptz AND d.logged_at < $5::timestamptz
    ) counts
    WHERE a.id = $1 AND a.token_version = $2 AND r.id = $3`,
};

/**
 * The same of a young one, with its start; $6 all boundaries of the dates in seconds since 1970.
 *
 * The start is the latest of the period's start, the earlier of creation and first log, and the last change of the
 * schedule, so that a medication entered yesterday has not been missed for a month. The first log matters only where the
 * creation is within the period. `OFFSET 0`: worked out once, not for each dose.
 */
const ADHERENCE_OF_YOUNG: Statement = {
  name: 'medications adherence of young',
  text: `SELECT r.id, r.dose_schedule, start.day - 1 AS start_day, counts.*
    FROM accounts a JOIN medications r ON r.account_id = a.id
    CROSS JOIN LATERAL (
      SELECT greatest(r.schedule_changed_at, least(r.created_at, (
        SELECT min(d.logged_at) FROM doses d
        WHERE d.account_id = $1 AND d.medication_id = r.id AND r.created_at > $4::timestamptz))) AS at OFFSET 0
    ) began
    CROSS JOIN LATERAL (
      SELECT greatest(1, least(${PERIOD_DAYS}, width_bucket(extract(epoch FROM began.at)::float8, $6::float8[]))) AS day
      OFFSET 0
    ) start
    CROSS JOIN LATERAL (SELECT to_timestamp(($6::float8[])[start.day]) AS instant OFFSET 0) since
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE d.taken) AS taken, count(*) FILTER (WHERE NOT d.taken) AS skipped,
        count(*) FILTER (WHERE d.taken AND d.logged_at >= since.instant) AS taken_since_start,
        count(*) FILTER (WHERE NOT d.taken AND d.logged_at >= since.instant) AS skipped_since_start
      FROM doses d
      WHERE d.account_id = $1 AND d.medication_id = r.id
        AND d.logged_at >= $4::timestamptz AND d.logged_at < $5::timestamptz
    ) counts
    WHERE a.id = $1 AND a.token_version = $2 AND r.id = $3`,
};

@Injectable()
export class MedicationsRepository extends ProfileRecordRepository<MedicationEntity> {
  constructor(database: Database) {
    super(database, { entity: MedicationEntity, orderBy: 'created_at' });
  }

  async adherence(caller: Caller, id: string, period: Period): Promise<AdherenceRow> {
    if (!isUuid(id)) return this.missing(caller);
    const values = [caller.accountId, caller.tokenVersion, id, period.from, period.to];
    const [row] = await this.database.reader.query<CountedRow & { young: boolean }>(ADHERENCE, values);
    if (!row) return this.missing(caller);
    if (!row.young) return sinceStartOf(row);
    const seconds = period.boundaries.map((boundary) => boundary.getTime() / 1000);
    const [young] = await this.database.reader.query<AdherenceRow>(ADHERENCE_OF_YOUNG, [...values, seconds]);
    return young ?? this.missing(caller);
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
