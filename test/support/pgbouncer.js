/** PgBouncer in transaction mode, for tests. `node test/support/pgbouncer.js` prints where the program is. */
const { spawn } = require('node:child_process');
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { connect } = require('node:net');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');
const { inPath, provide, runAsCommand } = require('./debian-program');
const { freePort } = require('./free-port');

const START_TIMEOUT_MS = 20_000;

/** @type {import('./debian-program').Program} */
const PGBOUNCER = {
  title: 'PgBouncer',
  users: 'the tests through PgBouncer',
  file: __filename,
  package: 'pgbouncer',
  variable: 'PGBOUNCER',
  places: [...inPath(['pgbouncer']), '/usr/sbin/pgbouncer'],
  unpacked: 'usr/sbin/pgbouncer',
  isDaemon: true,
};

/** See pgbouncer.d.ts. */
class PgBouncer {
  constructor(program, port, config) {
    this.program = program;
    this.port = port;
    this.folder = mkdtempSync(join(tmpdir(), 'hrs-pgbouncer-'));
    this.configFile = join(this.folder, 'pgbouncer.ini');
    writeFileSync(this.configFile, config);
  }

  static async start(program, clusterUrl, poolSize, waitSeconds = 5) {
    const port = await freePort();
    const config = configOf(new URL(clusterUrl), port, poolSize, waitSeconds);
    const pgBouncer = new PgBouncer(program, port, config);
    await pgBouncer.start();
    return pgBouncer;
  }

  /** The same database by way of PgBouncer. */
  urlTo(databaseUrl) {
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${this.port}`;
    return url.href;
  }

  async start() {
    const { executablePath, env } = this.program;
    // It refuses to run as root, and becomes another user itself.
    const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
    const stdio = ['ignore', 'ignore', 'pipe'];
    this.child = spawn(executablePath, [...user, this.configFile], {
      env: { ...process.env, ...env },
      stdio,
    });
    let log = '';
    this.child.stderr.on('data', (chunk) => (log = (log + chunk).slice(-2000)));
    const deadline = Date.now() + START_TIMEOUT_MS;
    while (!(await answers(this.port))) {
      if (this.child.exitCode !== null || Date.now() > deadline) {
        this.child.kill('SIGKILL');
        throw new Error(`PgBouncer did not start: ${log}`);
      }
      await sleep(20);
    }
  }

  /** Ends it at once, with every connection. */
  async kill() {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await ended;
  }

  async stop() {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Whoever comes on loopback is let in, and is the cluster's user to PostgreSQL. */
function configOf(cluster, port, poolSize, waitSeconds) {
  return `[databases]
* = host=${cluster.hostname} port=${cluster.port || 5432} user=${cluster.username} password=${cluster.password}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = ${poolSize}
max_client_conn = 1000
server_login_retry = 1
query_wait_timeout = ${waitSeconds}
log_connections = 0
log_disconnections = 0
`;
}

function answers(port) {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => socket.destroy() && resolve(true));
    socket.once('error', () => resolve(false));
  });
}

module.exports = { PgBouncer, pgBouncerProgram: () => provide(PGBOUNCER) };

if (require.main === module) runAsCommand(PGBOUNCER);
