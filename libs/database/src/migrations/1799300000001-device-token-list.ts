import type { MigrationInterface, QueryRunner } from 'typeorm';
import { placeV1 } from './owned-table-v1';

/** What a person needs to recognise the device of a token: its label, its age and its session. */
export class DeviceTokenList1799300000001 implements MigrationInterface {
  readonly name = 'DeviceTokenList1799300000001';

  async up(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    await queryRunner.query(`ALTER TABLE ${schema}.device_tokens
      ADD COLUMN created_at timestamptz(3) NOT NULL DEFAULT now(),
      ADD COLUMN session_id uuid,
      ADD COLUMN device_label text`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    await queryRunner.query(`ALTER TABLE ${schema}.device_tokens
      DROP COLUMN created_at, DROP COLUMN session_id, DROP COLUMN device_label`);
  }
}
