import { spawn, spawnSync } from 'node:child_process';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { type Binaries, findBinaries, followLink, systemDataDir } from './binaries';
import { DataDirectoryInUseError, EmbeddedDatabaseError, findCluster } from './embedded-errors';
import { canReach, chooseRunAs, type RunAs } from './run-as';
import { lastLines, ServerOutput } from './server-output';
import { prepareServiceRole } from './service-role';

const DATABASE = 'health_records';
const SUPERUSER = 'postgres';
/** The role of the service. It owns its database, and is no superuser. */
const SERVICE_ROLE = 'health_records';
const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 30_000;
const WATCH_EVERY_MS = 1_000;
/** Advisory lock of the service that uses this data directory. The number is arbitrary: "hrs" and a zero byte. */
const OWNER_LOCK = 0x68727300;

export interface EmbeddedPostgresOptions {
  /** Absolute path; the cluster is in `postgres` below it. */
  dataDir: string;
  /** The superuser's password. The caller stores it. */
  password: string;
  /** Further server settings, such as `fsync: 'off'` for tests. */
  settings?: Record<string, string>;
  /** Receives lines for the log. They hold no user data. */
  log?: (line: string) => void;
}

/**
 * A private PostgreSQL server on loopback, with its cluster in a data directory.
 *
 * The first `start` creates the cluster. Every `start` starts the server, or uses a server that still runs
 * after its service was killed. A server that ends unexpectedly is started again. Only one service at a time
 * may use a data directory.
 */
export class EmbeddedPostgres {
  private readonly runAs: RunAs | undefined = chooseRunAs();
  private readonly binaries: Binaries = findBinaries(this.runAs);
  private readonly clusterDir: string;
  private readonly log: (line: string) => void;
  private port = 0;
  private pid = 0;
  private owner: Client | undefined;
  private stopping = false;
  private watch: NodeJS.Timeout | undefined;

  private constructor(private readonly options: EmbeddedPostgresOptions) {
    this.log = options.log ?? (() => undefined);
    this.clusterDir = this.placeCluster();
  }

  /**
   * @throws EmbeddedDatabaseError if another service uses the directory, if the cluster is of another major version, or
   *   with PostgreSQL's own words if the server does not start.
   */
  static async start(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
    const embedded = new EmbeddedPostgres(options);
    process.once('exit', embedded.endWithProcess);
    await embedded.bringUp();
    await embedded.createDatabase();
    embedded.watch = setInterval(() => embedded.forceFastShutdown(), WATCH_EVERY_MS).unref();
    return embedded;
  }

  /**
   * Connection URL of the service's database, for a role that owns it and has no other right.
   *
   * Security: it contains the role's password. The superuser's password cannot be derived from it.
   */
  get url(): string {
    return embeddedUrl(this.options.password, this.port);
  }

  /** Connection URL of a database for the superuser. Security: it contains the password. */
  urlOf(database: string): string {
    return `postgres://${SUPERUSER}:${encodeURIComponent(this.options.password)}@127.0.0.1:${this.port}/${database}`;
  }

  /** Shuts the server down and waits until it has ended. Open transactions are rolled back. */
  async stop(): Promise<void> {
    this.stopping = true;
    clearInterval(this.watch);
    process.off('exit', this.endWithProcess);
    await this.owner?.end().catch(() => undefined);
    signal(this.pid, 'SIGINT');
    const deadline = Date.now() + STOP_TIMEOUT_MS;
    while (this.isServer(this.pid)) {
      if (Date.now() > deadline) throw new Error('The embedded PostgreSQL did not stop in time.');
      await sleep(10);
    }
  }

  /** For a process that ends without `stop`: its start failed, or a signal ended it. */
  private readonly endWithProcess = () => void (this.isServer(this.pid) && signal(this.pid, 'SIGINT'));

