import type { MigrationInterface, QueryRunner } from 'typeorm';
import { placeV1 } from './owned-table-v1';

/** Decoys of recovery-info have one shape for ever, so none is kept. */
export class FixedDecoys1798100000000 implements MigrationInterface {
  readonly name = 'FixedDecoys1798100000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    await queryRunner.query(`DROP TABLE ${schema}.decoy_shapes`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    await queryRunner.query(`
      CREATE TABLE ${schema}.decoy_shapes (
        name text NOT NULL,
        wrap_encoding text NOT NULL,
        wrap_bytes integer NOT NULL,
        iv_encoding text NOT NULL,
        iv_bytes integer NOT NULL,
        CONSTRAINT decoy_shapes_pkey PRIMARY KEY (name)
      )`);
  }
}
