import type { MigrationInterface, QueryRunner } from 'typeorm';
import { partitionsV1, placeV1 } from './owned-table-v1';

/** A second step after the password: whether an account asks for one, and the app whose codes it takes. */
export class SecondStep1800400000000 implements MigrationInterface {
  readonly name = 'SecondStep1800400000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const { schema, partitions } = await placeV1(queryRunner);
    await queryRunner.query(
      `ALTER TABLE ${schema}.accounts ADD COLUMN second_step boolean NOT NULL DEFAULT false`,
    );
    await queryRunner.query(`
      CREATE TABLE ${schema}.totp_factors (
        account_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        secret bytea NOT NULL,
        last_step bigint NOT NULL,
        CONSTRAINT totp_factors_pkey PRIMARY KEY (account_id),
        CONSTRAINT totp_factors_account_fkey FOREIGN KEY (account_id) REFERENCES ${schema}.accounts (id) ON DELETE CASCADE
      )${partitionsV1(`${schema}.totp_factors`, partitions)}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    await queryRunner.query(`DROP TABLE ${schema}.totp_factors`);
    await queryRunner.query(`ALTER TABLE ${schema}.accounts DROP COLUMN second_step`);
  }
}
