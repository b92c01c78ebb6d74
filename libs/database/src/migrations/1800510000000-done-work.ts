import type { MigrationInterface, QueryRunner } from 'typeorm';
import { placeV1 } from './owned-table-v1';

/** When a backup, a list of erasures and a rehearsal were last done, for the metrics. */
export class DoneWork1800510000000 implements MigrationInterface {
  readonly name = 'DoneWork1800510000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    await queryRunner.query(`CREATE TABLE ${schema}.done_work (
      name text NOT NULL, done_at timestamptz(3) NOT NULL, CONSTRAINT done_work_pkey PRIMARY KEY (name))`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    await queryRunner.query(`DROP TABLE ${schema}.done_work`);
  }
}
