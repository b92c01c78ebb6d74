import type { MigrationInterface, QueryRunner } from 'typeorm';

export class OidcLinks1796000000000 implements MigrationInterface {
  readonly name = 'OidcLinks1796000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query(`CREATE TABLE oidc_links (
      identity text NOT NULL,
      account_id uuid NOT NULL,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      CONSTRAINT oidc_links_pkey PRIMARY KEY (identity),
      CONSTRAINT oidc_links_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
    )`);
    await queryRunner.query('CREATE INDEX oidc_links_of_account ON oidc_links (account_id, created_at)');
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.query('DROP TABLE oidc_links');
  }
}
