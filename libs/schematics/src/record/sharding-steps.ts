import { SchematicsException, type Tree } from '@angular-devkit/schematics';

const DOCUMENT = 'docs/scaling.md';
const END_OF_TABLES = ']) AS name;\n';
const END_OF_TRACKED = ')\n       AS list (name, kind, bytes, is_change)\n';

/**
 * Adds a table to the steps to Citus. An operator copies the SQL of these steps.
 *
 * @throws SchematicsException if the document no longer contains the ends of its two lists.
 */
export function addToShardingSteps(tree: Tree, table: string, kind: string): void {
  const text = tree.readText(DOCUMENT);
  for (const end of [END_OF_TABLES, END_OF_TRACKED])
    if (text.split(end).length !== 2)
      throw new SchematicsException(`${DOCUMENT} has no list that ends with ${end}`);
  const tracked = `('${table}', '${kind}', 'octet_length(encrypted_data)', 'n.revision <> o.revision')`;
  const added = text
    .replace(END_OF_TABLES, () => `,\n       '${table}'${END_OF_TABLES}`)
    .replace(END_OF_TRACKED, () => `,\n       ${tracked}${END_OF_TRACKED}`);
  tree.overwrite(DOCUMENT, added);
}
