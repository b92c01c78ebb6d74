import { chmodSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { EmbeddedPostgres } from '@app/database';
import { aBlob, removeDataDir } from '@app/testing';
import { type BuiltService, spawnBuiltService, startBuiltService } from '../support/built-service';
import { sql } from '../support/databases';
import { type Account, anAccount, aProfile } from '../support/factories';
import { ops, type OpsOutcome } from '../support/ops';
import { startStandby } from '../support/standby';
import { until } from '../support/until';

const PASSWORD = 'of-the-year';

/** What the service has confirmed to somebody, and must not lose. */
interface Holder extends Account {
  profileId: string;
  /** Records by id. */
  records: Map<string, unknown>;
}

/** The data, the service and its operator for a year. Every step checks that nothing is lost and nobody is revived. */
export class Year {
  private readonly folder = mkdtempSync(join(tmpdir(), 'hrs-year-'));
  private readonly servers: { server: EmbeddedPostgres; dataDir: string }[] = [];
  private readonly holders: Holder[] = [];
  private readonly erased: Pick<Account, 'email' | 'password'>[] = [];
  private service!: BuiltService;
  private database = '';
  private secrets: Record<string, string> = { JWT_SECRET: 'the first secret of a whole year of work' };
  private count = 0;
  /** How many of the confirmed records were looked for, and how many were not there. */
  readonly seen = { looked: 0, lost: 0, revived: 0, checks: 0 };

  static async begin(): Promise<Year> {
    const year = new Year();
    await year.startServer();
    await year.moveTo(await year.newDatabase());
    for (let count = 0; count < 2; count++) await year.register();
    return year;
  }

  async end(): Promise<void> {
    await this.service?.end();
    for (const { server, dataDir } of this.servers.reverse()) {
      await server.stop().catch(() => undefined);
      removeDataDir(dataDir);
    }
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** People write while `meanwhile` goes on. What is confirmed is noted; what is refused may be there or not. */
  async write(meanwhile: () => Promise<unknown> = () => sleep(300)): Promise<void> {
    let isOver = false;
    const writers = this.holders.map(async (holder) => {
      while (!isOver) {
        await this.create(holder).catch(() => undefined);
        await sleep(20);
      }
    });
    try {
      await meanwhile();
    } finally {
      isOver = true;
      await Promise.all(writers);
    }
  }

  /** A month: people come, write and leave. At its end the newest backup is restored into a new database. */
  async restore(): Promise<void> {
    const leaver = await this.register();
    await this.write();
    const backup = this.path('backup');
    await this.must('backup', backup);
    // After the backup: an erasure, of which only the list of the erased knows.
    const erased = await this.service.api.post(
      '/api/users/me/delete',
      { current_password: leaver.password },
      { token: await this.tokenOf(leaver) },
    );
    if (erased.status !== 204) throw new Error(`An erasure was answered ${erased.status}.`);
    this.holders.splice(this.holders.indexOf(leaver), 1);
    this.erased.push(leaver);
    const erasures = this.path('erasures');
    await this.must('backup', '--erasures-only', erasures);
    await this.service.end();
    this.database = await this.newDatabase();
    await this.must('restore', backup, '--erasures', erasures, '--yes');
    await this.moveTo(this.database);
    await this.check();
  }

  /** The next release starts beside the present one, while people write; then the present one ends. */
  async upgrade(): Promise<void> {
    const former = this.service;
    await this.write(async () => {
      const next = await startBuiltService(this.environment());
      await this.must('backup', this.path('before-update'));
      this.service = next;
      if ((await former.end()) !== 0) throw new Error('The former release did not end well.');
    });
    await this.check();
  }

  /** Both rounds of the rotation of the secret of tokens. Nobody is signed out. */
  async rotate(): Promise<void> {
    const [holder] = this.holders;
    const before = await this.tokenOf(holder);
    const old = this.secrets.JWT_SECRET;
    const next = `another secret of this year, number ${++this.count}`;
    for (const secrets of [
      { JWT_SECRET: old, JWT_SECRET_PREVIOUS: next },
      { JWT_SECRET: next, JWT_SECRET_PREVIOUS: old },
    ]) {
      this.secrets = secrets;
      await this.upgrade();
      const { status } = await this.service.api.get('/api/users/me', { token: before });
      if (status !== 200) throw new Error(`A rotation has ended a session: ${status}.`);
    }
    this.secrets = { JWT_SECRET: next };
  }

  /** The machine of the database dies while people write. Its synchronous standby takes over. */
  async failOver(): Promise<void> {
    const { server: primary, dataDir } = this.servers.at(-1)!;
    const standbyDir = this.dataDir();
    const standby = await startStandby(primary, dataDir, standbyDir, PASSWORD);
    this.servers.push({ server: standby, dataDir: standbyDir });
    await sql(primary.urlOf('postgres'), `ALTER SYSTEM SET synchronous_standby_names = '*'`);
    await sql(primary.urlOf('postgres'), 'SELECT pg_reload_conf()');
    await until('the primary waits for the standby', async () => {
      const [row] = await sql<{ sync: boolean }>(
        primary.urlOf('postgres'),
        `SELECT coalesce(bool_or(sync_state = 'sync'), false) AS sync FROM pg_stat_replication`,
      );
      return row.sync;
    });
    await this.write(async () => {
      await sleep(500);
      const [pid] = readFileSync(
        join(realpathSync(join(dataDir, 'postgres')), 'postmaster.pid'),
        'utf8',
      ).split('\n');
      process.kill(Number(pid), 'SIGQUIT');
      await primary.stop();
    });
    await this.service.end();
    await sql(standby.urlOf('postgres'), 'SELECT pg_promote()');
    await sql(standby.urlOf('postgres'), `ALTER SYSTEM SET synchronous_standby_names = ''`);
    await sql(standby.urlOf('postgres'), 'SELECT pg_reload_conf()');
    this.database = standby.urlOf(new URL(this.database).pathname.slice(1));
    await this.must('new-epoch', '--yes');
    await this.moveTo(this.database);
    await this.check();
  }

  /** The disk is full for a while: the database says what it says then. */
  async fillDisk(): Promise<void> {
    await sql(
      this.database,
      `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        RAISE EXCEPTION 'no' USING ERRCODE = '53100'; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON health_stats FOR EACH ROW EXECUTE FUNCTION full_disk()`,
    );
    const refused = await this.create(this.holders[0]);
    if (refused !== 503) throw new Error(`A full disk was answered ${refused}.`);
    await this.write();
    await sql(this.database, 'DROP FUNCTION full_disk CASCADE');
    await this.check();
  }

  /** The secret of tokens is lost: the service does not start with another one, until that is wanted. */
  async loseSecret(): Promise<void> {
    const [holder] = this.holders;
    const token = await this.tokenOf(holder);
    await this.service.end();
    this.secrets = { JWT_SECRET: `a new one in the place of the lost, number ${++this.count}` };
    const refused = await spawnBuiltService(this.environment());
    await until('it ends', () => Promise.resolve(refused.process.exitCode !== null));
    if (refused.process.exitCode !== 1) throw new Error('It has started with another secret.');
    await sql(this.database, `DELETE FROM secret_fingerprints WHERE name = 'jwt'`);
    await this.moveTo(this.database);
    const { status } = await this.service.api.get('/api/users/me', { token });
    if (status !== 401) throw new Error(`A token of the lost secret was answered ${status}.`);
    await this.check();
  }

  /** Somebody gets a backup: no password, no token and no content is in it, and what is in it opens no session. */
  async stealBackup(): Promise<void> {
    const [holder] = this.holders;
    const token = await this.tokenOf(holder);
    const stolen = this.path('stolen');
    await this.must('backup', stolen);
    const text = readdirSync(stolen)
      .map((name) => readFileSync(join(stolen, name)))
      .map((bytes, index) =>
        (readdirSync(stolen)[index].endsWith('.gz') ? gunzipSync(bytes) : bytes).toString(),
      )
      .join('\n');
    if (!text.includes(holder.email)) throw new Error('The backup was not read.');
    for (const secret of [holder.password, holder.refreshToken, token, this.secrets.JWT_SECRET])
      if (text.includes(secret)) throw new Error('A secret is in the backup.');
    for (const [hash] of text.matchAll(/\\\\x[0-9a-f]{64}|\$pbkdf2-sha512\$\S+/g)) {
      const asToken = await this.service.api.get('/api/users/me', { token: hash });
      const { email } = holder;
      const asPassword = await this.service.api.post('/api/auth/login', { email, password: hash });
      if (asToken.status !== 401 || asPassword.status !== 401)
        throw new Error('A hash has opened something.');
    }
    await this.check();
  }

  /** Looks for everything that was ever confirmed, and for everybody who was ever erased. */
  private async check(): Promise<void> {
    this.seen.checks++;
    for (const holder of this.holders) {
      const token = await this.tokenOf(holder);
      const { body } = await this.service.api.get('/api/health-stats', { token });
      const found = new Map(
        (body as { id: string; encrypted_data: unknown }[]).map((row) => [
          row.id,
          JSON.stringify(row.encrypted_data),
        ]),
      );
      for (const [id, blob] of holder.records) {
        this.seen.looked++;
        if (found.get(id) !== JSON.stringify(blob)) this.seen.lost++;
      }
    }
    for (const { email, password } of this.erased) {
      const { status } = await this.service.api.post('/api/auth/login', { email, password });
      if (status !== 401) this.seen.revived++;
    }
    await this.must('verify');
  }

  private async create(holder: Holder): Promise<number> {
    const body = { profile_id: holder.profileId, encrypted_data: aBlob() };
    const answer = await this.service.api.post('/api/health-stats', body, { token: holder.token });
    if (answer.status === 401) holder.token = await this.tokenOf(holder);
    if (answer.status === 201) holder.records.set(answer.body.id as string, body.encrypted_data);
    return answer.status;
  }

  private async register(): Promise<Holder> {
    const { api } = this.service;
    const account = await anAccount(api);
    const profileId = await aProfile(api, account.token);
    const holder = { ...account, profileId, records: new Map<string, unknown>() };
    this.holders.push(holder);
    return holder;
  }

  private async tokenOf({ email, password }: Pick<Account, 'email' | 'password'>): Promise<string> {
    const { status, body } = await this.service.api.post('/api/auth/login', { email, password });
    if (status !== 200) throw new Error(`Somebody could not sign in: ${status} ${body?.code}.`);
    return body.token as string;
  }

  private async moveTo(database: string): Promise<void> {
    this.database = database;
    this.service = await startBuiltService(this.environment());
    for (const holder of this.holders) holder.token = await this.tokenOf(holder);
  }

  private environment(): Record<string, string> {
    return { ...this.secrets, DATABASE_URL: this.database };
  }

  private async must(...args: string[]): Promise<OpsOutcome> {
    const outcome = await ops({ DATABASE_URL: this.database }, ...args);
    if (outcome.code !== 0)
      throw new Error(`ops ${args[0]}: ${outcome.errors || JSON.stringify(outcome.result)}`);
    return outcome;
  }

  private async startServer(): Promise<void> {
    const dataDir = this.dataDir();
    const server = await EmbeddedPostgres.start({ dataDir, password: PASSWORD });
    this.servers.push({ server, dataDir });
  }

  private async newDatabase(): Promise<string> {
    const { server } = this.servers.at(-1)!;
    const name = `year_${++this.count}`;
    await sql(server.urlOf('postgres'), `CREATE DATABASE ${name}`);
    return server.urlOf(name);
  }

  private dataDir(): string {
    const dataDir = mkdtempSync(join(tmpdir(), 'hrs-year-data-'));
    // The database may run as another user, who must get in.
    chmodSync(dataDir, 0o755);
    return dataDir;
  }

  private path(name: string): string {
    return join(this.folder, `${name}-${++this.count}`);
  }
}
