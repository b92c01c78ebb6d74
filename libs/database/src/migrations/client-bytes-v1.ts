import type { QueryRunner } from 'typeorm';
import { placeV1 } from './owned-table-v1';
import { bytesOfRowV1, triggerFunctionV1 } from './record-triggers-v1';

/** A table whose counted columns change; see `@ClientBytes()`. */
export interface ClientBytesV1 {
  table: string;
  /** As in `OwnedTableV1`, and so is `revised`. */
  kind: string;
  revised?: boolean;
  before: readonly string[];
  after: readonly string[];
}

/**
 * Changes which columns of a table count against quotas, and corrects the counts of the existing rows.
 *
 * The table is locked against writes meanwhile, because every row is read once. The effect of this version
 * never changes; see `ownedTableV1`.
 */
export function clientBytesV1(table: ClientBytesV1): {
  /** For `up` of the migration. */
  apply(queryRunner: QueryRunner): Promise<void>;
  /** For `down` of the migration. */
  revert(queryRunner: QueryRunner): Promise<void>;
} {
  const { before, after } = table;
  return {
    apply: (queryRunner) => change(queryRunner, table, before, after),
    revert: (queryRunner) => change(queryRunner, table, after, before),
  };
}

async function change(
  queryRunner: QueryRunner,
  { table: name, kind, revised = true }: ClientBytesV1,
  from: readonly string[],
  to: readonly string[],
): Promise<void> {
  const { schema } = await placeV1(queryRunner);
  await queryRunner.query(`
    LOCK TABLE ${schema}.${name} IN SHARE ROW EXCLUSIVE MODE;
    UPDATE ${schema}.account_usage u SET bytes = u.bytes + changed.bytes
      FROM (
        SELECT account_id, sum((${bytesOfRowV1(to)}) - (${bytesOfRowV1(from)})) AS bytes
        FROM ${schema}.${name} GROUP BY account_id
      ) changed
      WHERE u.account_id = changed.account_id AND changed.bytes <> 0;
    UPDATE ${schema}.changes c SET bytes = stored.bytes
      FROM (SELECT account_id, id, ${bytesOfRowV1(to)} AS bytes FROM ${schema}.${name}) stored
      WHERE c.account_id = stored.account_id AND c.kind = '${kind}' AND c.record_id = stored.id;
    ${triggerFunctionV1({ name, kind, revised, clientBytes: to }, schema)}`);
}
