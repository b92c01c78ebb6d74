import type { MigrationInterface, QueryRunner } from 'typeorm';
import { placeV1 } from './owned-table-v1';

/** An operator may suspend an account, and hold its erasure. */
export class AccountsInTrouble1800500000000 implements MigrationInterface {
  readonly name = 'AccountsInTrouble1800500000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    await queryRunner.query(`ALTER TABLE ${schema}.accounts ADD COLUMN suspended_at timestamptz(3),
      ADD COLUMN held_at timestamptz(3), ADD COLUMN held_by text, ADD COLUMN held_why text,
      ADD COLUMN erasure_asked_at timestamptz(3)`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    await queryRunner.query(`ALTER TABLE ${schema}.accounts DROP COLUMN suspended_at, DROP COLUMN held_at,
      DROP COLUMN held_by, DROP COLUMN held_why, DROP COLUMN erasure_asked_at`);
  }
}
