import { newClient } from '../connection/current-client';
import type { PostgresOptions } from '../connection/data-source-options';
import type { Table } from '../schema/tables';
import { unlimitedConfig } from './migrator';
import { Progress } from './progress';

/** The bytes of all indexes. */
export interface Compacted {
  bytes_before: number;
  bytes_after: number;
}

/** The indexes of tables and of their partitions, with their bytes. */
const INDEXES = `SELECT i.indexrelid::regclass AS name, pg_relation_size(i.indexrelid)::float8 AS bytes, i.indisvalid AS is_valid,
    c.relname ~ '_cc(new|old)[0-9]*$' AS is_draft
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
  WHERE c.relkind = 'i' AND EXISTS (
    SELECT FROM unnest($1::regclass[]) AS known (id) WHERE known.id = i.indrelid
      OR known.id IN (SELECT inhparent FROM pg_inherits WHERE inhrelid = i.indrelid))
  ORDER BY c.relname`;

/**
 * Writes every index anew, one after the other, while the service runs.
 *
 * Rows of many accounts arrive in turn, each at the end of its account's part of an index. PostgreSQL then halves a full page
 * and never fills the first half again, so that these indexes are half empty.
 *
 * @param log gets how far it is.
 * @throws Error of the database; a draft that is left behind goes with the next run.
 */
export async function compact(
  options: PostgresOptions,
  tables: readonly Table[],
  log: (line: string) => void,
): Promise<Compacted> {
  // It waits for transactions that began before, such as a backup.
  const client = newClient({ ...unlimitedConfig(options), lock_timeout: 0 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const indexes = async () => {
      const { rows } = await client.query<{
        name: string;
        bytes: number;
        is_valid: boolean;
        is_draft: boolean;
      }>(INDEXES, [tables.map(({ name }) => name)]);
      const drafts = rows.filter((index) => index.is_draft && !index.is_valid);
      return { drafts, whole: rows.filter((index) => !drafts.includes(index)) };
    };
    const { drafts, whole } = await indexes();
    for (const { name } of drafts) await client.query(`DROP INDEX CONCURRENTLY ${name}`);
    const before = sizeOf(whole);
    const progress = new Progress('Compacted', before, log);
    for (const { name, bytes } of whole) {
      await client.query(`REINDEX INDEX CONCURRENTLY ${name}`);
      progress.add(bytes);
    }
    return { bytes_before: before, bytes_after: sizeOf((await indexes()).whole) };
  } finally {
    await client.end();
  }
}

function sizeOf(indexes: readonly { bytes: number }[]): number {
  return indexes.reduce((sum, { bytes }) => sum + bytes, 0);
}
