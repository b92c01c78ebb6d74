import { Injectable } from '@nestjs/common';
import { type Caller, isUuid } from '@app/common';
import { Database, ProfileRecordRepository, type Statement } from '@app/database';
import { PERIOD_DAYS } from './adherence.rule';
import { MedicationEntity } from './entities/medication.entity';

/** What adherence needs of one medication. */
export interface AdherenceRow {
  id: string;
  dose_schedule: string | null;
  /** The first date that counts since the start, from 0. */
  start_day: number;
  taken: number;
  skipped: number;
  taken_since_start: number;
  skipped_since_start: number;
}

/**
 * $3 medication, $4 the boundaries of the dates in seconds since 1970, $5 the first and $6 the last of them as timestamps.
 *
 * The start is the latest of the period's start, the earlier of creation and first log, and the last change of the
 * schedule, so that a medication entered yesterday has not been missed for a month. The first log matters only where the
 * creation is within the period. `OFFSET 0`: worked out once, not for each dose.
 *
 * Subqueries name the account by `$1` and not by the row around them: so a sharded database knows the one shard.
 */
const ADHERENCE: Statement = {
  name: 'medications adherence',
  text: `SELECT r.id, r.dose_schedule, start.day - 1 AS start_day, counts.*
    FROM accounts a JOIN medications r ON r.account_id = a.id
    CROSS JOIN LATERAL (
      SELECT greatest(r.schedule_changed_at, least(r.created_at, (
        SELECT min(d.logged_at) FROM doses d
        WHERE d.account_id = $1 AND d.medication_id = r.id AND r.created_at > $5::timestamptz))) AS at OFFSET 0
    ) began
    CROSS JOIN LATERAL (
      SELECT greatest(1, least(${PERIOD_DAYS}, width_bucket(extract(epoch FROM began.at)::float8, $4::float8[]))) AS day
      OFFSET 0
    ) start
    CROSS JOIN LATERAL (SELECT to_timestamp(($4::float8[])[start.day]) AS instant OFFSET 0) since
    CROSS JOIN LATERAL (
      SELECT count(*) FILTER (WHERE d.taken) AS taken, count(*) FILTER (WHERE NOT d.taken) AS skipped,
        count(*) FILTER (WHERE d.taken AND d.logged_at >= since.instant) AS taken_since_start,
        count(*) FILTER (WHERE NOT d.taken AND d.logged_at >= since.instant) AS skipped_since_start
      FROM doses d
      WHERE d.account_id = $1 AND d.medication_id = r.id
        AND d.logged_at >= $5::timestamptz AND d.logged_at < $6::timestamptz
    ) counts
    WHERE a.id = $1 AND a.token_version = $2 AND r.id = $3`,
};

/** What stands for boundaries in the statement: made once for as long as a period is kept. */
const texts = new WeakMap<Date[], [seconds: string, first: string, last: string]>();

@Injectable()
export class MedicationsRepository extends ProfileRecordRepository<MedicationEntity> {
  constructor(database: Database) {
    super(database, { entity: MedicationEntity, orderBy: 'created_at' });
  }

  async adherence(caller: Caller, id: string, boundaries: Date[]): Promise<AdherenceRow> {
    if (!isUuid(id)) return this.missing(caller);
    const [row] = await this.database.reader.query<AdherenceRow>(ADHERENCE, [
      caller.accountId,
      caller.tokenVersion,
      id,
      ...textsOf(boundaries),
    ]);
    return row ?? this.missing(caller);
  }
}

function textsOf(boundaries: Date[]): [seconds: string, first: string, last: string] {
  let made = texts.get(boundaries);
  if (made === undefined) {
    const seconds = boundaries.map((boundary) => boundary.getTime() / 1000);
    made = [`{${seconds.join()}}`, boundaries[0].toISOString(), boundaries[PERIOD_DAYS].toISOString()];
    texts.set(boundaries, made);
  }
  return made;
}
