import { randomBytes } from 'node:crypto';
import { createDataSource, distributeTables } from '@app/database';
import { sql } from '@app/testing';
import { composeService } from '../../apps/api/src/domains';

/** Few shards: each is a table on a worker, and each test file makes a database. */
const DATABASE_SETTINGS = { 'citus.enable_unsafe_triggers': 'on', 'citus.shard_count': '4' };

interface Node {
  host: string;
  port: number;
}

/** A database on every node that is migrated and distributed. The others are copies of it. */
const TEMPLATE = 'template_distributed';

/** What `docs/scaling.md` tells operators to set. A worker waits for locks by its own settings. */
const TIMEOUTS = { lock_timeout: '5s', statement_timeout: '30s' };

/** The cluster that `TEST_CITUS_URL` names, by the URL of its coordinator. */
export class CitusCluster {
  constructor(private readonly url: string) {}

  /** Creates a database on every node, migrated and distributed if `migrated`. @returns its URL on the coordinator. */
  async createDatabase(migrated: boolean): Promise<string> {
    const name = `test_${randomBytes(6).toString('hex')}`;
    const nodes = await this.nodes();
    if (!migrated) return this.createEmpty(name, nodes);
    await this.provideTemplate(nodes);
    await onEach(nodes, async (node) => {
      await this.onNode(node, `CREATE DATABASE ${name} TEMPLATE ${TEMPLATE}`);
      await this.set(node, name, { ...DATABASE_SETTINGS, ...TIMEOUTS });
    });
    return this.urlOf(nodes[0], name);
  }

  async dropDatabase(url: string): Promise<void> {
    const name = new URL(url).pathname.slice(1);
    await onEach(await this.nodes(), (node) => this.drop(node, name));
  }

  /** Makes the template, unless this run has made it. Its comment names the run. */
  private async provideTemplate(nodes: Node[]): Promise<void> {
    const run = process.env.TEST_RUN!;
    const [{ made }] = await sql<{ made: string | null }>(
      this.url,
      `SELECT (SELECT shobj_description(oid, 'pg_database') FROM pg_database WHERE datname = $1) AS made`,
      [TEMPLATE],
    );
    if (made === run) return;
    await onEach(nodes, (node) => this.drop(node, TEMPLATE));
    await migrate(await this.createEmpty(TEMPLATE, nodes));
    // A database in use cannot be copied, and a process of Citus uses each.
    await onEach(nodes, async (node) => {
      await this.onNode(node, `ALTER DATABASE ${TEMPLATE} ALLOW_CONNECTIONS false`);
      const end = `SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE datname = '${TEMPLATE}'`;
      await this.onNode(node, end);
    });
    await this.onNode(nodes[0], `COMMENT ON DATABASE ${TEMPLATE} IS '${run}'`);
  }

  private async createEmpty(name: string, nodes: Node[]): Promise<string> {
    await onEach(nodes, async (node) => {
      await this.onNode(node, `CREATE DATABASE ${name}`);
      await sql(this.urlOf(node, name), 'CREATE EXTENSION citus');
      await this.set(node, name, DATABASE_SETTINGS);
    });
    const [coordinator, ...workers] = nodes;
    const url = this.urlOf(coordinator, name);
    await sql(url, 'SELECT citus_set_coordinator_host($1, $2)', [coordinator.host, coordinator.port]);
    for (const { host, port } of workers) await sql(url, 'SELECT citus_add_node($1, $2)', [host, port]);
    return url;
  }

  private async set(node: Node, name: string, settings: Record<string, string>): Promise<void> {
    for (const [key, value] of Object.entries(settings))
      await this.onNode(node, `ALTER DATABASE ${name} SET ${key} = '${value}'`);
  }

  private drop(node: Node, name: string): Promise<unknown> {
    return this.onNode(node, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  }

  private onNode(node: Node, text: string): Promise<unknown> {
    return sql(this.urlOf(node, 'postgres'), text);
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

function onEach<T>(nodes: Node[], work: (node: Node) => Promise<T>): Promise<T[]> {
  return Promise.all(nodes.map(work));
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
