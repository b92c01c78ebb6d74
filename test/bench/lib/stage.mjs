import { randomBytes, randomUUID } from 'node:crypto';
import { withClient } from './postgres.mjs';
import { accessTokenOf, refreshTokenOf } from './tokens.mjs';

/** Who the requests come from. Many accounts, as in production: no limit of one account and no lock on one is measured. */
export const SIZES = {
  /** Accounts with 20 records each. */
  readers: 400,
  /** Accounts with 1,000 records each. */
  collectors: 20,
  /** Accounts whose records are created and changed. */
  writers: 512,
  /** Accounts with 10 years of doses, four a day, of one medication: so many that none reaches its general limit. */
  takers: 100,
  /** The same, of a medication entered today: all these doses were brought along. */
  newcomers: 100,
  /** Accounts with a password. */
  people: 32,
};
const DOSES_PER_DAY = 4;
const DOSE_DAYS = 3653;

/** A blob as the reference client sends it: nearly every record is padded to 256 bytes; tag and IV come on top. */
export function aBlob() {
  return { ciphertext: randomBytes(272).toString('base64'), iv: randomBytes(12).toString('base64') };
}

/** Fills the service's database. @returns who is there: ids, and a token for each account. */
export async function setStage(databaseUrl, serviceUrl) {
  const stage = await withClient(databaseUrl, async (client) => {
    const readers = await accounts(client, SIZES.readers);
    const collectors = await accounts(client, SIZES.collectors);
    const writers = await accounts(client, SIZES.writers);
    const takers = await accounts(client, SIZES.takers);
    const newcomers = await accounts(client, SIZES.newcomers);
    for (const reader of readers) await healthStats(client, reader, 20);
    for (const collector of collectors) await healthStats(client, collector, 1000);
    for (const writer of writers) await healthStats(client, writer, 1);
    await medications(client, [...writers, ...takers], DOSE_DAYS);
    await medications(client, newcomers, 0);
    for (const account of [...takers, ...newcomers]) await doses(client, account);
    await client.query('VACUUM ANALYZE');
    await client.query('CHECKPOINT');
    return { readers, collectors, writers, takers, newcomers };
  });
  return {
    ...stage,
    people: await people(serviceUrl),
    renewSessions: () => withClient(databaseUrl, (client) => renewSessions(client, stage.writers)),
  };
}

/** A space of one owner, with a profile and as many records as there are ids. */
export async function addSpace(client, { id, memberId, profileId = randomUUID(), statIds = [] }) {
  await client.query(
    `INSERT INTO accounts (id, email, password_hash, wrapped_dek, wrapped_dek_iv, recovery_wrapped_dek, recovery_wrapped_dek_iv)
      VALUES ($1, '', '', '', '', '', '')`,
    [id],
  );
  await client.query(
    `INSERT INTO profiles (account_id, id, kind, relationship, wrapped_profile_dek, wrapped_profile_dek_iv, name_data, name_iv)
      VALUES ($1, $2, 'human', 'self', '', '', '""', '')`,
    [id, profileId],
  );
  await client.query(
    'INSERT INTO spaces (account_id, profile_id, roster_version, keeper_id) VALUES ($1, $2, 1, $3)',
    [id, profileId, memberId],
  );
  await client.query(
    `INSERT INTO space_members (account_id, member_id, role, sharing_public) VALUES ($1, $2, 'owner', 'key')`,
    [id, memberId],
  );
  await client.query(
    `INSERT INTO health_stats (account_id, id, profile_id, encrypted_data, author_id)
      SELECT $1, id, $2, blob, $5 FROM unnest($3::uuid[], $4::text[]) s (id, blob)`,
    [id, profileId, statIds, statIds.map(() => JSON.stringify(aBlob())), memberId],
  );
}

