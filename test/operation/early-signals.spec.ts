import { existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { removeDataDir } from '@app/testing';
import { type BuiltService, spawnBuiltService, startBuiltService } from '../support/built-service';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { anAccount } from '../support/factories';
import { until } from '../support/until';

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
});

async function anEmptyDatabase(): Promise<string> {
  const url = await createDatabase(false);
  cleanUp.push(() => dropDatabase(url));
  return url;
}

function killLater(service: BuiltService): BuiltService {
  cleanUp.push(() => service.end('SIGKILL'));
  return service;
}

describe('a signal in the middle of a migration', () => {
  it.each([
    ['SIGINT', '1'],
    ['SIGTERM', '2'],
  ] as const)(
    '%s ends %s process(es) at once, and the next start finds nothing half done',
    async (signal, count) => {
      const url = await anEmptyDatabase();
      // A table of the migration's own, not yet committed: the migration waits for what becomes of it.
      const blocker = new Client({ connectionString: url });
      await blocker.connect();
      cleanUp.push(() => blocker.end());
      await blocker.query('BEGIN');
      await blocker.query('CREATE TABLE health_stats ()');
      // Its own end of waiting for the lock would come too late for this test.
      const environment = { DATABASE_URL: `${url}?lock_timeout=600000`, WEB_CONCURRENCY: count };
      const service = killLater(await spawnBuiltService(environment));
      const others = `SELECT wait_event_type AS waits FROM pg_stat_activity
      WHERE datname = current_database() AND application_name = 'health-records-service' AND state <> 'idle'`;
      const waits = async () => (await sql<{ waits: string }>(url, others)).map((row) => row.waits);
      await until('the migration waits', async () => (await waits()).includes('Lock'));
      expect(await service.end(signal)).toBe(0);
      await blocker.query('ROLLBACK');
      await until('the database has noticed', async () => (await waits()).length === 0);
      const tables = `SELECT 1 FROM information_schema.tables WHERE table_schema = 'public' AND table_name <> 'migrations'`;
      expect(await sql(url, tables)).toEqual([]);
      const next = killLater(await startBuiltService(environment));
      await anAccount(next.api);
    },
  );
});

describe('a start that does not succeed', () => {
  it.each(['1', '2'])(
    'leaves no embedded PostgreSQL behind where a signal comes before %s process(es) know it',
    async (count) => {
      const dataDir = mkdtempSync(join(tmpdir(), 'hrs-early-'));
      cleanUp.push(() => removeDataDir(dataDir));
      const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
      const service = killLater(await spawnBuiltService({ DATA_DIR: dataDir, WEB_CONCURRENCY: count }));
      await until('the server begins to start', async () => Promise.resolve(existsSync(pidFile)));
      expect(await service.end()).toBe(0);
      await until('the database has ended', async () => Promise.resolve(!existsSync(pidFile)));
    },
  );

  it('leaves no embedded PostgreSQL behind', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'hrs-early-'));
    cleanUp.push(() => removeDataDir(dataDir));
    const environment = { DATA_DIR: dataDir, JWT_SECRET: 'the secret of the first start, long enough' };
    const first = killLater(await startBuiltService(environment));
    expect(await first.end()).toBe(0);
    const second = { ...environment, JWT_SECRET: 'the secret of the second start, long enough' };
    await expect(startBuiltService(second)).rejects.toThrow('JWT_SECRET is not the secret');
    await until('the database has ended', async () =>
      Promise.resolve(!existsSync(join(dataDir, 'postgres', 'postmaster.pid'))),
    );
  });
});
