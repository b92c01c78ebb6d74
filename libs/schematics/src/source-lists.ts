import { SchematicsException, type Tree } from '@angular-devkit/schematics';
import ts from 'typescript';

/** An element for a list in a source file, with the imports that it needs. */
export interface ListElement {
  /** Name of the property or variable that holds the array literal. */
  list: string;
  /** Source text of the element. */
  text: string;
  /** Symbols that the element uses, by the module that exports them. */
  imports?: Record<string, string[]>;
}

/** @throws SchematicsException if the file or the list does not exist. */
export function addToList(tree: Tree, path: string, { list, text, imports = {} }: ListElement): void {
  const source = ts.createSourceFile(path, tree.readText(path), ts.ScriptTarget.Latest, true);
  const array = arrayNamed(source, list);
  if (!array) throw new SchematicsException(`${path} has no list named ${list}.`);
  const last = array.elements.at(-1);
  const recorder = tree.beginUpdate(path);
  recorder.insertRight(last?.end ?? array.getStart() + 1, `${last ? ',' : ''}${placed(source, last, text)}`);
  for (const [module, symbols] of Object.entries(imports)) {
    const imported = importOf(source, module);
    const missing = symbols.filter((symbol) => !imported?.elements.some(({ name }) => name.text === symbol));
    if (missing.length === 0) continue;
    if (imported) recorder.insertRight(imported.elements.at(-1)!.end, `, ${missing.join(', ')}`);
    else recorder.insertRight(endOfImports(source), `\nimport { ${missing.join(', ')} } from '${module}';`);
  }
  tree.commitUpdate(recorder);
}

/** If the previous element begins a line, the new element gets its own lines with the same indentation. */
function placed(source: ts.SourceFile, last: ts.Expression | undefined, text: string): string {
  if (!last) return text;
  const lineStart = source.getPositionOfLineAndCharacter(
    source.getLineAndCharacterOfPosition(last.getStart()).line,
    0,
  );
  const before = source.text.slice(lineStart, last.getStart());
  return /^\s*$/.test(before) ? `\n${before}${text.replaceAll('\n', `\n${before}`)}` : ` ${text}`;
}

function arrayNamed(source: ts.SourceFile, name: string): ts.ArrayLiteralExpression | undefined {
  const visit = (node: ts.Node): ts.ArrayLiteralExpression | undefined => {
    if (
      (ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)) &&
      node.name.getText() === name &&
      node.initializer
    ) {
      let value: ts.Expression = node.initializer;
      while (ts.isAsExpression(value) || ts.isSatisfiesExpression(value)) value = value.expression;
      if (ts.isArrayLiteralExpression(value)) return value;
    }
    return ts.forEachChild(node, visit);
  };
  return visit(source);
}

/** The names that the file imports from a module as values. */
function importOf(source: ts.SourceFile, module: string): ts.NamedImports | undefined {
  for (const statement of source.statements.filter(ts.isImportDeclaration)) {
    const bindings = statement.importClause?.namedBindings;
    const isOfModule = (statement.moduleSpecifier as ts.StringLiteral).text === module;
    const isType = statement.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword;
    if (isOfModule && !isType && bindings && ts.isNamedImports(bindings)) return bindings;
  }
  return undefined;
}

function endOfImports(source: ts.SourceFile): number {
  return source.statements.filter(ts.isImportDeclaration).at(-1)?.end ?? 0;
}
