import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { aMember, aSpace, join as letIn, removeDataDir, TestCluster } from '@app/testing';
import { type BuiltService, startBuiltService } from '../support/built-service';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { anAccount, aProfile } from '../support/factories';
import { ops } from '../support/ops';
import { aPerson, openClient } from '../support/people';
import { withPostgres17 } from '../support/postgres-17';
import { startService, TEST_ENVIRONMENT } from '../support/service';

const OPS = join(__dirname, '../../dist/apps/api/src/ops/main.js');

let scratch: string;
beforeAll(() => (scratch = mkdtempSync(join(tmpdir(), 'hrs-backup-'))));
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

const folder = (name: string) => join(scratch, name);

describe('a backup, restored into a new cluster', () => {
  it('gives people their records back, keeps the erased erased, and tells clients of a new epoch', async () => {
    const before = await startService();
    const environment = { DATABASE_URL: before.databaseUrl };
    const ana = await aPerson(before.api.url);
    const ben = await aPerson(before.api.url);
    const visit = await ana.client.appointments.create({
      profileId: ana.profileId,
      status: 'scheduled',
      details: { title: 'Vaccination', startsAt: '2026-12-01T09:00:00Z' },
    });
    const { epoch } = (await before.api.get('/readyz')).body;
    const raw = await anAccount(before.api);
    const remember = { email: raw.email, password: raw.password, remember_device: true };
    expect((await before.api.post('/api/auth/login', remember)).body.device_token).toBeDefined();
    expect((await ops(environment, 'invite')).code).toBe(0);
    const { cursor } = (await before.api.get('/api/sync', { token: raw.token })).body;

    const saved = await ops(environment, 'backup', folder('night'));
    expect([saved.code, saved.result.epoch, saved.errors]).toEqual([0, epoch, '']);
    expect(statSync(folder('night')).mode & 0o077).toBe(0);

    // After the backup: a change that is lost, and an erasure that is not.
    await ana.client.appointments.update(visit, { status: 'completed' });
    expect((await ops(environment, 'erase', ben.email, '--yes')).code).toBe(0);
    expect((await ops(environment, 'backup', folder('erasures'), '--erasures-only')).code).toBe(0);
    await before.stop();

    const cluster = await TestCluster.start();
    const url = await cluster.createDatabase(false);
    const restored = await ops(
      { DATABASE_URL: url },
      'restore',
      folder('night'),
      '--erasures',
      folder('erasures'),
      '--yes',
    );
    expect([restored.code, restored.errors]).toEqual([0, '']);
    expect(restored.result).toMatchObject({
      erased_again: 1,
      accounts: 2,
      usage_differs: 0,
      feed_differs: 0,
    });
    expect(restored.result.epoch).not.toBe(epoch);

    for (const table of ['sessions', 'device_tokens', 'invites'])
      expect(await sql(url, `SELECT count(*)::int FROM ${table}`)).toEqual([{ count: 0 }]);

    const after = await startService({ DATABASE_URL: url });
    const again = openClient(after.api.url);
    await again.login(ana.email, ana.password);
    const [found] = await again.appointments.list({ profileId: ana.profileId });
    expect(found).toMatchObject({ id: visit.id, status: 'scheduled', revision: 1, details: visit.details });
    // The revision of before is of another epoch.
    await expect(again.appointments.update(visit, { status: 'missed' })).rejects.toThrow('changed elsewhere');
    expect(await again.appointments.update(found, { status: 'missed' })).toMatchObject({ revision: 2 });
    const lost = openClient(after.api.url).login(ben.email, ben.password);
    await expect(lost).rejects.toMatchObject({ code: 'password_wrong' });

    expect((await after.api.get('/api/users/me', { token: raw.token })).body.code).toBe('token_revoked');
    const { email, password } = raw;
    const { token } = (await after.api.post('/api/auth/login', { email, password })).body;
    const answer = await after.api.get(`/api/sync?cursor=${cursor}`, { token });
    expect([answer.status, answer.body.code]).toEqual([410, 'sync_reset']);
    expect((await after.api.get('/readyz')).body.epoch).toBe(restored.result.epoch);

    const twice = await ops({ DATABASE_URL: url }, 'restore', folder('night'), '--yes');
    expect([twice.code, twice.errors]).toEqual([
      1,
      'The database has accounts: restore into an empty one.\n',
    ]);
    await after.stop();
    await cluster.stop();
  });

  it('gives members their spaces back, without those who were erased since', async () => {
    const before = await startService();
    const { api } = before;
    const environment = { DATABASE_URL: before.databaseUrl };
    const [owner, other, alone] = [await aMember(api), await aMember(api), await aMember(api)];
    const space = await aSpace(api, owner);
    await letIn(space, owner, 'owner', other);
    const viewer = await letIn(space, owner, 'viewer');
    const gone = await aSpace(api, alone);
    const stat = { profile_id: space.profileId, encrypted_data: 'sealed' };
    const { body: made } = await api.post('/api/health-stats', stat, space.as(other));
    const deleted = await aSpace(api, owner);
    expect((await ops(environment, 'backup', folder('spaces'))).code).toBe(0);
    const removal = { current_password: owner.password };
    expect((await api.post('/api/space/delete', removal, deleted.as(owner))).status).toBe(204);
    for (const { email } of [owner, alone])
      expect((await ops(environment, 'erase', email, '--yes')).code).toBe(0);
    expect((await ops(environment, 'verify')).code).toBe(0);
    expect((await ops(environment, 'backup', folder('spaces-erasures'), '--erasures-only')).code).toBe(0);
    await before.stop();

    const url = await createDatabase(false);
    const erasures = ['--erasures', folder('spaces-erasures')];
    const restored = await ops({ DATABASE_URL: url }, 'restore', folder('spaces'), ...erasures, '--yes');
    expect([restored.code, restored.errors]).toEqual([0, '']);
    expect((await ops({ DATABASE_URL: url }, 'verify')).code).toBe(0);
    const left = await sql<{ account_id: string; keeper_id: string }>(
      url,
      'SELECT account_id, keeper_id FROM spaces',
    );
    expect(left).toEqual([{ account_id: space.id, keeper_id: other.id }]);
    const ids = [gone.id, deleted.id];
    expect(await sql(url, 'SELECT id FROM accounts WHERE id = ANY ($1)', [ids])).toEqual([]);
    const after = await startService({ DATABASE_URL: url });
    const { email, password } = other;
    const { token } = (await after.api.post('/api/auth/login', { email, password })).body;
    const headers = { 'Health-Space': space.id };
    const { body } = await after.api.get('/api/space', { token, headers });
    expect(body.members.map(({ member_id: id }: { member_id: string }) => id)).toEqual([other.id, viewer.id]);
    // A write with a version of before the restore is refused.
    expect(body.version).toBeGreaterThan(1000);
    expect((await after.api.get(`/api/health-stats/${made.id}`, { token, headers })).body).toEqual(made);
    await after.stop();
    await dropDatabase(url);
  });

  it('is refused at once where its folder cannot be made, and makes the folders above it where it can', async () => {
    const url = await createDatabase();
    const nowhere = await ops({ DATABASE_URL: url }, 'backup', '/proc/nope/b');
    expect([nowhere.code, nowhere.errors]).toEqual([
      1,
      'The folder /proc/nope/b.part cannot be made (ENOENT): nothing was saved.\n',
    ]);
    expect((await ops({ DATABASE_URL: url }, 'backup', folder('a/b/c'))).code).toBe(0);
    for (const name of ['a', 'a/b', 'a/b/c']) expect(statSync(folder(name)).mode & 0o077).toBe(0);
    await dropDatabase(url);
  });

  it('is refused if a file of it has changed, or if it is not complete', async () => {
    const source = await createDatabase();
    const target = await createDatabase(false);
    expect((await ops({ DATABASE_URL: source }, 'backup', folder('spoilt'))).code).toBe(0);
    writeFileSync(join(folder('spoilt'), 'accounts.copy.gz'), 'x');
    const spoilt = await ops({ DATABASE_URL: target }, 'restore', folder('spoilt'), '--yes');
    expect([spoilt.code, spoilt.errors]).toEqual([1, expect.stringContaining('accounts in')]);
    rmSync(join(folder('spoilt'), 'manifest.json'));
    const incomplete = await ops({ DATABASE_URL: target }, 'restore', folder('spoilt'), '--yes');
    expect(incomplete.errors).toContain('There is no complete backup');
    await dropDatabase(source);
    await dropDatabase(target);
  });
});

