import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The tables that count against an account's quotas, with the bytes of one row. */
const COUNTED = {
  profiles: 'octet_length(name_data) + octet_length(wrapped_profile_dek)',
  medications: 'octet_length(encrypted_data)',
  doses: '0',
  appointments: 'octet_length(encrypted_data)',
  health_stats: 'octet_length(encrypted_data)',
};

/** Every table that is distributed by account (`logins`: by email); all others are small and whole. */
const DISTRIBUTED = [
  'logins',
  'accounts',
  'sessions',
  'known_addresses',
  'security_events',
  'account_usage',
  ...Object.keys(COUNTED),
];

/** How many hash partitions the database was asked to have; 0 for plain tables. See `DATABASE_PARTITIONS`. */
async function partitionCount(queryRunner: QueryRunner): Promise<number> {
  const rows = (await queryRunner.query(
    "SELECT current_setting('health_records.partitions', true) AS count",
  )) as { count: string | null }[];
  return Number(rows[0].count ?? 0);
}

async function createPartitions(queryRunner: QueryRunner, count: number): Promise<void> {
  for (const table of DISTRIBUTED) {
    for (let remainder = 0; remainder < count; remainder++) {
      await queryRunner.query(
        `CREATE TABLE ${table}_${remainder} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${count}, REMAINDER ${remainder})`,
      );
    }
  }
}

/** Keeps `account_usage` in step with a table, also through cascades: once for each statement, whatever its rows. */
function countUsage(table: string, bytes: string): string {
  return `
    CREATE FUNCTION count_${table}() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP = 'INSERT' THEN
        INSERT INTO account_usage AS u (account_id, records, bytes)
          SELECT account_id, count(*), sum(${bytes}) FROM new_rows GROUP BY account_id
          ON CONFLICT (account_id) DO UPDATE
          SET records = u.records + excluded.records, bytes = u.bytes + excluded.bytes;
      ELSIF TG_OP = 'DELETE' THEN
        UPDATE account_usage u SET records = u.records - gone.records, bytes = u.bytes - gone.bytes
          FROM (SELECT account_id, count(*) AS records, sum(${bytes}) AS bytes FROM old_rows GROUP BY account_id) gone
          WHERE u.account_id = gone.account_id;
      ELSE
        UPDATE account_usage u SET bytes = u.bytes + grown.bytes
          FROM (
            SELECT account_id, sum(bytes) AS bytes FROM (
              SELECT account_id, ${bytes} AS bytes FROM new_rows
              UNION ALL SELECT account_id, -(${bytes}) FROM old_rows
            ) changed GROUP BY account_id
          ) grown
          WHERE u.account_id = grown.account_id AND grown.bytes <> 0;
      END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER ${table}_inserted AFTER INSERT ON ${table} REFERENCING NEW TABLE AS new_rows
      FOR EACH STATEMENT EXECUTE FUNCTION count_${table}();
    CREATE TRIGGER ${table}_deleted AFTER DELETE ON ${table} REFERENCING OLD TABLE AS old_rows
      FOR EACH STATEMENT EXECUTE FUNCTION count_${table}();
    CREATE TRIGGER ${table}_updated AFTER UPDATE ON ${table} REFERENCING NEW TABLE AS new_rows OLD TABLE AS old_rows
      FOR EACH STATEMENT EXECUTE FUNCTION count_${table}();
  `;
}

/**
 * The first schema. Every table under an account begins its primary key with the account's id, and every foreign key
 * carries it: a record under a foreign profile cannot exist, and the tables can be distributed by that one column.
 */
