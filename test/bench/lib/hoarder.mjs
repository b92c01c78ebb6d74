import { withClient } from './postgres.mjs';

const QUOTA_BYTES = 256 * 1024 ** 2;
const BLOB_BYTES = 256 * 1024;

/** Fills an account up to the default quota, with blobs of the largest size. */
export function fillToQuota(databaseUrl, { id, profileId }) {
  return withClient(databaseUrl, (client) =>
    client.query(
      `INSERT INTO health_stats (account_id, id, profile_id, encrypted_data)
        SELECT $1, gen_random_uuid(), $2, '"' || (
          SELECT string_agg(md5(n::text || part::text), '') FROM generate_series(1, ${BLOB_BYTES / 32 - 1}) part) || '"'
        FROM generate_series(1, ${QUOTA_BYTES / BLOB_BYTES}) n`,
      [id, profileId],
    ),
  );
}
