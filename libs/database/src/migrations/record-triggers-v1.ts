/** The facts of a table of records that its triggers need. */
export interface TrackedTableV1 {
  name: string;
  /** The name of the records in the feed of `GET /api/sync`. */
  kind: string;
  /** Whether rows have a `revision`. Rows without one never change. */
  revised: boolean;
  /** The columns whose bytes count against the quota. */
  clientBytes: readonly string[];
  /** Of rows without a revision: the column whose change is a change of the record. */
  changing?: string;
}

/**
 * SQL of the triggers that keep `account_usage` and `changes` consistent with a table, also after cascades.
 * They run once for each statement, not for each row. The function names the schema, because a restore runs
 * with an empty search path.
 *
 * The result of this version never changes; see `ownedTableV1`.
 *
 * @param schema already quoted for SQL.
 */
export function createTriggersV1(table: TrackedTableV1, schema: string): string {
  const triggers = TRIGGERS_V1.map((suffix) => `${createTriggerV1(table.name, suffix, schema)};`);
  return [triggerFunctionV1(table, schema), ...triggers].join('\n');
}

const ROWS = {
  inserted: ['INSERT', 'NEW TABLE AS new_rows'],
  deleted: ['DELETE', 'OLD TABLE AS old_rows'],
  updated: ['UPDATE', 'NEW TABLE AS new_rows OLD TABLE AS old_rows'],
} as const;

/** The names of the triggers of a table end so. */
export const TRIGGERS_V1 = ['inserted', 'deleted', 'updated'] as const;

/** SQL of one of them. The function exists. */
export function createTriggerV1(name: string, suffix: (typeof TRIGGERS_V1)[number], schema: string): string {
  const [event, rows] = ROWS[suffix];
  return `CREATE TRIGGER ${name}_${suffix} AFTER ${event} ON ${schema}.${name} REFERENCING ${rows}
  FOR EACH STATEMENT EXECUTE FUNCTION ${schema}.count_${name}()`;
}

/** SQL that removes the remaining parts of the triggers after the table is dropped. */
export function dropTriggersV1(table: string, schema: string): string {
  return `DROP FUNCTION ${schema}.count_${table}();`;
}

/**
 * SQL that creates or replaces the trigger function.
 *
 * The positions in an account's feed come from the account's row in `account_usage`. A statement locks that
 * row until its commit, so the order of positions is the order of commits. The rows of one statement get
 * positions in the order of their ids.
 */
export function triggerFunctionV1(
  { name, kind, revised, clientBytes, changing }: TrackedTableV1,
  schema: string,
): string {
  const marked = revised ? 'revision' : changing;
  const isChange = revised
    ? 'r.revision <> o.of_revision'
    : `r.${changing} IS DISTINCT FROM o.of_${changing}`;
  const bytes = bytesOfRowV1(clientBytes);
  // The last position of the statement is known. Its rows get the positions up to it.
  const position = 'usage.last_change + 1 - row_number() OVER (PARTITION BY r.account_id ORDER BY r.id DESC)';
  return `CREATE OR REPLACE FUNCTION ${schema}.count_${name}() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    WITH usage AS (
      INSERT INTO ${schema}.account_usage AS u (account_id, records, bytes, last_change)
        SELECT account_id, count(*), sum(${bytes}), count(*) FROM new_rows GROUP BY account_id
        ON CONFLICT (account_id) DO UPDATE
        SET records = u.records + excluded.records, bytes = u.bytes + excluded.bytes,
          last_change = u.last_change + excluded.last_change
        RETURNING account_id, last_change
    )
    INSERT INTO ${schema}.changes AS c (account_id, kind, record_id, position, bytes)
      SELECT r.account_id, '${kind}', r.id, ${position}, ${bytes}
      FROM new_rows r JOIN usage ON usage.account_id = r.account_id
      ON CONFLICT (account_id, kind, record_id) DO UPDATE
      SET position = excluded.position, bytes = excluded.bytes, deleted_at = NULL;
  ELSIF TG_OP = 'DELETE' THEN
    WITH usage AS (
      UPDATE ${schema}.account_usage u SET records = u.records - gone.records, bytes = u.bytes - gone.bytes,
          last_change = u.last_change + gone.records
        FROM (SELECT account_id, count(*) AS records, sum(${bytes}) AS bytes FROM old_rows GROUP BY account_id) gone
        WHERE u.account_id = gone.account_id
        RETURNING u.account_id, u.last_change
    )
    UPDATE ${schema}.changes c SET position = gone.position, bytes = 0, deleted_at = now()
      FROM (
        SELECT r.account_id, r.id, ${position} AS position
        FROM old_rows r JOIN usage ON usage.account_id = r.account_id
      ) gone
      WHERE c.account_id = gone.account_id AND c.kind = '${kind}' AND c.record_id = gone.id;
  ELSE
    -- A row whose revision stays is no change of the record: the service has only forgotten an idempotency key.
    WITH updated AS (
      SELECT r.account_id, r.id, ${marked ? isChange : 'false'} AS is_change,
          ${bytes} AS bytes, o.bytes_before
        FROM new_rows r JOIN (
          SELECT account_id AS of_account, id AS of_id, ${marked ? `${marked} AS of_${marked}, ` : ''}${bytes} AS bytes_before
          FROM old_rows
        ) o ON o.of_account = r.account_id AND o.of_id = r.id
    ), usage AS (
      UPDATE ${schema}.account_usage u SET bytes = u.bytes + grown.bytes, last_change = u.last_change + grown.changes
        FROM (
          SELECT account_id, sum(bytes - bytes_before) AS bytes, count(*) FILTER (WHERE is_change) AS changes
          FROM updated GROUP BY account_id
        ) grown
        WHERE u.account_id = grown.account_id AND (grown.changes > 0 OR grown.bytes <> 0)
        RETURNING u.account_id, u.last_change
    )
    UPDATE ${schema}.changes c SET position = moved.position, bytes = moved.bytes
      FROM (
        SELECT r.account_id, r.id, ${position} AS position, r.bytes
        FROM updated r JOIN usage ON usage.account_id = r.account_id
        WHERE r.is_change
      ) moved
      WHERE c.account_id = moved.account_id AND c.kind = '${kind}' AND c.record_id = moved.id;
  END IF;
  RETURN NULL;
END $$;`;
}

/** SQL for the bytes of one row that count. */
export function bytesOfRowV1(clientBytes: readonly string[]): string {
  return clientBytes.map((column) => `coalesce(octet_length(${column}), 0)`).join(' + ') || '0';
}
