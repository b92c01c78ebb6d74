import { RevisedEntity } from './entities';
import { bytesOfRowV1 } from '../migrations/record-triggers-v1';
import type { Table } from './tables';

/**
 * SQL that replaces the function of a table's triggers by one that does the same in single statements, each of
 * which names its account as a value: Citus cannot route a statement that joins the rows of a trigger with a
 * distributed table. On one server this function is a little slower than `triggerFunctionV1`.
 *
 * @param table of records.
 * @param schema already quoted for SQL.
 */
export function distributedTriggerFunction(
  { entity, name, kind, clientBytes }: Table,
  schema: string,
): string {
  const bytes = bytesOfRowV1(clientBytes);
  // A row without a revision changes with its bytes: a dose gets the proof of a new key.
  const changes = clientBytes.map((column) => `n.${column} IS DISTINCT FROM o.${column}`);
  const isRevised = entity.prototype instanceof RevisedEntity;
  const isChange = isRevised ? 'n.revision <> o.revision' : changes.join(' OR ') || 'false';
  return `CREATE OR REPLACE FUNCTION ${schema}.count_${name}() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  total record;
  entry record;
  place bigint;
BEGIN
  IF TG_OP = 'INSERT' THEN
    FOR total IN SELECT account_id, count(*) AS records, sum(${bytes}) AS bytes FROM new_rows GROUP BY 1 LOOP
      INSERT INTO ${schema}.account_usage AS u (account_id, records, bytes, last_change)
        VALUES (total.account_id, total.records, total.bytes, total.records)
        ON CONFLICT (account_id) DO UPDATE
        SET records = u.records + excluded.records, bytes = u.bytes + excluded.bytes,
          last_change = u.last_change + excluded.last_change
        RETURNING u.last_change INTO place;
      FOR entry IN
        SELECT id, ${bytes} AS bytes FROM new_rows n WHERE n.account_id = total.account_id ORDER BY id DESC
      LOOP
        INSERT INTO ${schema}.changes AS c (account_id, kind, record_id, position, bytes)
          VALUES (total.account_id, '${kind}', entry.id, place, entry.bytes)
          ON CONFLICT (account_id, kind, record_id) DO UPDATE
          SET position = excluded.position, bytes = excluded.bytes, deleted_at = NULL;
        place := place - 1;
      END LOOP;
    END LOOP;
  ELSIF TG_OP = 'DELETE' THEN
    FOR total IN SELECT account_id, count(*) AS records, sum(${bytes}) AS bytes FROM old_rows GROUP BY 1 LOOP
      UPDATE ${schema}.account_usage u
        SET records = u.records - total.records, bytes = u.bytes - total.bytes,
          last_change = u.last_change + total.records
        WHERE u.account_id = total.account_id
        RETURNING u.last_change INTO place;
      CONTINUE WHEN place IS NULL; -- the account itself is deleted
      FOR entry IN SELECT id FROM old_rows o WHERE o.account_id = total.account_id ORDER BY id DESC LOOP
        UPDATE ${schema}.changes c SET position = place, bytes = 0, deleted_at = now()
          WHERE c.account_id = total.account_id AND c.kind = '${kind}' AND c.record_id = entry.id;
        place := place - 1;
      END LOOP;
    END LOOP;
  ELSE
    FOR entry IN
      SELECT n.account_id, n.id, ${isChange} AS is_change, n.bytes, n.bytes - o.bytes AS growth
      FROM (SELECT *, ${bytes} AS bytes FROM new_rows) n
      JOIN (SELECT *, ${bytes} AS bytes FROM old_rows) o ON o.account_id = n.account_id AND o.id = n.id
      ORDER BY n.id
    LOOP
      CONTINUE WHEN NOT entry.is_change AND entry.growth = 0;
      UPDATE ${schema}.account_usage u
        SET bytes = u.bytes + entry.growth, last_change = u.last_change + entry.is_change::integer
        WHERE u.account_id = entry.account_id
        RETURNING u.last_change INTO place;
      CONTINUE WHEN NOT entry.is_change;
      UPDATE ${schema}.changes c SET position = place, bytes = entry.bytes
        WHERE c.account_id = entry.account_id AND c.kind = '${kind}' AND c.record_id = entry.id;
    END LOOP;
  END IF;
  RETURN NULL;
END $$`;
}
