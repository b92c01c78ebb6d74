import type { MigrationInterface, QueryRunner } from 'typeorm';
import { placeV1 } from './owned-table-v1';

/** Refusals of one kind from one network are one event by the hour, with a count. */
export class EventCounts1799400000000 implements MigrationInterface {
  readonly name = 'EventCounts1799400000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    await queryRunner.query(
      `ALTER TABLE ${schema}.security_events ADD COLUMN count integer NOT NULL DEFAULT 1`,
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    await queryRunner.query(`ALTER TABLE ${schema}.security_events DROP COLUMN count`);
  }
}
