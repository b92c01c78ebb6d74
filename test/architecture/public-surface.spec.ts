import { dirname, join } from 'node:path';
import ts from 'typescript';
import { type Source, SOURCES } from './sources';

/** The entries of the package: what a module outside of this repository imports. */
const ENTRIES = SOURCES.filter(({ path }) =>
  /^libs\/[a-z-]+\/src\/public\.ts$|^apps\/api\/src\/index\.ts$/.test(path),
);

interface Exported {
  name: string;
  /** The file that declares it, or hands it on from a library. */
  from: Source;
}

/** What an entry exports; `undefined` for a statement that does not tell its names one by one. */
function exportsOf({ path, tree }: Source): (Exported | undefined)[] {
  return tree.statements.filter(ts.isExportDeclaration).flatMap(({ exportClause, moduleSpecifier }) => {
    if (!exportClause || !ts.isNamedExports(exportClause) || !moduleSpecifier) return [undefined];
    const from = sourceOf(path, (moduleSpecifier as ts.StringLiteral).text);
    return exportClause.elements.map(({ name }) => ({ name: name.text, from }));
  });
}

/** Of another library only what is public itself. */
function sourceOf(path: string, specifier: string): Source {
  const file = specifier.startsWith('@app/')
    ? `libs/${specifier.slice('@app/'.length)}/src/${specifier === '@app/extension' ? 'extension' : 'public'}.ts`
    : `${join(dirname(path), specifier)}.ts`;
  return SOURCES.find((source) => source.path === file)!;
}

function isDocumented({ name, from }: Exported): boolean {
  const handedOn = exportsOf(from).find((one) => one?.name === name);
  if (handedOn) return isDocumented(handedOn);
  const declarations = from.tree.statements.filter((statement) => namesOf(statement).includes(name));
  return declarations.some((declaration) => ts.getJSDocCommentsAndTags(declaration).length > 0);
}

function namesOf(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = statement as ts.Statement & { name?: ts.Identifier };
  return name ? [name.text] : [];
}

describe('what a module outside may import', () => {
  it('is in one file a library', () => {
    expect(ENTRIES.map(({ path }) => path)).toEqual([
      'apps/api/src/index.ts',
      ...['common', 'config', 'database', 'http', 'opaque', 'records', 'security'].map(
        (lib) => `libs/${lib}/src/public.ts`,
      ),
    ]);
  });

  it.each(ENTRIES.map((entry) => [entry.path, entry] as const))(
    '%s tells its names one by one, each with a docstring',
    (_, entry) => {
      const exported = exportsOf(entry);
      expect(exported.length).toBeGreaterThan(2);
      expect(exported).not.toContain(undefined);
      expect(exported.filter((one) => !isDocumented(one!)).map((one) => one!.name)).toEqual([]);
    },
  );
});