export class Initial1760000000000 implements MigrationInterface {
  readonly name = 'Initial1760000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const partitions = await partitionCount(queryRunner);
    const by = (column: string) => (partitions > 0 ? ` PARTITION BY HASH (${column})` : '');
    await queryRunner.query(`
      CREATE TABLE secret_fingerprints (
        name text NOT NULL,
        fingerprint text NOT NULL,
        CONSTRAINT secret_fingerprints_pkey PRIMARY KEY (name)
      );

      -- The only way in by email. No foreign key: on a sharded database it lives by email, accounts by id.
      CREATE TABLE logins (
        email text NOT NULL,
        account_id uuid NOT NULL,
        kdf text NOT NULL,
        kdf_iterations integer NOT NULL,
        kdf_salt text NOT NULL,
        CONSTRAINT logins_pkey PRIMARY KEY (email)
      )${by('email')};

      CREATE TABLE accounts (
        id uuid NOT NULL,
        email text NOT NULL,
        email_verified boolean NOT NULL DEFAULT false,
        verification_token text,
        verification_expires timestamptz(3),
        password_hash text NOT NULL,
        wrapped_dek text NOT NULL,
        wrapped_dek_iv text NOT NULL,
        recovery_wrapped_dek text NOT NULL,
        recovery_wrapped_dek_iv text NOT NULL,
        recovery_phrase_hash text,
        recovery_enabled boolean NOT NULL DEFAULT false,
        token_version integer NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        CONSTRAINT accounts_pkey PRIMARY KEY (id)
      )${by('id')};

      -- The registry of refresh tokens: one live token for each session.
      CREATE TABLE sessions (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        token_hash bytea NOT NULL,
        last_used_at timestamptz(3) NOT NULL DEFAULT now(),
        device_label text,
        retired jsonb NOT NULL DEFAULT '[]',
        CONSTRAINT sessions_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT sessions_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
      )${by('account_id')};
      CREATE INDEX sessions_expiry ON sessions (last_used_at);
      CREATE INDEX sessions_line_expiry ON sessions (created_at);

      -- Where an account signs in from, as HMACs.
      CREATE TABLE known_addresses (
        account_id uuid NOT NULL,
        address bytea NOT NULL,
        last_login_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT known_addresses_pkey PRIMARY KEY (account_id, address),
        CONSTRAINT known_addresses_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
      )${by('account_id')};
      CREATE INDEX known_addresses_expiry ON known_addresses (last_login_at);

      CREATE TABLE security_events (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        kind text NOT NULL,
        origin bytea,
        CONSTRAINT security_events_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT security_events_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
      )${by('account_id')};
      CREATE INDEX security_events_by_age ON security_events (account_id, created_at, id);
      CREATE INDEX security_events_expiry ON security_events (created_at);

      -- What an account stores, kept by triggers, for its quotas.
      CREATE TABLE account_usage (
        account_id uuid NOT NULL,
        records bigint NOT NULL,
        bytes bigint NOT NULL,
        CONSTRAINT account_usage_pkey PRIMARY KEY (account_id),
        CONSTRAINT account_usage_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
      )${by('account_id')};

      -- Counters of the rate limits; columns as rate-limiter-flexible wants them. Lost with a crash, and no loss.
      CREATE UNLOGGED TABLE rate_limits (
        key varchar(255) NOT NULL,
        points integer NOT NULL DEFAULT 0,
        expire bigint,
        CONSTRAINT rate_limits_pkey PRIMARY KEY (key)
      );
      CREATE INDEX rate_limits_expiry ON rate_limits (expire);

      CREATE TABLE profiles (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        idempotency_key bytea,
        idempotency_body bytea,
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        kind text NOT NULL,
        relationship text NOT NULL,
        wrapped_profile_dek text NOT NULL,
        wrapped_profile_dek_iv text NOT NULL,
        name_data text NOT NULL,
        name_iv text NOT NULL,
        CONSTRAINT profiles_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT profiles_account_fkey FOREIGN KEY (account_id) REFERENCES accounts (id) ON DELETE CASCADE
      )${by('account_id')};
      CREATE INDEX profiles_by_age ON profiles (account_id, created_at, id);
      CREATE UNIQUE INDEX profiles_idempotency ON profiles (account_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

      CREATE TABLE medications (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        idempotency_key bytea,
        idempotency_body bytea,
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        profile_id uuid NOT NULL,
        route text NOT NULL,
        encrypted_data text NOT NULL,
        dose_schedule text,
        schedule_changed_at timestamptz(3),
        CONSTRAINT medications_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT medications_profile_fkey FOREIGN KEY (account_id, profile_id)
          REFERENCES profiles (account_id, id) ON DELETE CASCADE
      )${by('account_id')};
      CREATE INDEX medications_by_age ON medications (account_id, created_at, id);
      CREATE INDEX medications_of_profile ON medications (account_id, profile_id, created_at, id);
      CREATE UNIQUE INDEX medications_idempotency ON medications (account_id, idempotency_key)
        WHERE idempotency_key IS NOT NULL;

      CREATE TABLE doses (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        idempotency_key bytea,
        idempotency_body bytea,
        medication_id uuid NOT NULL,
        taken boolean NOT NULL,
        logged_at timestamptz(3) NOT NULL,
        CONSTRAINT doses_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT doses_medication_fkey FOREIGN KEY (account_id, medication_id)
          REFERENCES medications (account_id, id) ON DELETE CASCADE
      )${by('account_id')};
      CREATE INDEX doses_of_medication ON doses (account_id, medication_id, logged_at, id, taken);
      CREATE UNIQUE INDEX doses_idempotency ON doses (account_id, idempotency_key) WHERE idempotency_key IS NOT NULL;

      CREATE TABLE appointments (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        idempotency_key bytea,
        idempotency_body bytea,
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        profile_id uuid NOT NULL,
        status text NOT NULL,
        encrypted_data text NOT NULL,
        CONSTRAINT appointments_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT appointments_profile_fkey FOREIGN KEY (account_id, profile_id)
          REFERENCES profiles (account_id, id) ON DELETE CASCADE
      )${by('account_id')};
      CREATE INDEX appointments_by_age ON appointments (account_id, created_at, id);
      CREATE INDEX appointments_of_profile ON appointments (account_id, profile_id, created_at, id);
      CREATE INDEX appointments_by_status ON appointments (account_id, status, created_at, id);
      CREATE UNIQUE INDEX appointments_idempotency ON appointments (account_id, idempotency_key)
        WHERE idempotency_key IS NOT NULL;

      CREATE TABLE health_stats (
        account_id uuid NOT NULL,
        id uuid NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        idempotency_key bytea,
        idempotency_body bytea,
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        revision integer NOT NULL DEFAULT 1,
        profile_id uuid NOT NULL,
        encrypted_data text NOT NULL,
        recorded_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT health_stats_pkey PRIMARY KEY (account_id, id),
        CONSTRAINT health_stats_profile_fkey FOREIGN KEY (account_id, profile_id)
          REFERENCES profiles (account_id, id) ON DELETE CASCADE
      )${by('account_id')};
      CREATE INDEX health_stats_by_time ON health_stats (account_id, recorded_at, id);
      CREATE INDEX health_stats_of_profile ON health_stats (account_id, profile_id, recorded_at, id);
      CREATE UNIQUE INDEX health_stats_idempotency ON health_stats (account_id, idempotency_key)
        WHERE idempotency_key IS NOT NULL;
    `);
    if (partitions > 0) await createPartitions(queryRunner, partitions);
    for (const [table, bytes] of Object.entries(COUNTED)) await queryRunner.query(countUsage(table, bytes));
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    if (((await queryRunner.query('SELECT FROM accounts LIMIT 1')) as object[]).length > 0)
      throw new Error('The first migration drops every table, and there are accounts in them: it stays.');
    await queryRunner.query(`
      DROP TABLE health_stats;
      DROP TABLE appointments;
      DROP TABLE doses;
      DROP TABLE medications;
      DROP TABLE profiles;
      DROP TABLE rate_limits;
      DROP TABLE account_usage;
      DROP TABLE security_events;
      DROP TABLE known_addresses;
      DROP TABLE sessions;
      DROP TABLE accounts, logins;
      DROP TABLE secret_fingerprints;
    `);
    for (const table of Object.keys(COUNTED)) await queryRunner.query(`DROP FUNCTION count_${table}()`);
  }
}
