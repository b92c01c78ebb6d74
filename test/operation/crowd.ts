import { aRecord, columnsOf, idFieldOf, type KindUnderTest, SERVICE_KINDS } from '@app/testing';
import type { TestService } from '../support/service';
import { aHousehold } from '../support/record-kinds';
import { sql } from '../support/databases';

const ACCOUNTS = 1000;
/** Records of each kind for each of its parents, where it is not 3. */
const PER_PARENT: Record<string, number> = { medication: 2, dose: 8, 'health statistic': 5 };
/** Columns by which a list can be filtered: rows with one value only would hide what an index is for. */
const VARIED: Record<string, string> = {
  status: `(ARRAY['scheduled', 'completed', 'cancelled', 'missed'])[1 + n % 4]`,
};

/** `per` rows of each account, in the order of time: one of each in turn, as a service in use writes them. */
const each = (per: number) => `accounts a, generate_series(1, ${per}) n WHERE n <= ${per}`;
const age = (days: number) => `now() - random() * interval '${days} days'`;
/** Every fourth create was sent with a key. */
const KEY = 'CASE WHEN random() < 0.25 THEN uuid_send(gen_random_uuid()) END';

const ACCOUNTS_AND_SESSIONS = [
  `INSERT INTO accounts (id, email, password_hash, wrapped_dek, wrapped_dek_iv, recovery_wrapped_dek, recovery_wrapped_dek_iv)
    SELECT gen_random_uuid(), n || '@example.org', '$hash', 'wrapped', 'iv', 'AAAA', 'AAAA' FROM generate_series(1, ${ACCOUNTS}) n`,
  `INSERT INTO logins SELECT email, id, 'pbkdf2-sha256', 600000, 'salt' FROM accounts WHERE email LIKE '%@example.org'
    ON CONFLICT DO NOTHING`,
  `INSERT INTO sessions (account_id, id, token_hash, created_at, last_used_at)
    SELECT a.id, gen_random_uuid(), '\\x00', ${age(150)}, ${age(29)} FROM ${each(2)}`,
  `INSERT INTO known_addresses SELECT a.id, uuid_send(gen_random_uuid()), ${age(29)} FROM ${each(2)}`,
  `INSERT INTO device_tokens SELECT a.id, uuid_send(gen_random_uuid()), ${age(179)} FROM ${each(2)}`,
  `INSERT INTO passkeys (account_id, id, credential_id, public_key, counter, transports, backed_up, label)
    SELECT a.id, gen_random_uuid(), uuid_send(gen_random_uuid()), '\\x00', 0, '', true, 'a phone' FROM ${each(2)}`,
  `INSERT INTO trust_books (account_id, encrypted_data) SELECT a.id, '{"iv":"x"}' FROM ${each(1)}`,
  `INSERT INTO totp_factors (account_id, secret, last_step) SELECT a.id, '\\x00', 0 FROM ${each(1)}`,
  `INSERT INTO push_subscriptions (account_id, id, session_id, endpoint, p256dh, auth, label)
    SELECT s.account_id, gen_random_uuid(), s.id, 'https://127.0.0.1:9/', '', '', 'a phone' FROM sessions s`,
  `INSERT INTO reminders (account_id, id, subscription_id, slot_id, text, due_at, delay_minutes, time_zone, nag_minutes,
      nag_times, message_at, send_at, sent, is_closing)
    SELECT p.account_id, gen_random_uuid(), p.id, gen_random_uuid(), 'x', due, 0, 'UTC', 0, 0, due, due, 0, false
    FROM push_subscriptions p, generate_series(1, 10) n, LATERAL (SELECT now() + random() * interval '20 days' AS due) d`,
  `INSERT INTO spaces (account_id, profile_id, roster_version, keeper_id) SELECT a.id, a.id, 1, a.id FROM ${each(1)}`,
  `INSERT INTO space_members (account_id, member_id, role, sharing_public)
    SELECT a.id, gen_random_uuid(), 'viewer', repeat('x', 1624) FROM ${each(4)}`,
  `INSERT INTO space_rosters (account_id, version, roster) SELECT a.id, n, repeat('x', 1000) FROM ${each(4)}`,
  `INSERT INTO space_invitations (account_id, id, role, proof_hash, offer, created_by, expires_at)
    SELECT a.id, gen_random_uuid(), 'viewer', '\\x00', 'x', a.id, now() + interval '1 day' FROM ${each(2)}`,
  `INSERT INTO memberships (account_id, space_id) SELECT a.id, gen_random_uuid() FROM ${each(3)}`,
  `INSERT INTO account_keys (account_id, sharing_public, signing_public, wrapped, wrapped_iv)
    SELECT a.id, repeat('x', 1624), '', '', '' FROM ${each(1)}`,
  `INSERT INTO security_events (account_id, id, kind, created_at)
    SELECT a.id, gen_random_uuid(), 'login', ${age(179)} FROM ${each(5)}`,
  `INSERT INTO rate_limits SELECT gen_random_uuid(), 1, extract(epoch FROM now()) * 1000 + n FROM ${each(1)}`,
];

/** Fills a database with so many accounts and records that it matters to PostgreSQL how it finds one. */
export async function fillWithCrowd({ api, databaseUrl }: TestService): Promise<void> {
  for (const statement of ACCOUNTS_AND_SESSIONS) await sql(databaseUrl, statement);
  const household = await aHousehold(api);
  for (const kind of SERVICE_KINDS) {
    const { [idFieldOf(kind)]: sample } = await aRecord(api, kind, household);
    await multiply(databaseUrl, kind, sample as string);
  }
  await sql(databaseUrl, 'VACUUM ANALYZE');
}

/** Copies a record of the kind under every parent that there is: whatever columns its table has. */
async function multiply(databaseUrl: string, kind: KindUnderTest, sample: string): Promise<void> {
  const { under, table, parentField = 'profile_id' } = kind;
  const parents = under === undefined ? 'accounts' : SERVICE_KINDS.find(({ name }) => name === under)!.table;
  const values: Record<string, string> = {
    ...VARIED,
    account_id: under === undefined ? 'p.id' : 'p.account_id',
    id: 'gen_random_uuid()',
    ...(under === undefined ? {} : { [parentField]: 'p.id' }),
    [kind.orderColumn]: age(300),
    created_at: age(300),
    idempotency_key: KEY,
  };
  const columns = await columnsOf(databaseUrl, table);
  const selected = columns.map((column) => values[column] ?? `s.${column}`);
  await sql(
    databaseUrl,
    `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${selected.join(', ')}
      FROM ${parents} p, generate_series(1, ${PER_PARENT[kind.name] ?? 3}) n, (SELECT * FROM ${table} WHERE id = $1) s`,
    [sample],
  );
}
