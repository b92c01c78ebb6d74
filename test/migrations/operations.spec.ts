import { setTimeout as sleep } from 'node:timers/promises';
import { createDataSource } from '@app/database';
import type { QueryRunner } from 'typeorm';
import { composeService } from '../../apps/api/src/domains';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { aHealthStat, anAccount, aProfile } from '../support/factories';
import { ops } from '../support/ops';
import { startServiceHere } from '../support/service-here';

const BASE = { databasePoolSize: 2, databasePrepared: true };

/** As a team outside writes it: an index on a large table, without a lock on its writers. */
class IndexStats1799999999999 {
  readonly name = 'IndexStats1799999999999';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('CREATE INDEX CONCURRENTLY stats_of_day ON health_stats (account_id, recorded_at)');
  }
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DROP INDEX stats_of_day');
  }
}

describe('a migration with CREATE INDEX CONCURRENTLY', () => {
  it('runs at a start while others write, and replaces an index that was left half-made', async () => {
    const service = await startServiceHere();
    const { token } = await anAccount(service.api);
    const profileId = await aProfile(service.api, token);
    for (let count = 0; count < 2; count++) await aHealthStat(service.api, token, profileId);
    const halfMade = sql(
      service.databaseUrl,
      'CREATE UNIQUE INDEX CONCURRENTLY stats_of_day ON health_stats (account_id)',
    );
    await expect(halfMade).rejects.toMatchObject({ code: '23505' });
    let isMigrated = false;
    const statuses = new Set<string>();
    const load = (async () => {
      while (!isMigrated) {
        statuses.add(String(await aHealthStat(service.api, token, profileId).then(() => 201, String)));
        await sleep(1);
      }
    })();
    const next = await startServiceHere({ DATABASE_URL: service.databaseUrl }, undefined, {
      migrations: [IndexStats1799999999999],
    });
    isMigrated = true;
    await load;
    expect([...statuses]).toEqual(['201']);
    const indexes = await sql<{ valid: boolean; unique: boolean }>(
      service.databaseUrl,
      `SELECT indisvalid AS valid, indisunique AS unique FROM pg_index WHERE indexrelid = 'stats_of_day'::regclass`,
    );
    expect(indexes).toEqual([{ valid: true, unique: false }]);
    await next.stop();
    await service.stop();
  });
});

describe('the first migration', () => {
  it('is not reverted over accounts', async () => {
    const service = await startServiceHere();
    await anAccount(service.api);
    const dataSource = createDataSource(BASE, service.databaseUrl, composeService().schema);
    await dataSource.initialize();
    const runs = dataSource.migrations.length;
    for (let count = 1; count < runs; count++) await dataSource.undoLastMigration({ transaction: 'each' });
    await expect(dataSource.undoLastMigration({ transaction: 'each' })).rejects.toThrow(
      'there are accounts in them',
    );
    await dataSource.destroy();
    expect(await sql(service.databaseUrl, 'SELECT 1 FROM accounts')).toHaveLength(1);
    await service.stop();
  });
});

describe('a load of data alone, into tables that a start has made', () => {
  it.each([
    ['in the order of a dump', 1],
    ['with the counts last', -1],
  ])('%s counts every record once', async (_, direction) => {
    const service = await startServiceHere();
    const { token } = await anAccount(service.api);
    const profileId = await aProfile(service.api, token);
    await aHealthStat(service.api, token, profileId);
    await aHealthStat(service.api, token, profileId);
    const target = await createDatabase();
    const usage = 'SELECT account_id, records, bytes FROM account_usage';
    const parents = ['accounts', 'logins'];
    const rest = ['account_usage', 'changes', 'profiles', 'health_stats'];
    // A row at a time: a trigger for each statement must come to the same counts as for all rows.
    for (const table of [
      ...parents,
      ...(direction === 1 ? rest : ['profiles', 'health_stats', 'changes', 'account_usage']),
    ]) {
      const rows = await sql<{ row: string }>(
        service.databaseUrl,
        `SELECT to_jsonb(t)::text AS row FROM ${table} t`,
      );
      for (const { row } of rows)
        await sql(target, `INSERT INTO ${table} SELECT * FROM jsonb_populate_record(NULL::${table}, $1)`, [
          row,
        ]);
    }
    expect(await sql(target, usage)).toEqual(await sql(service.databaseUrl, usage));
    const { code, result } = await ops({ DATABASE_URL: target }, 'verify');
    expect([code, result]).toEqual([
      0,
      expect.objectContaining({ accounts: 1, usage_differs: 0, feed_differs: 0 }),
    ]);
    expect((await ops({ DATABASE_URL: target }, 'new-epoch', '--yes')).code).toBe(0);
    await service.stop();
    await dropDatabase(target);
  });
});
