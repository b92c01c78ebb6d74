import type { MigrationInterface, QueryRunner } from 'typeorm';
import { partitionsV1, placeV1 } from './owned-table-v1';

/** The passkeys of an account. */
export class Passkeys1800200000000 implements MigrationInterface {
  readonly name = 'Passkeys1800200000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const { schema, partitions } = await placeV1(queryRunner);
    await queryRunner.query(`
      CREATE TABLE ${schema}.passkeys (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        credential_id bytea NOT NULL,
        public_key bytea NOT NULL,
        counter bigint NOT NULL,
        transports text NOT NULL,
        backed_up boolean NOT NULL,
        label text NOT NULL,
        wrapped_dek text,
        wrapped_dek_iv text,
        account_key_id text,
        ticket_at timestamptz(3),
        last_used_at timestamptz(3),
        CONSTRAINT passkeys_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT passkeys_account_fkey FOREIGN KEY (account_id) REFERENCES ${schema}.accounts (id) ON DELETE CASCADE
      )${partitionsV1(`${schema}.passkeys`, partitions)}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    await queryRunner.query(`DROP TABLE ${schema}.passkeys`);
  }
}
