import { Injectable } from '@nestjs/common';
import { type Caller, isUuid } from '@app/common';
import { Database, ProfileRecordRepository, type Statement } from '@app/database';
import { MedicationEntity } from './entities/medication.entity';

/** One medication with what adherence needs of it, and the counts of one day (none where no dose was logged). */
export interface AdherenceRow {
  id: string;
  created_at: string;
  dose_schedule: string | null;
  schedule_changed_at: string | null;
  first_log_at: string | null;
  day: number | null;
  taken: number | null;
  skipped: number | null;
}

/** $3 medication, $4 the boundaries of the dates, $5 the first and $6 the last of them. A row for each date with doses. */
const ADHERENCE: Statement = {
  name: 'medications adherence',
  text: `SELECT r.id, r.created_at, r.dose_schedule, r.schedule_changed_at,
      (SELECT min(d.logged_at) FROM doses d WHERE d.account_id = r.account_id AND d.medication_id = r.id) AS first_log_at,
      counts.day - 1 AS day, counts.taken, counts.skipped
    FROM accounts a JOIN medications r ON r.account_id = a.id
    LEFT JOIN LATERAL (
      SELECT width_bucket(d.logged_at, $4::timestamptz[]) AS day,
        count(*) FILTER (WHERE d.taken) AS taken, count(*) FILTER (WHERE NOT d.taken) AS skipped
      FROM doses d
      WHERE d.account_id = r.account_id AND d.medication_id = r.id
        AND d.logged_at >= $5::timestamptz AND d.logged_at < $6::timestamptz
      GROUP BY 1
    ) counts ON true
    WHERE a.id = $1 AND a.token_version = $2 AND r.id = $3`,
};

@Injectable()
export class MedicationsRepository extends ProfileRecordRepository<MedicationEntity> {
  constructor(database: Database) {
    super(database, { entity: MedicationEntity, orderBy: 'created_at' });
  }

  /** @returns at least one row; the medication's own columns are the same in each. */
  async adherence(
    caller: Caller,
    id: string,
    boundaries: Date[],
  ): Promise<[AdherenceRow, ...AdherenceRow[]]> {
    if (!isUuid(id)) return this.missing(caller);
    const instants = boundaries.map((boundary) => boundary.toISOString());
    const rows = await this.database.reader.query<AdherenceRow>(ADHERENCE, [
      caller.accountId,
      caller.tokenVersion,
      id,
      instants,
      instants[0],
      instants[instants.length - 1],
    ]);
    return rows.length > 0 ? (rows as [AdherenceRow, ...AdherenceRow[]]) : this.missing(caller);
  }
}