describe('the embedded database', () => {
  it('is saved while the service runs, and moves from a real PostgreSQL 17 into a new cluster', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'hrs-embedded-'));
    const environment = { DATA_DIR: dataDir };
    const formerRelease = { ...environment, ...withPostgres17() };
    const opsOfFormer = (...args: string[]): unknown =>
      JSON.parse(
        execFileSync(process.execPath, [OPS, '--json', ...args], {
          env: { PATH: process.env.PATH, ...TEST_ENVIRONMENT, ...formerRelease },
          encoding: 'utf8',
        }),
      );
    const first = await startBuiltService(formerRelease);
    const { email, password, token } = await anAccount(first.api);
    await aProfile(first.api, token);
    expect(opsOfFormer('status')).toMatchObject({ postgres: expect.stringMatching(/^17\./) });
    opsOfFormer('backup', folder('embedded'));
    const live = realpathSync(join(dataDir, 'postgres'));
    const early = await ops(environment, 'upgrade-embedded', folder('embedded'), '--yes');
    expect([early.code, early.errors]).toEqual([1, expect.stringContaining('stop the service first')]);
    await first.end();
    await expect(startBuiltService(environment)).rejects.toThrow('upgrade-embedded <folder>');
    const wrong = await ops(environment, 'upgrade-embedded', folder('nothing'), '--yes');
    expect([wrong.code, wrong.errors]).toEqual([1, expect.stringContaining('There is no complete backup')]);
    expect(realpathSync(join(dataDir, 'postgres'))).toBe(live);
    const moved = await ops(environment, 'upgrade-embedded', folder('embedded'), '--yes');
    expect(moved.errors).toContain(`and rename ${live}.`);
    expect([moved.code, moved.result]).toEqual([
      0,
      expect.objectContaining({ accounts: 1, usage_differs: 0, ids: {} }),
    ]);
    expect((await ops(environment, 'status')).result.postgres).toMatch(/^18\./);
    const profilesIn = async (service: BuiltService) => {
      const login = await service.api.post('/api/auth/login', { email, password });
      return (await service.api.get('/api/profiles', { token: login.body.token })).body as unknown[];
    };
    const second = await startBuiltService(environment);
    expect(await profilesIn(second)).toHaveLength(1);
    await second.end();

    // The way back that the command has told.
    const [kept] = readdirSync(dirname(live)).filter((name) => name.startsWith(`${basename(live)}.2`));
    rmSync(live, { recursive: true });
    renameSync(join(dirname(live), kept), live);
    const back = await startBuiltService(formerRelease);
    expect(await profilesIn(back)).toHaveLength(1);
    await back.end();
    removeDataDir(dataDir);
  });
});
