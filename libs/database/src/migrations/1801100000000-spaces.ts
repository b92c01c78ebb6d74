import type { MigrationInterface, QueryRunner } from 'typeorm';
import { partitionsV1, placeV1 } from './owned-table-v1';

const RECORDS = ['profiles', 'medications', 'doses', 'appointments', 'health_stats'];

/** By name: columns after `account_id`, the rest of the primary key, and what the rows hang under. */
const TABLES: [name: string, parent: 'accounts' | 'spaces', key: string, columns: string][] = [
  [
    'spaces',
    'accounts',
    '',
    `profile_id uuid NOT NULL,
    roster_version integer NOT NULL,
    keeper_id uuid NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()`,
  ],
  [
    'space_members',
    'spaces',
    'member_id',
    `member_id uuid NOT NULL,
    role text NOT NULL,
    sharing_public text NOT NULL,
    wrap text,
    wrap_from uuid,
    wrap_roster integer,
    joined_at timestamptz(3) NOT NULL DEFAULT now()`,
  ],
  [
    'space_rosters',
    'spaces',
    'version',
    `version integer NOT NULL,
    roster text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()`,
  ],
  [
    'space_invitations',
    'spaces',
    'id',
    `id uuid NOT NULL,
    role text NOT NULL,
    proof_hash bytea NOT NULL,
    offer text NOT NULL,
    created_by uuid NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now(),
    expires_at timestamptz(3) NOT NULL,
    accepted_by uuid,
    accepted_at timestamptz(3),
    acceptance text`,
  ],
  [
    'memberships',
    'accounts',
    'space_id',
    `space_id uuid NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()`,
  ],
  [
    'account_keys',
    'accounts',
    '',
    `sharing_public text NOT NULL,
    signing_public text NOT NULL,
    wrapped text NOT NULL,
    wrapped_iv text NOT NULL,
    created_at timestamptz(3) NOT NULL DEFAULT now()`,
  ],
];

/**
 * Profiles that several accounts share. A space is a row of `accounts` without a login, so every record of it is one of
 * an account; `author_id` says which member has written it.
 */
export class Spaces1801100000000 implements MigrationInterface {
  readonly name = 'Spaces1801100000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const { schema, partitions } = await placeV1(queryRunner);
    const tables = TABLES.map(([name, parent, key, columns]) => {
      const referenced = parent === 'accounts' ? 'accounts (id)' : 'spaces (account_id)';
      return `CREATE TABLE ${schema}.${name} (
        account_id uuid NOT NULL,
        ${columns},
        CONSTRAINT ${name}_pkey PRIMARY KEY (account_id${key && `, ${key}`}),
        CONSTRAINT ${name}_${parent.slice(0, -1)}_fkey FOREIGN KEY (account_id) REFERENCES ${schema}.${referenced} ON DELETE CASCADE
      )${partitionsV1(`${schema}.${name}`, partitions)}`;
    });
    // A table can have the column already: see `addAuthors`.
    const authors = RECORDS.map(
      (name) => `ALTER TABLE ${schema}.${name} ADD COLUMN IF NOT EXISTS author_id uuid;`,
    );
    await queryRunner.query([...tables, ...authors].join('\n'));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    const authors = RECORDS.map((name) => `ALTER TABLE ${schema}.${name} DROP COLUMN author_id;`);
    const tables = TABLES.toReversed().map(([name]) => `DROP TABLE ${schema}.${name};`);
    await queryRunner.query([...authors, ...tables].join('\n'));
  }
}
