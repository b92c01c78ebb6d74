import { randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgres } from '@app/database';
import { removeDataDir } from '@app/testing';
import { anAccount } from '../support/factories';
import { sql } from '../support/databases';
import { startService } from '../support/service';

let dataDir: string;
let postgres: EmbeddedPostgres;
const password = randomBytes(12).toString('hex');
const start = () => EmbeddedPostgres.start({ dataDir, password, settings: { fsync: 'off' } });
beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hrs-role-'));
  postgres = await start();
});
afterAll(async () => {
  await postgres.stop();
  removeDataDir(dataDir);
});

/** Everything of the database that does not belong to the role of the service. */
const FOREIGN = `
  SELECT relname AS name FROM pg_class WHERE relnamespace::regnamespace::text IN ('public', 'of_a_team')
    AND relkind IN ('r', 'p', 'v', 'm', 'S') AND relowner <> 'health_records'::regrole
  UNION SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND proowner <> 'health_records'::regrole
  UNION SELECT nspname FROM pg_namespace WHERE nspname = 'of_a_team' AND nspowner <> 'health_records'::regrole
  UNION SELECT datname FROM pg_database WHERE datname = 'health_records' AND datdba <> 'health_records'::regrole`;

describe('the role of the service in the embedded PostgreSQL', () => {
  it('has no right but its database', async () => {
    const rights = 'rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls';
    const [role] = await sql(
      postgres.url,
      `SELECT current_user AS name, ${rights} FROM pg_roles WHERE rolname = current_user`,
    );
    const [name, ...others] = Object.values(role);
    expect([name, others]).toEqual(['health_records', Array(5).fill(false)]);
    await expect(sql(postgres.url, 'CREATE DATABASE another')).rejects.toThrow('permission denied');
    await expect(sql(postgres.url, 'SELECT rolpassword FROM pg_authid')).rejects.toThrow('permission denied');
    await expect(sql(postgres.url, `COPY (SELECT 1) TO PROGRAM 'true'`)).rejects.toThrow('permission denied');
  });

  it('cannot be used with the password of the superuser, nor that one with its own', async () => {
    const own = new URL(postgres.url).password;
    expect(own).not.toBe(password);
    const url = new URL(postgres.urlOf('postgres'));
    url.password = own;
    await expect(sql(url.href, 'SELECT 1')).rejects.toThrow('password authentication failed');
  });

  it('gets everything that an older version made as the superuser', async () => {
    const superuser = postgres.urlOf('health_records');
    // The version before: the superuser migrates, and serves.
    const older = await startService({ DATABASE_URL: superuser });
    const { token } = await anAccount(older.api);
    await older.stop();
    await sql(superuser, 'ALTER DATABASE health_records OWNER TO postgres');
    await sql(superuser, 'CREATE SCHEMA of_a_team');
    await sql(superuser, `CREATE TYPE of_a_team.kind AS ENUM ('a')`);
    await sql(superuser, 'CREATE TABLE of_a_team."Some notes" (id serial, kind of_a_team.kind)');
    await sql(superuser, 'CREATE VIEW of_a_team.seen AS SELECT 1 AS one');
    expect((await sql(superuser, FOREIGN)).length).toBeGreaterThan(20);
    await postgres.stop();
    postgres = await start();
    expect(await sql(postgres.url, FOREIGN)).toEqual([]);
    const service = await startService({ DATABASE_URL: postgres.url });
    expect((await service.api.get('/api/users/me', { token })).status).toBe(200);
    await service.stop();
    await sql(postgres.url, `ALTER TYPE of_a_team.kind ADD VALUE 'b'`);
    await sql(postgres.url, 'DROP TABLE of_a_team."Some notes"');
  });

  it('migrates an empty database', async () => {
    await sql(postgres.url, 'DROP SCHEMA public CASCADE; CREATE SCHEMA public');
    const service = await startService({ DATABASE_URL: postgres.url });
    await anAccount(service.api);
    await service.stop();
  });
});