/** Gives each account one session. @returns its refresh tokens. */
async function renewSessions(client, list) {
  const sessions = list.map(({ id, sessionId }) => ({
    accountId: id,
    sessionId,
    ...refreshTokenOf(id, sessionId),
  }));
  const column = (field) => sessions.map((session) => session[field]);
  await client.query('DELETE FROM sessions WHERE account_id = ANY ($1)', [column('accountId')]);
  await client.query(
    `INSERT INTO sessions (account_id, id, token_hash)
      SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::bytea[]) s`,
    [column('accountId'), column('sessionId'), column('hash')],
  );
  return column('token');
}

async function accounts(client, count) {
  const list = Array.from({ length: count }, () => {
    const [id, sessionId] = [randomUUID(), randomUUID()];
    return {
      id,
      sessionId,
      profileId: randomUUID(),
      medicationId: randomUUID(),
      statIds: [],
      token: accessTokenOf(id, sessionId),
    };
  });
  const ids = list.map(({ id }) => id);
  await client.query(
    `INSERT INTO accounts (id, email, password_hash, wrapped_dek, wrapped_dek_iv, recovery_wrapped_dek, recovery_wrapped_dek_iv)
      SELECT id, id || '@example.org', 'none', 'wrapped', 'iv', 'wrapped', 'iv' FROM unnest($1::uuid[]) id`,
    [ids],
  );
  await client.query(
    `INSERT INTO profiles (account_id, id, kind, relationship, wrapped_profile_dek, wrapped_profile_dek_iv, name_data, name_iv)
      SELECT account_id, id, 'human', 'self', 'wrapped', 'iv', '""', '' FROM unnest($1::uuid[], $2::uuid[]) p (account_id, id)`,
    [ids, list.map(({ profileId }) => profileId)],
  );
  await renewSessions(client, list);
  return list;
}

async function healthStats(client, account, count) {
  account.statIds = Array.from({ length: count }, () => randomUUID());
  const blobs = account.statIds.map(() => JSON.stringify(aBlob()));
  await client.query(
    `INSERT INTO health_stats (account_id, id, profile_id, encrypted_data, recorded_at)
      SELECT $1, id, $2, blob, now() - n * interval '1 day' - n * interval '1.234 seconds'
      FROM unnest($3::uuid[], $4::text[]) WITH ORDINALITY s (id, blob, n)`,
    [account.id, account.profileId, account.statIds, blobs],
  );
}

async function medications(client, list, daysAgo) {
  await client.query(
    `INSERT INTO medications (account_id, id, profile_id, route, encrypted_data, dose_schedule, created_at)
      SELECT account_id, id, profile_id, 'oral', $4, '{"times_per_day":${DOSES_PER_DAY}}', now() - interval '${daysAgo} days'
      FROM unnest($1::uuid[], $2::uuid[], $3::uuid[]) m (account_id, id, profile_id)`,
    [
      list.map(({ id }) => id),
      list.map(({ medicationId }) => medicationId),
      list.map(({ profileId }) => profileId),
      JSON.stringify(aBlob()),
    ],
  );
}

async function doses(client, account) {
  await client.query(
    `INSERT INTO doses (account_id, id, medication_id, taken, logged_at)
      SELECT $1, gen_random_uuid(), $2, random() < 0.9, now() - n * interval '${24 / DOSES_PER_DAY} hours' - random() * interval '2 hours'
      FROM generate_series(1, ${DOSES_PER_DAY * DOSE_DAYS}) n`,
    [account.id, account.medicationId],
  );
}

/** Accounts that really registered, with the hash cost of production. */
async function people(serviceUrl) {
  const list = [];
  for (let number = 0; number < SIZES.people; number++) {
    const email = `person${number}@example.org`;
    const password = randomBytes(32).toString('base64');
    const response = await fetch(`${serviceUrl}/api/auth/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        email,
        password,
        wrapped_dek: 'wrapped',
        wrapped_dek_iv: 'iv',
        recovery_wrapped_dek: 'wrapped',
        recovery_wrapped_dek_iv: 'iv',
      }),
    });
    if (response.status !== 201)
      throw new Error(`register answered ${response.status}: ${await response.text()}`);
    list.push({ email, password });
  }
  return list;
}
