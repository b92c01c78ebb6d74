import {
  apply,
  chain,
  filter,
  forEach,
  mergeWith,
  type Rule,
  strings,
  type Tree,
  url,
} from '@angular-devkit/schematics';
import { formatWritten } from '../format.rule';

export interface ProjectOptions {
  name: string;
}

type Manifest = Record<string, object | string | boolean | undefined>;

/** The example of a service outside, which the package brings along: what is not about its one kind of record. */
const EXAMPLE = '../../../../../examples/allergies';
const MANIFEST = '/package.json';
const KEPT = [
  '/tsconfig.json',
  '/nest-cli.json',
  '/src/domains.ts',
  '/src/main.ts',
  '/src/ops.ts',
  '/test/records.spec.ts',
  '/test/registry.ts',
  '/test/service.ts',
];

/** Writes what a service of a team begins with: its entry, its commands, its checks, and lists without a kind of record. */
export function project({ name }: ProjectOptions): Rule {
  return (tree: Tree) => {
    const written = apply(url(EXAMPLE), [
      filter((path) => path === MANIFEST || KEPT.includes(path)),
      forEach((file) => {
        // What stands in the project already stays.
        if (file.path !== MANIFEST) return tree.exists(file.path) ? null : without(file.path, file.content);
        addManifest(tree, name, JSON.parse(file.content.toString()) as Manifest);
        return null;
      }),
    ]);
    return chain([mergeWith(written), formatWritten()]);
  };
}

/** A file of the example without its kind of record. */
function without(path: string, content: Buffer) {
  const text = content
    .toString()
    .replace(/^import .*\.domain';\n/m, '')
    .replace('[ALLERGIES]', '[]')
    .replace(/codes: \{.*\}/, 'codes: {}')
    .replace(/kinds: \[[^]*\n {2}\]/, 'kinds: []')
    .replace('import { aBlob, registryOf }', 'import { registryOf }');
  return { path: path as never, content: Buffer.from(text) };
}

/** Adds what the manifest lacks. Versions of the two packages are those that the project has installed. */
function addManifest(tree: Tree, name: string, example: Manifest): void {
  const before = (tree.exists(MANIFEST) ? JSON.parse(tree.readText(MANIFEST)) : {}) as Manifest;
  const merged = (member: string) => {
    const given = Object.entries(example[member] ?? {});
    const portable = given.filter(([, value]) => !String(value).startsWith('file:'));
    return { ...Object.fromEntries(portable), ...(before[member] as object | undefined) };
  };
  const manifest = {
    name: strings.dasherize(name),
    version: '0.1.0',
    private: true,
    ...before,
    // `npm init` writes a test that fails, and a kind of modules that Nest does not have.
    type: undefined,
    scripts: { ...merged('scripts'), test: (example.scripts as Record<string, string>).test },
    dependencies: merged('dependencies'),
    devDependencies: merged('devDependencies'),
    scarfSettings: merged('scarfSettings'),
  };
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  if (tree.exists(MANIFEST)) tree.overwrite(MANIFEST, text);
  else tree.create(MANIFEST, text);
}
