import ts from 'typescript';
import { ALL_SOURCES, type Source } from './sources';

/** The page, the client and the knowledge base have words of their own. */
const SERVER = ALL_SOURCES.filter(
  ({ path }) => !/^apps\/web\/|^libs\/(client|interactions)\/|\.spec\.ts$/.test(path),
);

/** The names that the statements of a file declare and export. */
function exportedNames({ tree }: Source): string[] {
  return tree.statements
    .filter((statement) => ts.canHaveModifiers(statement))
    .filter((statement) =>
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword),
    )
    .flatMap((statement) =>
      ts.isVariableStatement(statement)
        ? statement.declarationList.declarations.map(({ name }) => name.getText())
        : [(statement as ts.Statement & { name?: ts.Identifier }).name?.text ?? ''],
    );
}

it('no name is exported by two files of the service: one word has one meaning', () => {
  const files = new Map<string, string[]>();
  for (const source of SERVER)
    for (const name of new Set(exportedNames(source)))
      files.set(name, [...(files.get(name) ?? []), source.path]);
  expect(files.size).toBeGreaterThan(500);
  expect([...files].filter(([, paths]) => paths.length > 1)).toEqual([]);
});
