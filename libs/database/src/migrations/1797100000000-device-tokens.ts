import type { MigrationInterface, QueryRunner } from 'typeorm';
import { partitionsV1, placeV1 } from './owned-table-v1';

/** The devices that an account knows, as hashes of their tokens. */
export class DeviceTokens1797100000000 implements MigrationInterface {
  readonly name = 'DeviceTokens1797100000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const { schema, partitions } = await placeV1(queryRunner);
    await queryRunner.query(`
      CREATE TABLE ${schema}.device_tokens (
        account_id uuid NOT NULL,
        token_hash bytea NOT NULL,
        last_used_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT device_tokens_pkey PRIMARY KEY (account_id, token_hash),
        CONSTRAINT device_tokens_account_fkey FOREIGN KEY (account_id) REFERENCES ${schema}.accounts (id) ON DELETE CASCADE
      )${partitionsV1(`${schema}.device_tokens`, partitions)}
      CREATE INDEX device_tokens_expiry ON ${schema}.device_tokens (last_used_at);`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    await queryRunner.query(`DROP TABLE ${schema}.device_tokens`);
  }
}
