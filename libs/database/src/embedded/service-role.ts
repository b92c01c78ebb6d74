import { Client } from 'pg';

/** The role with which the service connects. Names and password need no quotes in SQL. */
export interface ServiceRole {
  role: string;
  password: string;
  database: string;
}

/**
 * Creates the role, and gives it the database with everything in it. In a database of an older version, which
 * had no such role, the superuser owns the tables.
 *
 * Security: SCRAM needs the password in clear text in the statement. The server logs no statements.
 * @param url of the database, for the superuser.
 */
export async function prepareServiceRole(url: string, { role, password, database }: ServiceRole) {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined); // Node would throw without a listener; the statement fails as well.
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_roles WHERE rolname = $1', [role]);
    if (!rowCount) await client.query(`CREATE ROLE ${role}`);
    await client.query(
      `ALTER ROLE ${role} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD '${password}'`,
    );
    await client.query(`ALTER DATABASE ${database} OWNER TO ${role}`);
    await client.query(giveObjectsTo(role));
  } finally {
    await client.end();
  }
}

/** REASSIGN OWNED does not work for objects of the first superuser. Partitions and sequences are relations too. */
function giveObjectsTo(role: string): string {
  const isForeign = (owner: string) => `${owner} <> '${role}'::regrole`;
  return `DO $$
    DECLARE object record;
    BEGIN
      FOR object IN
        SELECT 'SCHEMA' AS kind, quote_ident(nspname) AS name, nspowner AS owner FROM pg_namespace
          WHERE nspname !~ '^pg_' AND nspname NOT IN ('information_schema', 'public')
        UNION ALL
        SELECT CASE relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW'
            ELSE 'TABLE' END, c.oid::regclass::text, relowner
          FROM pg_class c JOIN pg_namespace n ON n.oid = relnamespace
          WHERE relkind IN ('r', 'p', 'v', 'm', 'S') AND nspname !~ '^pg_' AND nspname <> 'information_schema'
            -- A sequence of a column gets its owner from the table.
            AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.classid = 'pg_class'::regclass
              AND d.deptype IN ('a', 'i') AND c.relkind = 'S')
        UNION ALL
        SELECT 'ROUTINE', p.oid::regprocedure::text, proowner
          FROM pg_proc p JOIN pg_namespace n ON n.oid = pronamespace
          WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
        UNION ALL
        SELECT 'TYPE', t.oid::regtype::text, typowner
          FROM pg_type t JOIN pg_namespace n ON n.oid = typnamespace
          WHERE typtype IN ('e', 'd', 'r') AND nspname !~ '^pg_' AND nspname <> 'information_schema'
      LOOP
        CONTINUE WHEN NOT (${isForeign('object.owner')});
        EXECUTE format('ALTER %s %s OWNER TO ${role}', object.kind, object.name);
      END LOOP;
    END $$`;
}
