import { sql } from '../support/databases';

const ACCOUNTS = 4000;

/** `per` rows of each account, in the order of time: one of each in turn, as a service in use writes them. */
const each = (per: number) => `accounts a, generate_series(1, ${per}) n WHERE n <= ${per}`;
const age = (days: number) => `now() - random() * interval '${days} days'`;
/** Every fourth create was sent with a key. */
const KEY = 'CASE WHEN random() < 0.25 THEN uuid_send(gen_random_uuid()) END';
const BLOB = `repeat('x', 400)`;

const FILL = [
  `INSERT INTO accounts (id, email, password_hash, wrapped_dek, wrapped_dek_iv, recovery_wrapped_dek, recovery_wrapped_dek_iv)
    SELECT gen_random_uuid(), n || '@example.org', '$hash', 'wrapped', 'iv', 'wrapped', 'iv' FROM generate_series(1, ${ACCOUNTS}) n`,
  `INSERT INTO logins SELECT email, id, 'pbkdf2-sha256', 600000, 'salt' FROM accounts`,
  `INSERT INTO sessions (account_id, id, token_hash, created_at, last_used_at)
    SELECT a.id, gen_random_uuid(), '\\x00', ${age(150)}, ${age(29)} FROM ${each(2)}`,
  `INSERT INTO known_addresses SELECT a.id, uuid_send(gen_random_uuid()), ${age(29)} FROM ${each(2)}`,
  `INSERT INTO security_events (account_id, id, kind, created_at)
    SELECT a.id, gen_random_uuid(), 'login', ${age(179)} FROM ${each(5)}`,
  `INSERT INTO rate_limits SELECT gen_random_uuid(), 1, extract(epoch FROM now()) * 1000 + n FROM ${each(1)}`,
  `INSERT INTO profiles (account_id, id, created_at, idempotency_key, kind, relationship, wrapped_profile_dek, wrapped_profile_dek_iv, name_data, name_iv)
    SELECT a.id, gen_random_uuid(), ${age(300)}, ${KEY}, 'human', 'self', 'wrapped', 'iv', ${BLOB}, 'iv' FROM ${each(3)}`,
  ...Object.entries({
    medications: [2, `route`, `'oral'`],
    appointments: [3, `status`, `(ARRAY['scheduled', 'completed', 'cancelled', 'missed'])[1 + n % 4]`],
    health_stats: [5, `recorded_at`, age(300)],
  }).map(
    ([table, [per, column, value]]) =>
      `INSERT INTO ${table} (account_id, id, profile_id, created_at, idempotency_key, encrypted_data, ${column})
        SELECT p.account_id, gen_random_uuid(), p.id, ${age(300)}, ${KEY}, ${BLOB}, ${value}
        FROM profiles p, generate_series(1, ${per}) n`,
  ),
  `INSERT INTO doses (account_id, id, medication_id, created_at, idempotency_key, taken, logged_at)
    SELECT m.account_id, gen_random_uuid(), m.id, ${age(300)}, ${KEY}, true, ${age(300)}
    FROM medications m, generate_series(1, 8) n`,
  'VACUUM ANALYZE',
];

/** Fills a database with so many accounts and records that it matters to PostgreSQL how it finds one. */
export async function fillWithCrowd(databaseUrl: string): Promise<void> {
  for (const statement of FILL) await sql(databaseUrl, statement);
}
