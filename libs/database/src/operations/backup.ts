import { createHash, type Hash } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { newClient } from '../connection/current-client';
import type { PostgresOptions } from '../connection/data-source-options';
import {
  BackupError,
  type BackupManifest,
  type BackupTable,
  makeManifest,
  manifestPath,
  tablePath,
} from './backup-manifest';
import { unlimitedConfig } from './migrator';
import { counting, passing, Progress } from './progress';

/**
 * Tables that a backup omits. Rate limits expire within a day, a restore runs the migrations itself, and what it makes has
 * no backup yet.
 */
const LEFT_OUT = ['migrations', 'rate_limits', 'done_work'];

/** Every table of the service and of added modules, with its columns and the tables to which it refers. */
const FIND_TABLES = `
  SELECT c.relname AS name, c.oid::regclass::text AS full_name,
      coalesce((SELECT sum(pg_table_size(p.relid)) FROM pg_partition_tree(c.oid) p), pg_table_size(c.oid))::float8 AS bytes,
      array_agg(quote_ident(a.attname) ORDER BY a.attnum) AS columns,
      ARRAY(SELECT p.relname::text FROM pg_constraint k JOIN pg_class p ON p.oid = k.confrelid
        WHERE k.conrelid = c.oid AND k.contype = 'f' AND k.confrelid <> c.oid) AS parents
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
    WHERE c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = 'accounts'::regclass)
      AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> ALL ($1)
      AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    GROUP BY c.oid ORDER BY c.relname`;

interface FoundTable {
  name: string;
  full_name: string;
  /** With its partitions. */
  bytes: number;
  columns: string[];
  parents: string[];
}

/**
 * Writes the tables of a database into a new folder, all of them as of one instant. The service may run
 * meanwhile. It needs no program of PostgreSQL, and every version reads the result.
 *
 * Security: the folder holds what the service can see. Only its owner can read it.
 *
 * @param only the names of the tables; all by default. @param log gets how far it is, every few seconds.
 * @throws BackupError if the folder exists, or for an empty database.
 */
export async function backUp(
  options: PostgresOptions,
  folder: string,
  only?: readonly string[],
  log: (line: string) => void = () => undefined,
): Promise<BackupManifest> {
  if (existsSync(folder)) throw new BackupError(`${folder} exists already: name a new folder.`);
  const draft = `${folder}.part`;
  await makeDraft(draft);
  const client = newClient(unlimitedConfig(options));
  client.on('error', () => undefined); // Without a listener, Node would end the process. The statements fail too.
  try {
    await client.connect();
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const found = await findTables(client);
    const tables: BackupTable[] = [];
    const wanted = found.filter(({ name }) => only?.includes(name) ?? true);
    const progress = new Progress(
      'Saved',
      wanted.reduce((sum, { bytes }) => sum + bytes, 0),
      log,
    );
    for (const table of wanted) tables.push(await copyOut(client, table, draft, progress));
    const manifest = makeManifest({ ...(await stateOf(client, found)), tables });
    await writeFile(manifestPath(draft), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    await rename(draft, folder);
    return manifest;
  } finally {
    await client.end();
    await rm(draft, { recursive: true, force: true });
  }
}

/** @throws BackupError if the folder cannot be made. */
async function makeDraft(draft: string): Promise<void> {
  try {
    await rm(draft, { recursive: true, force: true });
    await makeFolder(draft);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new BackupError(`The folder ${draft} cannot be made (${code}): nothing was saved.`);
  }
}

/** With its parents. Node's own `recursive` tries for ever where a folder can have no children, as in `/proc`. */
async function makeFolder(folder: string): Promise<void> {
  const make = () => mkdir(folder, { mode: 0o700 });
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || existsSync(dirname(folder))) throw error;
    await makeFolder(dirname(folder));
    await make();
  });
}

/** Parents before children. */
async function findTables(client: Client): Promise<FoundTable[]> {
  const [{ exists }] = (
    await client.query<{ exists: boolean }>(`SELECT to_regclass('accounts') IS NOT NULL AS exists`)
  ).rows;
  if (!exists) throw new BackupError('The database is empty: there is nothing to back up.');
  const { rows } = await client.query<FoundTable>(FIND_TABLES, [LEFT_OUT]);
  const ordered = new Set<FoundTable>();
  const add = (table: FoundTable) => {
    if (ordered.has(table)) return;
    for (const parent of table.parents) {
      const found = rows.find(({ name }) => name === parent);
      if (found) add(found);
    }
    ordered.add(table);
  };
  rows.forEach(add);
  return [...ordered];
}

async function stateOf(
  client: Client,
  tables: FoundTable[],
): Promise<Pick<BackupManifest, 'epoch' | 'migrations'>> {
  const { rows: migrations } = await client.query<{ name: string }>(
    'SELECT name FROM migrations ORDER BY id',
  );
  const hasEpochs = tables.some(({ name }) => name === 'epochs');
  const { rows: epochs } = hasEpochs
    ? await client.query<{ id: string }>('SELECT id FROM epochs ORDER BY started_at DESC, id LIMIT 1')
    : { rows: [] };
  return { epoch: epochs[0]?.id ?? null, migrations: migrations.map(({ name }) => name) };
}

async function copyOut(
  client: Client,
  table: FoundTable,
  folder: string,
  progress: Progress,
): Promise<BackupTable> {
  const { name, columns } = table;
  // A partitioned table can be copied by a query only.
  const source = client.query(
    copyTo(`COPY (SELECT ${columns.join(', ')} FROM ${table.full_name}) TO STDOUT`),
  );
  const hash = createHash('sha256');
  const file = createWriteStream(tablePath(folder, table), { mode: 0o600, flush: true });
  // The text of a row and its room in the table differ: a table counts as what it takes, and no more.
  let left = table.bytes;
  const count = (bytes: number) => {
    progress.add(Math.min(bytes, left));
    left = Math.max(0, left - bytes);
  };
  await pipeline(source, counting(count), createGzip(), hashing(hash), file);
  progress.add(left);
  return { name, columns, rows: source.rowCount, sha256: hash.digest('hex') };
}

function hashing(hash: Hash): Transform {
  return passing((chunk) => void hash.update(chunk));
}
