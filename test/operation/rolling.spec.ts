import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Balancer } from '../support/balancer';
import { type BuiltService, startBuiltService } from '../support/built-service';
import { createDatabase, dropDatabase, sql } from '../support/databases';
import { anAccount, aProfile } from '../support/factories';
import { SteadyClient } from '../support/steady-client';
import { until } from '../support/until';

const CLIENTS = 6;
/** How often each of the two is restarted. */
const ROUNDS = Math.ceil(Number(process.env.TEST_LONG ?? 1) / 5);
/** The main file of a built earlier release. With it the first restarts are the update from that one, migrations included. */
const BEFORE = process.env.TEST_RELEASE_BEFORE;
const RUN = join(__dirname, '../../dist/apps/api/src/run.js');

/**
 * The main file of the next release: this service, and two migrations that it brings. The first rewrites a table that
 * every client writes to, under the strongest lock, for as long as writes may wait. The second makes an index without
 * a lock. So what runs beside it, on the schema of after, is the release before it.
 */
const NEXT_RELEASE = `
class Grown1900000000000 {
  async up(queryRunner) {
    await queryRunner.query("ALTER TABLE health_stats ADD COLUMN grown text NOT NULL DEFAULT ''");
    await queryRunner.query('ALTER TABLE health_stats ALTER COLUMN grown TYPE varchar(9)');
    await queryRunner.query('SELECT pg_sleep(1)');
  }
  async down() {}
}
class Indexed1900000000001 {
  transaction = false;
  async up(queryRunner) {
    await queryRunner.query('CREATE INDEX CONCURRENTLY health_stats_grown ON health_stats (account_id, grown)');
  }
  async down() {}
}
require(${JSON.stringify(RUN)}).run({ migrations: [Grown1900000000000, Indexed1900000000001] });
`;

describe('services behind a balancer, under load', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hrs-rolling-'));
  const nextRelease = join(folder, 'main.js');
  let databaseUrl: string;
  let balancer: Balancer;
  let running: BuiltService[] = [];

  const start = async (main?: string) => {
    const service = await startBuiltService(
      { DATABASE_URL: databaseUrl, SHUTDOWN_DELAY_SECONDS: '2' },
      { main },
    );
    running.push(service);
    balancer.add(service.api);
    await until('the balancer uses it', async () => balancer.uses(service.api));
    return service;
  };

  /** Ends a service as an orchestrator does: it stays behind the balancer until it says itself that it is not ready. */
  const retire = async (service: BuiltService) => {
    expect(await service.end('SIGTERM')).toBe(0);
    balancer.remove(service.api);
    running = running.filter((other) => other !== service);
  };

  beforeAll(async () => {
    writeFileSync(nextRelease, NEXT_RELEASE);
    databaseUrl = await createDatabase(BEFORE === undefined);
    balancer = await Balancer.start();
    await start(BEFORE);
    await start(BEFORE);
  });
  afterAll(async () => {
    await balancer.stop();
    for (const service of running) await service.end('SIGKILL');
    await dropDatabase(databaseUrl);
    rmSync(folder, { recursive: true });
  });

  /** Clients write and read without a pause while `work` runs. Nobody notices it, and everything is stored once. */
  async function unnoticed(work: () => Promise<void>): Promise<void> {
    let isOver = false;
    const stored = new Map<string, string[]>();
    const people = await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        const { token } = await anAccount(running[0].api);
        stored.set(token, []);
        return { token, profileId: await aProfile(running[0].api, token) };
      }),
    );
    const clients = people.map(({ token, profileId }) => ({
      client: new SteadyClient(balancer.port, token),
      profileId,
      ids: stored.get(token)!,
    }));
    const busy = clients.map(async ({ client, profileId, ids }) => {
      while (!isOver) {
        const blob = 'x'.repeat(ids.length % 10 === 0 ? 200_000 : 500);
        const body = { profile_id: profileId, encrypted_data: blob };
        const made = await client.send('POST', '/api/health-stats', body, {
          'Idempotency-Key': randomUUID(),
        });
        if (made) ids.push(made.body.id as string);
        await client.send('GET', '/api/health-stats?limit=3');
        if (made) await client.send('PUT', `/api/health-stats/${made.body.id}`, { encrypted_data: 'y' });
        await client.send('GET', '/api/medications');
      }
      client.end();
    });
    await work();
    isOver = true;
    await Promise.all(busy);
    expect(clients.flatMap(({ client }) => client.failures)).toEqual([]);
    for (const { client, ids } of clients) expect([client.answers > 0, ids.length > 0]).toEqual([true, true]);
    for (const { token } of people) {
      const { body } = await running[0].api.get('/api/health-stats', { token });
      const found = (body as { id: string }[]).map(({ id }) => id);
      expect(found.sort()).toEqual(stored.get(token)!.sort());
    }
  }

  it('are restarted one by one, and no client sees a broken connection', async () => {
    await unnoticed(async () => {
      for (let round = 0; round < ROUNDS; round++) {
        for (const old of [...running]) {
          await start();
          await retire(old);
        }
      }
    });
  }, 300_000);

  it('are upgraded one by one, with a migration in between, and no request fails', async () => {
    await unnoticed(async () => {
      for (const old of [...running]) {
        await start(nextRelease);
        await retire(old);
      }
    });
    const columns = `SELECT 1 FROM information_schema.columns WHERE table_name = 'health_stats' AND column_name = 'grown'`;
    expect(await sql(databaseUrl, columns)).toHaveLength(1);
  }, 300_000);
});
