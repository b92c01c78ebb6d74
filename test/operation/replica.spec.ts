import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { REPLICA_READS } from '@app/common/observation';
import { Database, EmbeddedPostgres } from '@app/database';
import { aNewSecret, type Answer, type Api, expectFailure } from '@app/testing';
import { BreakableLink } from '../support/breakable-link';
import { sql } from '../support/databases';
import { type Account, anAccount, aProfile } from '../support/factories';
import { type ServiceHere, startServiceHere } from '../support/service-here';
import { startStandby } from '../support/standby';
import { until } from '../support/until';

const PASSWORD = 'of-the-tests';
const ROUNDS = 20;

/** An account with something to read: where there is nothing the primary is asked why. */
const aHolder = (api: Api) => anAccount(api, { default_profile_wrapped_dek: 'x' });

describe('with a synchronous replica that lags behind', () => {
  let directories: string[];
  let primary: EmbeddedPostgres;
  let standby: EmbeddedPostgres;
  let link: BreakableLink;
  let replicaUrl: string;
  let service: ServiceHere;
  let api: Api;
  /** Waits for an answer of the database for a second and a half. */
  let hasty: ServiceHere;

  beforeAll(async () => {
    directories = ['primary', 'standby'].map((name) => mkdtempSync(join(tmpdir(), `hrs-${name}-`)));
    // The database may run as another user, who must get in.
    for (const directory of directories) chmodSync(directory, 0o755);
    primary = await EmbeddedPostgres.start({ dataDir: directories[0], password: PASSWORD });
    standby = await startStandby(primary, directories[0], directories[1], PASSWORD);
    await set(standby, 'recovery_min_apply_delay', '30ms');
    await set(primary, 'synchronous_standby_names', '*');
    ({ link, url: replicaUrl } = await BreakableLink.to(standby.url));
    service = await startServiceHere({ DATABASE_URL: primary.url, DATABASE_REPLICA_URL: replicaUrl });
    api = service.api;
    const hastyUrl = `${primary.url}?query_timeout=3000`;
    hasty = await startServiceHere({ DATABASE_URL: hastyUrl, DATABASE_REPLICA_URL: replicaUrl });
  });
  afterEach(async () => {
    link.mend();
    await ask(standby, 'SELECT pg_wal_replay_resume()');
    await set(primary, 'synchronous_standby_names', '*');
  });
  afterAll(async () => {
    await set(primary, 'synchronous_standby_names', '');
    await service?.stop();
    await hasty?.stop();
    await link?.close();
    await standby?.stop();
    await primary.stop();
    for (const directory of directories) rmSync(directory, { recursive: true, force: true });
  });

  const ask = <R extends object>(server: EmbeddedPostgres, text: string) =>
    sql<R>(server.urlOf('postgres'), text);

  async function set(server: EmbeddedPostgres, name: string, value: string): Promise<void> {
    await ask(server, `ALTER SYSTEM SET ${name} = '${value}'`);
    await ask(server, 'SELECT pg_reload_conf()');
    await until(`${name} is ${value}`, async () => {
      const [row] = await ask<{ now: string }>(server, `SELECT current_setting('${name}') AS now`);
      return row.now === value;
    });
  }

  async function pause(): Promise<void> {
    await ask(standby, 'SELECT pg_wal_replay_pause()');
    await until('the replica pauses', async () => {
      const [row] = await ask<{ state: string }>(standby, 'SELECT pg_get_wal_replay_pause_state() AS state');
      return row.state === 'paused';
    });
  }

  it('shows a person their own writes, at once', async () => {
    const { token } = await anAccount(api);
    for (let round = 0; round < ROUNDS; round++) {
      const id = await aProfile(api, token);
      expect((await api.get(`/api/profiles/${id}`, { token })).status).toBe(200);
    }
  });

  it('lets no token outlive its revocation', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { token } = await aHolder(api);
      expect((await api.get('/api/profiles', { token })).body).toHaveLength(1);
      expect((await api.post('/api/auth/logout-all', undefined, { token })).status).toBe(204);
      expectFailure(await api.get('/api/profiles', { token }), 'token_revoked');
    }
  });

  it('reads from the replica, and does not see what only the primary has', async () => {
    const { token } = await anAccount(api);
    const id = await aProfile(api, token);
    await pause();
    await sql(primary.url, 'SET synchronous_commit = local; UPDATE profiles SET relationship = $$another$$');
    const { body } = await api.get(`/api/profiles/${id}`, { token });
    expect(body.relationship).toBe('self');
  });

  it('is in the metrics: whether it is used, how far it is behind, and who answered', async () => {
    const sources: string[] = [];
    const end = REPLICA_READS.listen(({ from }) => sources.push(from));
    const state = () => service.app.get(Database).replicaState()!;
    const { token } = await aHolder(api);
    const lag = async () => (await state()).lagSeconds;
    await until('the replica shows everything', async () => (await lag()) === 0);
    expect(await state()).toEqual({ isInUse: true, lagSeconds: 0 });
    await api.get('/api/profiles', { token });
    expect(sources).toContain('replica');
    await pause();
    await sql(primary.url, 'SET synchronous_commit = local; UPDATE profiles SET relationship = $$another$$');
    await until('the replica is behind', async () => ((await lag()) ?? 0) > 0);
    link.cut();
    sources.length = 0;
    await api.get('/api/profiles', { token });
    end();
    expect(sources).toEqual(['primary']);
    expect((await state()).isInUse).toBe(false);
  });

  it('reads from the primary while the replica is away', async () => {
    const { token } = await anAccount(api);
    const id = await aProfile(api, token);
    link.cut();
    expect((await api.get(`/api/profiles/${id}`, { token })).status).toBe(200);
    expect((await api.get('/api/profiles', { token })).status).toBe(200);
  });

  it.each<[string, (account: Account) => Promise<Answer>]>([
    ['an end of all sessions', ({ token }) => hasty.api.post('/api/auth/logout-all', undefined, { token })],
    [
      'a change of the password',
      ({ token, password }) =>
        hasty.api.post(
          '/api/auth/change-password',
          { current_password: password, ...aNewSecret() },
          { token },
        ),
    ],
  ])('does not acknowledge %s that the replica does not show yet, and does it once', async (_, change) => {
    const account = await aHolder(hasty.api);
    const read = () => hasty.api.get('/api/profiles', { token: account.token });
    await pause();
    expectFailure(await change(account), 'database_unavailable');
    expect((await read()).status).toBe(200);
    await ask(standby, 'SELECT pg_wal_replay_resume()');
    await until('the token is dead', async () => (await read()).status === 401);
    expectFailure(await change(account), 'token_revoked');
  });

  it('leaves the replica alone once the primary no longer waits for it', async () => {
    const other = await startServiceHere({ DATABASE_URL: primary.url, DATABASE_REPLICA_URL: replicaUrl });
    try {
      const { token } = await aHolder(other.api);
      const read = () => other.api.get('/api/profiles', { token });
      expect((await read()).body).toHaveLength(1);
      await pause();
      await set(primary, 'synchronous_standby_names', '');
      await other.api.post('/api/auth/logout-all', undefined, { token });
      await until('the token is dead', async () => (await read()).status === 401);
    } finally {
      await other.stop();
    }
  });
});
