import { execFileSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expectFailure } from '@app/testing';
import { chooseRunAs } from '../../libs/database/src/embedded/run-as';
import { createDatabase, dropDatabase, sql, urlOf } from '../support/databases';
import { aCiphertext, aHealthStat, anAccount, aProfile } from '../support/factories';
import { startService } from '../support/service';

/** A file system of this size that the database may write to, or `undefined` where this machine allows none. */
function mountSmallDisk(megabytes: number): string | undefined {
  const runAs = chooseRunAs();
  if (!runAs || process.env.TEST_DATABASE_URL) return undefined;
  const path = mkdtempSync(join(tmpdir(), 'hrs-small-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    rmdirSync(path);
    return undefined;
  }
  chownSync(path, runAs.uid, runAs.gid);
  return path;
}

function unmount(path: string): void {
  execFileSync('umount', [path]);
  rmdirSync(path);
}

/** The table and, where it is partitioned, its parts: what is done to a partitioned table leaves those where they are. */
const PARTS = `SELECT oid::regclass AS part FROM pg_class WHERE oid = 'health_stats'::regclass
  OR oid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = 'health_stats'::regclass)`;

async function moveTo(databaseUrl: string, space: string): Promise<void> {
  for (const { part } of await sql<{ part: string }>(databaseUrl, PARTS))
    await sql(databaseUrl, `ALTER TABLE ${part} SET TABLESPACE ${space}`);
}

/**
 * Puts the records on a small disk; where the machine allows no such thing, makes the database say what it would say.
 *
 * @returns how to make room.
 */
async function limitDisk(databaseUrl: string): Promise<() => Promise<void>> {
  const path = mountSmallDisk(8);
  if (path === undefined) {
    await sql(
      databaseUrl,
      `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        IF (SELECT sum(pg_total_relation_size(part)) FROM (${PARTS}) parts) > 3000000 THEN RAISE EXCEPTION 'no' USING ERRCODE = '53100'; END IF;
        RETURN NEW; END $$;
      CREATE TRIGGER full_disk BEFORE INSERT ON health_stats FOR EACH ROW EXECUTE FUNCTION full_disk()`,
    );
    return async () => void (await sql(databaseUrl, 'DROP FUNCTION full_disk CASCADE'));
  }
  const space = `small_${path.slice(-6).toLowerCase().replace(/\W/g, 'x')}`;
  await sql(databaseUrl, `CREATE TABLESPACE ${space} LOCATION '${path}'`);
  await moveTo(databaseUrl, space);
  return async () => {
    await moveTo(databaseUrl, 'pg_default');
    await sql(urlOf('postgres'), `DROP TABLESPACE ${space}`);
    unmount(path);
  };
}

it('a full disk: writes are 503, reads and deletes go on, nothing acknowledged is lost, and room mends it', async () => {
  const databaseUrl = await createDatabase();
  const service = await startService({ DATABASE_URL: databaseUrl });
  const { api } = service;
  const makeRoom = await limitDisk(databaseUrl);
  let hasRoom = false;
  try {
    const { token } = await anAccount(api);
    const profileId = await aProfile(api, token);
    const acknowledged: string[] = [];
    const create = () =>
      api.post(
        '/api/health-stats',
        { profile_id: profileId, encrypted_data: aCiphertext(100_000) },
        { token },
      );
    let answer = await create();
    while (answer.status === 201 && acknowledged.length < 300) {
      acknowledged.push(answer.body.id);
      answer = await create();
    }
    expectFailure(answer, 'database_unavailable');
    expect(acknowledged.length).toBeGreaterThan(5);
    const parallel = await Promise.all(Array.from({ length: 10 }, create));
    for (const each of parallel)
      if (each.status === 201) acknowledged.push(each.body.id);
      else expectFailure(each, 'database_unavailable');
    const ids = async () =>
      (await api.get('/api/health-stats', { token })).body.map(({ id }: { id: string }) => id).sort();
    expect(await ids()).toEqual(acknowledged.sort());
    const gone = acknowledged.shift()!;
    expect((await api.delete(`/api/health-stats/${gone}`, undefined, { token })).status).toBe(204);
    expect((await api.get('/readyz')).status).toBe(200);
    await makeRoom();
    hasRoom = true;
    acknowledged.push((await aHealthStat(api, token, profileId)).id);
    expect(await ids()).toEqual(acknowledged.sort());
  } finally {
    if (!hasRoom) await makeRoom();
    await service.stop();
    await dropDatabase(databaseUrl);
  }
});
