import type { MigrationInterface, QueryRunner } from 'typeorm';
import { placeV1 } from './owned-table-v1';

/** The tables that triggers fill, and nobody else. */
const KEPT_BY_TRIGGERS = ['account_usage', 'changes'];

/**
 * Erasures that a restore repeats, invitations, and loads of data that are counted once.
 */
export class Operations1799100000000 implements MigrationInterface {
  readonly name = 'Operations1799100000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    await queryRunner.query(`
      -- The ids of erased accounts. A restore of an older backup erases them again.
      CREATE TABLE ${schema}.erasures (
        account_id uuid NOT NULL,
        erased_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT erasures_pkey PRIMARY KEY (account_id)
      );

      -- An erasure is one thing, whoever deletes the row.
      CREATE FUNCTION ${schema}.erase_accounts() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM ${schema}.logins l USING old_rows o WHERE l.email = o.email AND l.account_id = o.id;
        INSERT INTO ${schema}.erasures (account_id) SELECT id FROM old_rows ON CONFLICT DO NOTHING;
        RETURN NULL;
      END $$;
      CREATE TRIGGER accounts_erased AFTER DELETE ON ${schema}.accounts REFERENCING OLD TABLE AS old_rows
        FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.erase_accounts();

      -- The codes that SIGNUPS=invite takes, as SHA-256.
      CREATE TABLE ${schema}.invites (
        code_hash bytea NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3) NOT NULL,
        uses_left integer NOT NULL,
        CONSTRAINT invites_pkey PRIMARY KEY (code_hash)
      );

      -- A load of data from elsewhere brings these rows too. The triggers of the records make them again.
      CREATE FUNCTION ${schema}.skip_loaded_row() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;`);
    for (const table of KEPT_BY_TRIGGERS) {
      await queryRunner.query(`
        CREATE TRIGGER ${table}_loaded BEFORE INSERT ON ${schema}.${table} FOR EACH ROW
          WHEN (pg_trigger_depth() = 0) EXECUTE FUNCTION ${schema}.skip_loaded_row()`);
    }
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    for (const table of KEPT_BY_TRIGGERS)
      await queryRunner.query(`DROP TRIGGER ${table}_loaded ON ${schema}.${table}`);
    await queryRunner.query(`
      DROP FUNCTION ${schema}.skip_loaded_row();
      DROP TABLE ${schema}.invites;
      DROP TRIGGER accounts_erased ON ${schema}.accounts;
      DROP FUNCTION ${schema}.erase_accounts();
      DROP TABLE ${schema}.erasures;`);
  }
}
