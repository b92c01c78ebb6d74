import type { MigrationInterface, QueryRunner } from 'typeorm';
import { placeV1 } from './owned-table-v1';
import { bytesOfRowV1, type TrackedTableV1, triggerFunctionV1 } from './record-triggers-v1';

/** The tables of records that existed before the feed, parents before children. */
const TABLES: TrackedTableV1[] = [
  { name: 'profiles', kind: 'profile', revised: true, clientBytes: ['name_data', 'wrapped_profile_dek'] },
  { name: 'medications', kind: 'medication', revised: true, clientBytes: ['encrypted_data'] },
  { name: 'doses', kind: 'dose', revised: false, clientBytes: [] },
  { name: 'appointments', kind: 'appointment', revised: true, clientBytes: ['encrypted_data'] },
  { name: 'health_stats', kind: 'health_stat', revised: true, clientBytes: ['encrypted_data'] },
];

/** Adds all stored records to the feed, oldest first and parents before children. */
function enterEverything(schema: string): string {
  const stored = TABLES.map(
    ({ name, kind, clientBytes }, rank) =>
      `SELECT account_id, '${kind}' AS kind, ${rank} AS rank, id, created_at, ${bytesOfRowV1(clientBytes)} AS bytes FROM ${schema}.${name}`,
  );
  return `
    INSERT INTO ${schema}.changes (account_id, kind, record_id, position, bytes)
      SELECT account_id, kind, id, row_number() OVER (PARTITION BY account_id ORDER BY rank, created_at, id), bytes
      FROM (${stored.join(' UNION ALL ')}) stored;
    UPDATE ${schema}.account_usage u SET last_change = entered.last_change
      FROM (SELECT account_id, max(position) AS last_change FROM ${schema}.changes GROUP BY account_id) entered
      WHERE u.account_id = entered.account_id;`;
}

/** The trigger function as it was before. It only updates `account_usage`. */
function countOnly({ name, clientBytes }: TrackedTableV1, schema: string): string {
  const bytes = bytesOfRowV1(clientBytes);
  return `CREATE OR REPLACE FUNCTION ${schema}.count_${name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO ${schema}.account_usage AS u (account_id, records, bytes)
      SELECT account_id, count(*), sum(${bytes}) FROM new_rows GROUP BY account_id
      ON CONFLICT (account_id) DO UPDATE
      SET records = u.records + excluded.records, bytes = u.bytes + excluded.bytes;
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE ${schema}.account_usage u SET records = u.records - gone.records, bytes = u.bytes - gone.bytes
      FROM (SELECT account_id, count(*) AS records, sum(${bytes}) AS bytes FROM old_rows GROUP BY account_id) gone
      WHERE u.account_id = gone.account_id;
  ELSE
    UPDATE ${schema}.account_usage u SET bytes = u.bytes + grown.bytes
      FROM (
        SELECT account_id, sum(bytes) AS bytes FROM (
          SELECT account_id, ${bytes} AS bytes FROM new_rows
          UNION ALL SELECT account_id, -(${bytes}) FROM old_rows
        ) changed GROUP BY account_id
      ) grown
      WHERE u.account_id = grown.account_id AND grown.bytes <> 0;
  END IF;
  RETURN NULL;
END $$;`;
}

/** The feed of `GET /api/sync`: the newest change of each record of an account, in the order of the commits. */
export class Changes1794000000000 implements MigrationInterface {
  readonly name = 'Changes1794000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const { schema, partitions } = await placeV1(queryRunner);
    await queryRunner.query(`
      -- Each row begins a life of the database; a restore that lost commits begins another one.
      CREATE TABLE ${schema}.epochs (
        id text NOT NULL,
        started_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT epochs_pkey PRIMARY KEY (id)
      );
      INSERT INTO ${schema}.epochs (id) VALUES (left(replace(gen_random_uuid()::text, '-', ''), 12));

      ALTER TABLE ${schema}.account_usage
        -- The newest position of the account's feed.
        ADD COLUMN last_change bigint NOT NULL DEFAULT 0,
        -- The newest position of a deletion that was forgotten.
        ADD COLUMN forgotten_change bigint NOT NULL DEFAULT 0;

      CREATE TABLE ${schema}.changes (
        account_id uuid NOT NULL,
        kind text NOT NULL,
        record_id uuid NOT NULL,
        position bigint NOT NULL,
        bytes integer NOT NULL,
        deleted_at timestamptz(3),
        CONSTRAINT changes_pkey PRIMARY KEY (account_id, kind, record_id),
        CONSTRAINT changes_account_fkey FOREIGN KEY (account_id) REFERENCES ${schema}.accounts (id) ON DELETE CASCADE
      )${partitions > 0 ? ' PARTITION BY HASH (account_id)' : ''};
      CREATE UNIQUE INDEX changes_in_order ON ${schema}.changes (account_id, position);
      CREATE INDEX changes_expiry ON ${schema}.changes (deleted_at) WHERE deleted_at IS NOT NULL;`);
    for (let remainder = 0; remainder < partitions; remainder++) {
      await queryRunner.query(
        `CREATE TABLE ${schema}.changes_${remainder} PARTITION OF ${schema}.changes FOR VALUES WITH (MODULUS ${partitions}, REMAINDER ${remainder})`,
      );
    }
    // Nothing may change between the first entries and the creation of the triggers.
    const tables = TABLES.map(({ name }) => `${schema}.${name}`);
    await queryRunner.query(`LOCK TABLE ${tables.join(', ')} IN SHARE ROW EXCLUSIVE MODE`);
    await queryRunner.query(enterEverything(schema));
    for (const table of TABLES) await queryRunner.query(triggerFunctionV1(table, schema));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    for (const table of TABLES) await queryRunner.query(countOnly(table, schema));
    await queryRunner.query(`
      DROP TABLE ${schema}.changes;
      DROP TABLE ${schema}.epochs;
      ALTER TABLE ${schema}.account_usage DROP COLUMN last_change, DROP COLUMN forgotten_change;`);
  }
}
