import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { ROOT } from './processes.mjs';

/**
 * The service's own embedded PostgreSQL, with its defaults: fsync and synchronous commit are on, as in production.
 *
 * @param kept a folder that outlives the run; without one the data are gone when it stops.
 */
export async function startPostgres(settings = {}, kept = undefined) {
  const { EmbeddedPostgres } = createRequire(import.meta.url)(join(ROOT, 'dist/libs/database/src/index.js'));
  const dataDir = kept ?? mkdtempSync(join(tmpdir(), 'hrs-bench-'));
  const postgres = await EmbeddedPostgres.start({ dataDir, password: 'bench', settings });
  // The service's role is no superuser, and the stage ends with a checkpoint.
  await withClient(postgres.urlOf('postgres'), (client) =>
    client.query(`GRANT pg_checkpoint TO ${new URL(postgres.url).username}`),
  );
  return {
    url: postgres.url,
    urlOf: (database) => postgres.urlOf(database),
    createDatabase: (name) =>
      withClient(postgres.urlOf('postgres'), (client) => client.query(`CREATE DATABASE ${name}`)),
    dataDir,
    stop: async () => {
      await postgres.stop();
      if (!kept) removeDataDir(dataDir);
    },
  };
}

/** As root the cluster may be elsewhere, behind a link. */
export function removeDataDir(dataDir) {
  for (const folder of [realpathSync(join(dataDir, 'postgres')), dataDir])
    rmSync(folder, { recursive: true, maxRetries: 5 });
}

/** Runs `work` on a connection of its own. */
export async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
