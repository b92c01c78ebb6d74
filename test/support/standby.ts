import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EmbeddedPostgres } from '@app/database';
import { Client } from 'pg';

/** Copies a running cluster as a base backup and starts it as a streaming standby of the first. */
export async function startStandby(
  primary: EmbeddedPostgres,
  primaryDir: string,
  standbyDir: string,
  password: string,
): Promise<EmbeddedPostgres> {
  const client = new Client({ connectionString: primary.urlOf('postgres') });
  await client.connect();
  await client.query("SELECT pg_backup_start('standby', true)");
  execFileSync('cp', ['-a', join(primaryDir, 'postgres'), join(standbyDir, 'postgres')]);
  const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop()');
  await client.end();
  const cluster = join(standbyDir, 'postgres');
  for (const name of ['postmaster.pid', 'postmaster.opts']) {
    if (existsSync(join(cluster, name))) rmSync(join(cluster, name));
  }
  writeFileSync(join(cluster, 'backup_label'), rows[0].labelfile, { mode: 0o644 });
  writeFileSync(join(cluster, 'standby.signal'), '');
  // Files made here belong to whoever runs the tests; the server may be another user.
  execFileSync('chown', [
    '--reference',
    cluster,
    join(cluster, 'backup_label'),
    join(cluster, 'standby.signal'),
  ]);
  const { port } = new URL(primary.url);
  return EmbeddedPostgres.start({
    dataDir: standbyDir,
    password,
    settings: { primary_conninfo: `host=127.0.0.1 port=${port} user=postgres password=${password}` },
  });
}
