import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ComposeHost, output, type Run } from '../support/compose-host';
import { type Account, anAccount, aProfile } from '../support/factories';
import { shellCheckProgram } from '../support/shell-programs';
import { until } from '../support/until';

const DEPLOY = join(__dirname, '../../deploy');
const SCRIPTS = readdirSync(join(DEPLOY, 'compose')).filter((name) => !name.endsWith('.sh'));
/** Each script starts the service at least once, on what may be a busy machine. */
const SCRIPT_MS = 300_000;

/** Of what the scripts ask of Docker, PostgreSQL and the service run for real; see docker-stand-in.js for what does not. */
describe('deploy/compose, from nothing', () => {
  let host: ComposeHost;
  let ana: Account;
  beforeAll(async () => (host = await ComposeHost.start('17', '18')), SCRIPT_MS);
  afterAll(() => host?.stop());

  const done = ({ code, errors }: Run) => expect([code, errors]).toEqual([0, expect.any(String)]);
  const backups = () => readdirSync(join(host.deploy, 'backups')).filter((name) => name.endsWith('Z'));
  const secrets = () =>
    readdirSync(join(host.deploy, 'secrets')).map((name) => [name, host.read('secrets', name)]);
  const signIn = ({ email, password }: Account) => host.api.post('/api/auth/login', { email, password });
  const profilesOf = async (account: Account) => {
    const { token } = (await signIn(account)).body;
    return ((await host.api.get('/api/profiles', { token })).body as unknown[]).length;
  };
  const databases = async (major: string) =>
    (
      await host.sql<{ datname: string }>(major, `SELECT datname FROM pg_database WHERE datname ~ '^health'`)
    ).map(({ datname }) => datname);

  it('nothing but `up` works, and it wants a name', async () => {
    for (const script of SCRIPTS.filter((name) => name !== 'up')) {
      const { code, errors } = await host.run(script);
      expect([script, code, errors]).toEqual([
        script,
        1,
        expect.stringContaining('run deploy/compose/up first'),
      ]);
    }
    for (const args of [[], ['no name'], ['-x']]) expect((await host.run('up', ...args)).code).toBe(2);
    expect(readdirSync(host.deploy)).not.toContain('secrets');
  });

  it(
    '`up` opens sign-ups until the first account exists; a later one changes no secret and opens nothing',
    async () => {
      // The release of before, with another PostgreSQL.
      host.write('compose.yaml', host.read('compose.yaml').replace('postgres:18.4', 'postgres:17.1'));
      const first = host.begin('up', 'health.example.org');
      await until('sign-ups are open', async () => host.hasStarted() && (await host.signups()) === 'open');
      ana = await anAccount(host.api);
      done(await first.ended);
      expect(await host.signups()).toBe('closed');
      expect(
        (await host.api.post('/api/auth/login', { email: ana.email, password: ana.password })).status,
      ).toBe(200);
      expect(statSync(join(host.deploy, 'secrets')).mode & 0o077).toBe(0);
      const [role] = await host.sql<{ rights: boolean }>(
        '17',
        `SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls AS rights
          FROM pg_roles WHERE rolname = 'health_records'`,
      );
      expect(role).toEqual({ rights: false });

      const before = [secrets(), host.read('.env')];
      const second = await host.run('up');
      done(second);
      expect(second.out).toContain('https://health.example.org');
      expect([secrets(), host.read('.env')]).toEqual(before);
      expect(await host.signups()).toBe('closed');
    },
    SCRIPT_MS,
  );

  it(
    '`upgrade-postgres` moves the data to another server, and leaves the old one as it is',
    async () => {
      await aProfile(host.api, ana.token);
      host.write('compose.yaml', host.read('compose.yaml').replace('postgres:17.1', 'postgres:18.4'));
      for (const script of ['up', 'update', 'restore', 'rehearse', 'backup']) {
        const { code, errors } = await host.run(script);
        expect([script, code, errors]).toEqual([
          script,
          1,
          expect.stringContaining('upgrade-postgres first'),
        ]);
      }
      expect((await host.run('upgrade-postgres')).errors).toContain('Nothing was done: add --yes.');
      done(await host.run('upgrade-postgres', '--yes'));
      expect(await profilesOf(ana)).toBe(1);
      expect(host.read('.env')).toContain('POSTGRES_MAJOR=18');
      expect(await host.sql('17', 'SELECT count(*)::int FROM accounts', 'health_records')).toEqual([
        { count: 1 },
      ]);
      expect((await host.run('upgrade-postgres', '--yes')).out).toContain('already');
    },
    SCRIPT_MS,
  );

  it(
    '`restore` goes back and forth, and revives nobody',
    async () => {
      host.write('.env', host.read('.env').replace('SIGNUPS=closed', 'SIGNUPS=open'));
      done(await host.run('up'));
      const ben = await anAccount(host.api);
      const saved = await host.run('backup');
      done(saved);
      const backup = backups().sort().at(-1)!;
      expect(saved.out).toContain(backup);
      // After the backup: a record, and an erasure.
      const { token } = (await signIn(ana)).body;
      await aProfile(host.api, token);
      done(await host.run('ops', 'erase', ben.email, '--yes'));
      expect(await profilesOf(ana)).toBe(2);

      const back = await host.run('restore', '--yes', backup);
      done(back);
      expect(await profilesOf(ana)).toBe(1);
      expect((await signIn(ben)).status).toBe(401);
      const [, forth] = /To go back: deploy\/compose\/restore (\S+)/.exec(back.out)!;
      done(await host.run('restore', '--yes', forth));
      expect(await profilesOf(ana)).toBe(2);
      expect((await signIn(ben)).status).toBe(401);

      const inUse = host.read('secrets', 'database-url').split('/').at(-1)!;
      expect(await databases('18')).toHaveLength(3);
      expect((await host.run('restore', '--yes', '--drop', inUse)).errors).toContain('Nothing was done.');
      expect((await host.run('restore', '--yes', '--drop', 'postgres')).code).toBe(2);
      for (const name of (await databases('18')).filter((each) => each !== inUse))
        done(await host.run('restore', '--yes', '--drop', name));
      expect(await databases('18')).toEqual([inUse]);
    },
    SCRIPT_MS,
  );

  it(
    '`rehearse` tells a good backup from a bad or an old one, and leaves nothing behind',
    async () => {
      const before = await databases('18');
      const good = await host.run('rehearse');
      done(good);
      expect(good.out).toContain('Its age is 0 hours.');
      const folder = join(host.deploy, 'backups');
      for (const name of backups()) renameSync(join(folder, name), join(folder, name.replace(/^20/, '19')));
      const [newest] = readdirSync(folder)
        .filter((name) => name.startsWith('19'))
        .sort()
        .reverse();
      renameSync(join(folder, newest), join(folder, '2020-01-01T00-00-00Z'));
      const old = await host.run('rehearse');
      expect([old.code, old.errors]).toEqual([1, expect.stringContaining('It is too old')]);
      writeFileSync(join(folder, '2020-01-01T00-00-00Z', 'accounts.copy.gz'), 'x');
      const bad = await host.run('rehearse');
      expect([bad.code, bad.errors]).toEqual([1, expect.stringContaining('accounts in')]);
      expect(await databases('18')).toEqual(before);

      const refused = await host.run('restore', '--yes', '2020-01-01T00-00-00Z');
      expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('as before')]);
      expect(await databases('18')).toEqual(before);
      expect(await profilesOf(ana)).toBe(2);
      mkdirSync(join(folder, '2020-01-02T00-00-00Z'));
      expect((await host.run('restore', '--yes', '2020-01-02T00-00-00Z')).errors).toContain(
        'no complete backup',
      );
    },
    SCRIPT_MS,
  );

  it(
    '`update` makes a backup, also in the second place, and says how to go back where the release does not start',
    async () => {
      const place = join(host.deploy, 'place');
      mkdirSync(place);
      host.write('.env', `${host.read('.env')}COMPOSE_PROFILES=rclone\nRCLONE_PLACE=${place}\n`);
      // Its arguments end with the source and the place.
      host.addProgram('rclone', 'for last; do :; done; [ "$1" = copy ] && touch "$last/copied"');
      const before = backups().length;
      const updated = await host.run('update');
      done(updated);
      expect(backups().length).toBe(before + 1);
      expect(readdirSync(place)).toEqual(['copied']);
      expect(host.calls()).toEqual(
        expect.arrayContaining([
          'tag health-records-service health-records-service:before-update',
          expect.stringMatching(/ build --pull api$/),
        ]),
      );
      expect(await profilesOf(ana)).toBe(2);
      const faulty = '      LOG_LEVEL: loud\n      STORAGE_PATH:';
      host.write('compose.yaml', host.read('compose.yaml').replace('      STORAGE_PATH:', faulty));
      const failed = await host.run('update');
      expect([failed.code, failed.errors]).toEqual([1, expect.stringContaining('deploy/compose/restore 2')]);
    },
    SCRIPT_MS,
  );
});

describe('the scripts of deploy/compose', () => {
  const program = shellCheckProgram();

  it.each(SCRIPTS)('explain themselves: %s', async (name) => {
    const text = await output(join(DEPLOY, 'compose', name), '--help');
    expect(text).toContain(`deploy/compose/${name}`);
    expect(text).not.toContain('common.sh');
  });

  (program ? it : it.skip)('pass ShellCheck', async () => {
    const files = [
      ...SCRIPTS.map((name) => `compose/${name}`),
      'compose/common.sh',
      'backup.sh',
      'second-place.sh',
    ];
    const paths = files.map((name) => join(DEPLOY, name));
    const check = (...names: string[]) =>
      output(program!.executablePath, '--shell=sh', '--external-sources', ...names);
    const faulty = join(mkdtempSync(join(tmpdir(), 'hrs-shell-')), 'faulty.sh');
    writeFileSync(faulty, 'rm $1\n');
    expect(await check(faulty)).toContain('SC2086');
    rmSync(dirname(faulty), { recursive: true });
    expect(await check(`--source-path=${join(DEPLOY, 'compose')}`, ...paths)).toBe('');
  });
});
