import type { MigrationInterface, QueryRunner } from 'typeorm';
import { placeV1 } from './owned-table-v1';

/** When an account will be erased, where the operator lets an erasure wait. */
export class PlannedErasures1800300000000 implements MigrationInterface {
  readonly name = 'PlannedErasures1800300000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    await queryRunner.query(`
      ALTER TABLE ${schema}.accounts ADD COLUMN erase_at timestamptz(3);
      CREATE INDEX accounts_erasures ON ${schema}.accounts (erase_at) WHERE erase_at IS NOT NULL;`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    await queryRunner.query(`ALTER TABLE ${schema}.accounts DROP COLUMN erase_at`);
  }
}
