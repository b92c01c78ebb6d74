/**
 * What the last release without shared profiles asks of the database for the requests of a day, letter by letter. Its processes
 * go on while the first process of the next release migrates, and beside it afterwards. `$1` is the account, `$2` the token version.
 */
const CALLER = '(SELECT true FROM accounts a WHERE a.id = $1 AND a.token_version = $2)';
const GROWN =
  'u.bytes >= 268435456 OR u.bytes >= 16777216 AND u.bytes >= 16777216 + 416.1015873015873 * (SELECT extract(epoch FROM now() - q.created_at)::float8 FROM accounts q WHERE q.id = $1)';
const FULL = `SELECT 1 FROM account_usage u WHERE u.account_id = $1 AND (u.records >= 1000000 OR (${GROWN}))`;
const STAT = 'r.id, r.created_at, r.updated_at, r.revision, r.profile_id, r.encrypted_data, r.recorded_at';
const DOSE = 'r.id, r.created_at, r.medication_id, r.taken, r.logged_at, r.proof';
const EPOCH =
  'SELECT id, (SELECT count(*) FROM epochs) = 1 AS is_first FROM epochs ORDER BY started_at DESC, id LIMIT 1';

/** By what they do. Each is prepared under its name, as the release does it. */
export const BEFORE_SPACES = {
  /** `$3` id, `$4` profile, `$5` blob, `$6` and `$7` digests of the idempotency key and the body. */
  create: `INSERT INTO health_stats AS r (account_id, id, profile_id, encrypted_data, idempotency_key, idempotency_body) SELECT a.id, $3::uuid, $4::uuid, $5::text, $6::bytea, $7::bytea FROM accounts a JOIN profiles p ON p.account_id = a.id AND p.id = $4::uuid WHERE a.id = $1 AND a.token_version = $2 AND NOT EXISTS (${FULL}) ON CONFLICT DO NOTHING RETURNING ${STAT}`,
  /** `$3` id. */
  byId: `SELECT ${STAT} FROM accounts a JOIN health_stats r ON r.account_id = a.id WHERE a.id = $1 AND a.token_version = $2 AND r.id = $3`,
  /** `$3` the most rows, `$4` the most bytes. */
  list: `SELECT ${STAT} FROM health_stats r WHERE r.account_id = $1 AND ${CALLER} ORDER BY r.recorded_at DESC, r.id DESC LIMIT CASE WHEN (SELECT u.bytes + u.records * 200 > $4::bigint FROM account_usage u WHERE u.account_id = $1) AND ($3::bigint > 101 OR (SELECT sum(bytes) FROM (SELECT 200 + coalesce(octet_length(r.encrypted_data), 0) AS bytes FROM health_stats r WHERE r.account_id = $1 AND ${CALLER} ORDER BY r.recorded_at DESC, r.id DESC LIMIT $3::bigint) sized) > $4::bigint) THEN 0 ELSE $3::bigint END`,
  /** `$3` id, `$4` the tags of `If-Match`, `$5` blob. */
  update: `UPDATE health_stats r SET encrypted_data = $5::text, revision = r.revision + 1, updated_at = now() FROM accounts a WHERE a.id = $1 AND a.token_version = $2 AND r.account_id = a.id AND r.id = $3 AND ($4::text[] IS NULL OR EXISTS ( SELECT 1 FROM (${EPOCH}) e WHERE r.revision || '-' || e.id = ANY ($4::text[]) OR (e.is_first AND r.revision::text = ANY ($4::text[])))) AND NOT EXISTS (SELECT 1 FROM account_usage u WHERE u.account_id = $1 AND ((${GROWN}))) RETURNING ${STAT}`,
  /** `$3` id. */
  delete: `DELETE FROM health_stats r USING accounts a WHERE a.id = $1 AND a.token_version = $2 AND r.account_id = a.id AND r.id = $3 RETURNING r.id`,
  /** `$3` id, `$4` medication, `$5` whether it was taken, `$6` when, `$7` its proof. */
  dose: `INSERT INTO doses AS r (account_id, id, medication_id, taken, logged_at, proof) SELECT a.id, $3::uuid, $4::uuid, $5::boolean, $6::timestamp with time zone, $7::text FROM accounts a JOIN medications p ON p.account_id = a.id AND p.id = $4::uuid WHERE a.id = $1 AND a.token_version = $2 AND NOT EXISTS (${FULL}) ON CONFLICT DO NOTHING RETURNING ${DOSE}`,
  /** `$3` and `$4` positions in the feed, `$5` the most rows. */
  feed: `SELECT coalesce(u.last_change, 0) AS last_change, coalesce(u.forgotten_change, 0) AS forgotten_change,
      c.kind, c.record_id, c.position, c.deleted_at IS NOT NULL AS is_deleted, c.bytes
    FROM accounts a
    LEFT JOIN account_usage u ON u.account_id = $1
    LEFT JOIN LATERAL (
      SELECT kind, record_id, position, deleted_at, bytes FROM changes
      WHERE account_id = $1 AND position > $3 AND (deleted_at IS NULL OR position > $4)
      ORDER BY position LIMIT $5
    ) c ON true
    WHERE a.id = $1 AND a.token_version = $2`,
  /** `$3` ids of the feed. */
  states: `SELECT ${STAT} FROM unnest($3::uuid[]) AS wanted (id) JOIN health_stats r ON r.account_id = $1 AND r.id = wanted.id WHERE ${CALLER}`,
} as const;
