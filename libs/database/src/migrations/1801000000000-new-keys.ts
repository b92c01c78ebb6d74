import type { MigrationInterface, QueryRunner } from 'typeorm';
import { partitionsV1, placeV1 } from './owned-table-v1';
import { triggerFunctionV1 } from './record-triggers-v1';

const DOSES = { name: 'doses', kind: 'dose', revised: false, clientBytes: ['proof'] } as const;

/**
 * What the devices of an account trust: one sealed text, and no record, so it is in no feed and no quota. And a new
 * proof of a dose is a change that the feed tells: all keys of its account were replaced.
 */
export class NewKeys1801000000000 implements MigrationInterface {
  readonly name = 'NewKeys1801000000000';

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
      )${partitionsV1(`${schema}.trust_books`, partitions)}
      ${triggerFunctionV1({ ...DOSES, changing: 'proof' }, schema)}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    await queryRunner.query(`
      DROP TABLE ${schema}.trust_books;
      ${triggerFunctionV1(DOSES, schema)}`);
  }
}
