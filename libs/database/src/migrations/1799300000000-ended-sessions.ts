import type { MigrationInterface, QueryRunner } from 'typeorm';
import { partitionsV1, placeV1 } from './owned-table-v1';

/** Sessions that ended a moment ago, whose access tokens have not expired yet. */
export class EndedSessions1799300000000 implements MigrationInterface {
  readonly name = 'EndedSessions1799300000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const { schema, partitions } = await placeV1(queryRunner);
    await queryRunner.query(`
      CREATE TABLE ${schema}.ended_sessions (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        ended_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT ended_sessions_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT ended_sessions_account_fkey FOREIGN KEY (account_id) REFERENCES ${schema}.accounts (id) ON DELETE CASCADE
      )${partitionsV1(`${schema}.ended_sessions`, partitions)}
      CREATE INDEX ended_sessions_expiry ON ${schema}.ended_sessions (ended_at);`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    await queryRunner.query(`DROP TABLE ${schema}.ended_sessions`);
  }
}
