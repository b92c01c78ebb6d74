import type { MigrationInterface, QueryRunner } from 'typeorm';
import { partitionsV1, placeV1 } from './owned-table-v1';

/** What the devices of an account trust. One sealed text, and no record: it is in no feed and no quota. */
export class TrustBooks1801000000000 implements MigrationInterface {
  readonly name = 'TrustBooks1801000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const { schema, partitions } = await placeV1(queryRunner);
    await queryRunner.query(`
      CREATE TABLE ${schema}.trust_books (
        account_id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        encrypted_data text NOT NULL,
        CONSTRAINT trust_books_pkey PRIMARY KEY (account_id),
        CONSTRAINT trust_books_account_fkey FOREIGN KEY (account_id) REFERENCES ${schema}.accounts (id) ON DELETE CASCADE
      )${partitionsV1(`${schema}.trust_books`, partitions)}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    await queryRunner.query(`DROP TABLE ${schema}.trust_books`);
  }
}