  private async bringUp(): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS;
    let child: { exited: boolean } | undefined;
    if (!findCluster(this.clusterDir, this.binaries.major)) this.createCluster();
    const output = new ServerOutput(this.clusterDir);
    try {
      for (;;) {
        const running = this.readPidFile();
        if (running && this.isServer(running.pid)) {
          const client = await this.connectTo(running.port);
          if (client) {
            await this.claim(client);
            if (!child) this.log('Adopted the PostgreSQL that was running already.');
            ({ pid: this.pid, port: this.port } = running);
            return;
          }
        } else if (!child) {
          // A crash of the machine left this file. PostgreSQL would not start if another process has that id now.
          if (running) rmSync(join(this.clusterDir, 'postmaster.pid'), { force: true });
          child = this.spawnServer(this.port || (await freePort()), output.standardError);
        } else if (child.exited) {
          throw new EmbeddedDatabaseError(`The embedded PostgreSQL did not start: ${output.read()}`);
        }
        if (Date.now() > deadline)
          throw new EmbeddedDatabaseError(
            `The embedded PostgreSQL did not answer within a minute: ${output.read()}`,
          );
        await sleep(20);
      }
    } finally {
      output.close();
    }
  }

  /**
   * Takes the lock of this data directory. The lock belongs to the connection, so PostgreSQL releases it even
   * after kill -9.
   */
  private async claim(client: Client): Promise<void> {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock($1) AS locked', [
      OWNER_LOCK,
    ]);
    if (!rows[0]?.locked) {
      this.pid = 0; // The other service uses this server: do not stop it, even if this process started it.
      await client.end();
      throw new DataDirectoryInUseError(
        `Another service is using the data directory ${this.options.dataDir}: stop it, or give this one another DATA_DIR.`,
      );
    }
    this.owner = client;
    client.once('end', () => void this.revive());
  }

  private async revive(): Promise<void> {
    while (!this.stopping) {
      try {
        await this.bringUp();
        this.log('The embedded PostgreSQL is back.');
        return;
      } catch (error) {
        this.log(`The embedded PostgreSQL is away: ${(error as Error).message}`);
        await sleep(200);
      }
    }
  }

  /**
   * Turns a smart shutdown (SIGTERM) into a fast one. A smart shutdown waits until every client has disconnected, and the
   * service keeps its connections. After the shutdown the server is started again.
   */
  private forceFastShutdown(): void {
    const running = this.readPidFile();
    if (running?.pid === this.pid && running.status === 'stopping' && this.isServer(this.pid))
      signal(this.pid, 'SIGINT');
  }

  private async connectTo(port: number): Promise<Client | undefined> {
    const client = new Client({
      host: '127.0.0.1',
      port,
      user: SUPERUSER,
      password: this.options.password,
      database: 'postgres',
      connectionTimeoutMillis: 2_000,
      keepAlive: true,
    });
    client.on('error', () => undefined); // Node would throw without a listener; 'end' follows.
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      if ((error as { code?: string }).code === '28P01') {
        throw new EmbeddedDatabaseError(
          `The password in ${this.options.dataDir}/secrets does not open the database: restore both from one backup.`,
          { cause: error },
        );
      }
      return undefined;
    }
  }

  private async createDatabase(): Promise<void> {
    const { rows } = await this.owner!.query<{ exists: boolean; is_standby: boolean }>(
      'SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1), pg_is_in_recovery() AS is_standby',
      [DATABASE],
    );
    if (rows[0].is_standby) return;
    if (!rows[0].exists) await this.owner!.query(`CREATE DATABASE ${DATABASE}`);
    const password = servicePassword(this.options.password);
    const service = { role: SERVICE_ROLE, password, database: DATABASE };
    await prepareServiceRole(this.urlOf(DATABASE), service);
  }

  /**
   * The cluster's folder. It is in the data directory, or linked from it if the database's user has no access
   * there.
   */
  private placeCluster(): string {
    const { dataDir } = this.options;
    mkdirSync(dataDir, { recursive: true });
    const wanted = join(dataDir, 'postgres');
    if (existsSync(wanted)) return realpathSync(wanted);
    const linked = followLink(wanted);
    if (linked !== wanted) {
      mkdirSync(linked, { recursive: true });
      return linked;
    }
    if (!this.runAs || canReach(this.runAs, dataDir, 'x')) return join(realpathSync(dataDir), 'postgres');
    const elsewhere = systemDataDir(
      dataDir,
      createHash('sha256').update(realpathSync(dataDir)).digest('hex').slice(0, 12),
    );
    mkdirSync(dirname(elsewhere), { recursive: true, mode: 0o755 });
    symlinkSync(elsewhere, wanted);
    this.log(`The database's user cannot reach ${dataDir}; the database is kept in ${elsewhere}.`);
    return elsewhere;
  }

  /**
   * Creates the cluster under another name and renames it when it is complete. A kill then leaves no
   * incomplete cluster.
   */
  private createCluster(): void {
    const scratch = mkdtempSync(join(tmpdir(), 'hrs-initdb-'));
    const passwordFile = join(scratch, 'password');
    const draft = `${this.clusterDir}.${randomBytes(4).toString('hex')}`;
    try {
      writeFileSync(passwordFile, this.options.password, { mode: 0o600 });
      mkdirSync(draft, { mode: 0o700 });
      for (const path of [scratch, passwordFile, draft]) this.chownTo(path);
      const { status, stderr } = spawnSync(
        this.binaries.initdb,
        [
          `--pgdata=${draft}`,
          `--username=${SUPERUSER}`,
          `--pwfile=${passwordFile}`,
          '--auth=scram-sha-256',
          '--encoding=UTF8',
          '--locale=C',
          '--no-instructions',
        ],
        { ...this.runAs, cwd: scratch, env: serverEnvironment(), encoding: 'utf8' },
      );
      if (status !== 0)
        throw new EmbeddedDatabaseError(
          `The embedded PostgreSQL could not be set up: ${lastLines(stderr ?? '')}`,
        );
      try {
        renameSync(draft, this.clusterDir);
      } catch (error) {
        // Another service has created the cluster at the same time: use that one.
        if (!existsSync(join(this.clusterDir, 'PG_VERSION'))) throw error;
      }
    } finally {
      rmSync(scratch, { recursive: true, force: true });
      rmSync(draft, { recursive: true, force: true });
    }
  }

  private chownTo(path: string): void {
    if (this.runAs) chownSync(path, this.runAs.uid, this.runAs.gid);
    else if (!path.endsWith('password')) chmodSync(path, 0o700);
  }

  private spawnServer(port: number, standardError: number): { exited: boolean } {
    const settings: Record<string, string> = {
      port: String(port),
      listen_addresses: '127.0.0.1',
      unix_socket_directories: '',
      max_connections: '200',
      logging_collector: 'on',
      log_directory: 'log',
      log_filename: 'postgresql-%a.log',
      log_rotation_age: '1d',
      log_truncate_on_rotation: 'on',
      // Security: the server's log must not contain statements or their values.
      log_min_error_statement: 'panic',
      log_error_verbosity: 'terse',
      log_parameter_max_length_on_error: '0',
      ...this.options.settings,
    };
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const server = spawn(this.binaries.postgres, ['-D', this.clusterDir, ...flags], {
      ...this.runAs,
      cwd: this.clusterDir,
      env: serverEnvironment(),
      // A separate session: Ctrl-C in a terminal must reach only the service, which then stops the server.
      detached: true,
      stdio: ['ignore', 'ignore', standardError],
    });
    this.pid = server.pid ?? 0;
    const state = { exited: false };
    server.once('error', () => (state.exited = true));
    server.once('exit', () => (state.exited = true));
    server.unref();
    return state;
  }

  private readPidFile(): { pid: number; port: number; status: string | undefined } | undefined {
    try {
      const lines = readFileSync(join(this.clusterDir, 'postmaster.pid'), 'utf8').split('\n');
      const [pid, port] = [Number(lines[0]), Number(lines[3])];
      return pid && port ? { pid, port, status: lines[7]?.trim() } : undefined;
    } catch {
      return undefined;
    }
  }

  /** Whether the process is a PostgreSQL server on this cluster. */
  private isServer(pid: number): boolean {
    if (!pid || !signal(pid, 0)) return false;
    try {
      return readlinkSync(`/proc/${pid}/cwd`) === this.clusterDir;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EACCES') return true;
      if (process.platform === 'linux') return false;
      const { stdout } = spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
      return (stdout ?? '').includes(this.clusterDir);
    }
  }
}

/**
 * Connection URL of the service's role. @param password of the superuser, from which it is derived.
 */
export function embeddedUrl(password: string, port: number): string {
  return `postgres://${SERVICE_ROLE}:${servicePassword(password)}@127.0.0.1:${port}/${DATABASE}`;
}

function servicePassword(password: string): string {
  return createHmac('sha256', password).update(SERVICE_ROLE).digest('base64url');
}

/** The service's environment is not passed on: it may contain secrets, and settings such as `PGPORT`. */
function serverEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}

function signal(pid: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, name);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}
