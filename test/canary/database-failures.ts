import { Client } from 'pg';
import type { Answer, Api, FailureCode } from '@app/testing';
import { sql } from '../support/databases';
import { until } from '../support/until';

/** @throws Error where the request is not refused with one of these. */
export async function refused(codes: FailureCode[], answer: Promise<Answer>): Promise<void> {
  const { body, status, text } = await answer;
  if (!codes.includes(body?.code))
    throw new Error(`Not ${codes.join()} but ${status}: ${text.slice(0, 300)}`);
}

/**
 * Creates that PostgreSQL refuses, breaks off, and ends its session over: in its errors it quotes whole rows, statements
 * and their values.
 */
export async function failInTheDatabase(
  api: Api,
  databaseUrl: string,
  { token, profileId }: { token: string; profileId: string },
  blob: string,
): Promise<void> {
  const body = { profile_id: profileId, status: 'scheduled', encrypted_data: blob };
  const create = () => api.post('/api/appointments', body, { token });
  await sql(databaseUrl, 'ALTER TABLE appointments ADD CONSTRAINT none_at_all CHECK (false) NOT VALID');
  await refused(['internal'], create());
  await sql(databaseUrl, 'ALTER TABLE appointments DROP CONSTRAINT none_at_all');
  for (const [end, code] of [
    ['pg_cancel_backend', 'overloaded'],
    ['pg_terminate_backend', 'database_unavailable'],
  ] as const) {
    const holder = new Client({ connectionString: databaseUrl });
    await holder.connect();
    await holder.query('BEGIN; LOCK appointments IN SHARE MODE');
    const answer = create();
    const text = `SELECT ${end}(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query ILIKE '%insert%'`;
    await until('the create waits', async () => (await sql(databaseUrl, text)).length > 0);
    await refused([code], answer);
    await holder.end();
  }
}
