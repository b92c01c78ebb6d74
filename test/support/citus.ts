import { randomBytes } from 'node:crypto';
import { createDataSource, distributeTables } from '@app/database';
import { sql } from '@app/testing';
import { composeService } from '../../apps/api/src/domains';

/** Few shards: each is a table on a worker, and each test file makes a database. */
const SHARDS = 4;

interface Node {
  host: string;
  port: number;
}

/** The cluster that `TEST_CITUS_URL` names, by the URL of its coordinator. */
export class CitusCluster {
  constructor(private readonly url: string) {}

  /** Creates a database on every node, migrated and distributed if `migrated`. @returns its URL on the coordinator. */
  async createDatabase(migrated: boolean): Promise<string> {
    const name = `test_${randomBytes(6).toString('hex')}`;
    const nodes = await this.nodes();
    await Promise.all(nodes.map((node) => this.createOn(node, name)));
    const [coordinator, ...workers] = nodes;
    const url = this.urlOf(coordinator, name);
    await sql(url, 'SELECT citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port]);
    for (const { host, port } of workers) await sql(url, 'SELECT citus_add_node($1, $2)', [host, port]);
    if (migrated) await migrate(url);
    return url;
  }

  async dropDatabase(url: string): Promise<void> {
    const name = new URL(url).pathname.slice(1);
    for (const node of await this.nodes())
      await sql(this.urlOf(node, 'postgres'), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }

  private async createOn(node: Node, name: string): Promise<void> {
    await sql(this.urlOf(node, 'postgres'), `CREATE DATABASE ${name}`);
    const url = this.urlOf(node, name);
    await sql(url, 'CREATE EXTENSION citus');
    await sql(url, `ALTER DATABASE ${name} SET citus.enable_unsafe_triggers = on`);
    await sql(url, `ALTER DATABASE ${name} SET citus.shard_count = ${SHARDS}`);
  }

  /** The coordinator first. */
  private nodes(): Promise<Node[]> {
    return sql<Node>(
      this.url,
      'SELECT nodename AS host, nodeport AS port FROM pg_dist_node ORDER BY groupid <> 0, groupid',
    );
  }

  private urlOf({ host, port }: Node, database: string): string {
    const url = new URL(this.url);
    url.host = `${host}:${port}`;
    url.pathname = `/${database}`;
    return url.href;
  }
}

async function migrate(url: string): Promise<void> {
  const settings = { databasePoolSize: 2, databasePrepared: false };
  const dataSource = await createDataSource(settings, url, composeService().schema).initialize();
  try {
    await dataSource.runMigrations();
    await distributeTables(dataSource);
  } finally {
    await dataSource.destroy();
  }
}
