/**
 * Starts a Citus cluster for tests on free ports of loopback: a coordinator and two workers, in a temporary folder, from
 * the extension that is installed for the PostgreSQL of `pg_config` (or of PG_CONFIG). Prints the URL for TEST_CITUS_URL.
 * Ends, and removes the folder, with Ctrl-C. As root the servers run as the user `postgres`.
 *
 *   node test/operation/citus/start-cluster.mjs
 *   TEST_CITUS_URL=postgres://… npm run test:citus
 *
 * With `--spare` it starts a third worker, which the cluster does not use yet, for rebalance.mjs beside this file.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { query } from './query.mjs';

const PG_CONFIG = process.env.PG_CONFIG ?? 'pg_config';
const WORKERS = 2;
/** A crash may lose the data of a test cluster, so durability is off. */
const SETTINGS = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
shared_preload_libraries = 'citus'
max_connections = 300
max_prepared_transactions = 300
wal_level = logical
max_replication_slots = 60
max_wal_senders = 60
max_worker_processes = 60
max_logical_replication_workers = 40
fsync = off
full_page_writes = off
synchronous_commit = off
citus.node_conninfo = 'sslmode=disable'
citus.enable_stat_counters = on
`;

const hasSpare = process.argv.includes('--spare');

const bin = execFileSync(PG_CONFIG, ['--bindir'], { encoding: 'utf8' }).trim();
const extension = join(
  execFileSync(PG_CONFIG, ['--sharedir'], { encoding: 'utf8' }).trim(),
  'extension/citus.control',
);
if (!existsSync(extension)) {
  console.error(`Citus is not installed for ${bin}: ${extension} is missing. See docs/scaling.md.`);
  process.exit(1);
}
const owner = process.getuid() === 0 ? idsOf('postgres') : {};
const folder = mkdtempSync(join(tmpdir(), 'citus-'));
if (owner.uid) chownSync(folder, owner.uid, owner.gid);
const password = randomBytes(12).toString('hex');
const servers = [];

function idsOf(user) {
  const id = (flag) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function startServer(name) {
  const data = join(folder, name);
  const passwordFile = join(folder, `${name}.password`);
  writeFileSync(passwordFile, password, { mode: 0o644 });
  const options = [
    '-D',
    data,
    '-U',
    'postgres',
    '-A',
    'scram-sha-256',
    '--pwfile',
    passwordFile,
    '-E',
    'UTF8',
  ];
  execFileSync(join(bin, 'initdb'), [...options, '--no-sync'], { ...owner, cwd: folder, stdio: 'ignore' });
  rmSync(passwordFile);
  appendFileSync(join(data, 'postgresql.conf'), SETTINGS);
  const port = await freePort();
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port)], {
    ...owner,
    cwd: folder,
    // The nodes connect to each other with this password.
    env: { ...process.env, HOME: folder, PGPASSWORD: password },
    stdio: ['ignore', 'ignore', process.env.CITUS_LOG ? 'inherit' : 'ignore'],
  });
  servers.push(server);
  const url = `postgres://postgres:${password}@127.0.0.1:${port}/postgres`;
  await untilItAnswers(url, server);
  return { url, port };
}

async function untilItAnswers(url, server) {
  for (;;) {
    if (server.exitCode !== null) throw new Error('A server of the cluster did not start.');
    try {
      return await query(url, 'SELECT 1');
    } catch {
      await sleep(100);
    }
  }
}

function stop() {
  for (const server of servers) server.kill('SIGINT');
}

process.on('SIGINT', stop);
process.on('SIGTERM', stop);
try {
  const [coordinator, ...workers] = await Promise.all(
    ['coordinator', ...Array.from({ length: WORKERS }, (_, index) => `worker-${index + 1}`)].map(startServer),
  );
  for (const { url } of [coordinator, ...workers]) await query(url, 'CREATE EXTENSION citus');
  await query(coordinator.url, `SELECT citus_set_coordinator_host('127.0.0.1', $1)`, [coordinator.port]);
  for (const { port } of workers)
    await query(coordinator.url, `SELECT citus_add_node('127.0.0.1', $1)`, [port]);
  if (hasSpare) {
    const { url, port } = await startServer('spare');
    await query(url, 'CREATE EXTENSION citus');
    console.log(`CITUS_SPARE_PORT=${port}`);
  }
  console.log(`TEST_CITUS_URL=${coordinator.url}`);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.once('exit', resolve))));
} finally {
  stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
