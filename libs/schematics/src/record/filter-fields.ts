import { SchematicsException } from '@angular-devkit/schematics';
import { userOfColumn } from './taken-names';

const FIELD = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;

/** Names that a record, its answer or a list query already uses. */
const TAKEN = new Set([
  'id',
  'account_id',
  'profile_id',
  'encrypted_data',
  'created_at',
  'updated_at',
  'revision',
  'idempotency_key',
  'idempotency_body',
  'limit',
  'cursor',
  'updated_since',
  'constructor',
  // Members that a record has in the client.
  'details',
  'epoch',
  'altered',
  'pending',
  'doubt',
  'edited',
  'lineage',
]);

/** The list of `--filters`. The program that reads the command gives 0 for `--filters=`, and true for `--filters` alone. */
export type FilterList = string | number | boolean;

/**
 * Reads the plain text fields of a record kind from a comma-separated list. An empty one has none.
 *
 * @throws SchematicsException if there is no list, or if a name is not in snake_case, occurs twice, is reserved, or is a field of every record.
 */
export function filterFieldsOf(list: FilterList): string[] {
  if (list === true)
    throw new SchematicsException(
      'Please name the fields, for example --filters=status, or none with --filters=.',
    );
  const names = String(list || '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  for (const [index, name] of names.entries()) {
    if (!FIELD.test(name)) throw new SchematicsException(`The field ${name} is not in snake_case.`);
    if (TAKEN.has(name)) throw new SchematicsException(`Every record has the field ${name} already.`);
    const user = userOfColumn(name);
    if (user) throw new SchematicsException(`The field ${name} can't be used: ${user} reserves the word.`);
    if (names.indexOf(name) !== index) throw new SchematicsException(`The field ${name} is named twice.`);
  }
  return names;
}
