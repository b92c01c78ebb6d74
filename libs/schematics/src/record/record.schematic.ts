import {
  apply,
  applyTemplates,
  chain,
  mergeWith,
  move,
  type Rule,
  SchematicsException,
  strings,
  type Tree,
  url,
} from '@angular-devkit/schematics';
import { formatWritten } from '../format.rule';
import { addToList } from '../source-lists';
import { detailMembersOf } from './detail-members';
import { filterFieldsOf, type FilterList } from './filter-fields';
import { type Home, homeOf, registryEntry } from './homes';
import { namesOf, type RecordNames } from './names';

export interface RecordOptions {
  name: string;
  /** Default: the regular plural. */
  plural?: string;
  owner: 'profile' | 'account';
  /** Comma-separated. */
  filters: FilterList;
  /** Comma-separated: `name:type`. */
  details: string;
  /** Milliseconds since 1970. Default: now. */
  timestamp?: number;
  sourceRoot: string;
}

const OPTIONS = ['name', 'plural', 'owner', 'filters', 'details', 'timestamp', 'sourceRoot'];
/** What `nest generate` adds to each call. */
const OF_NEST = [
  'path',
  'project',
  'collection',
  'language',
  'spec',
  'flat',
  'specFileSuffix',
  'skipImport',
  'format',
];

/** Writes a new encrypted record kind for both sides, with its migration and tests, and adds it to the lists of kinds. */
export function record(options: RecordOptions): Rule {
  return (tree: Tree, { logger }) => {
    refuseUnknown(options);
    const names = namesOf(options.name, options.plural);
    const home = homeOf(tree, options.sourceRoot);
    const fields = filterFieldsOf(options.filters);
    const ofProfile = options.owner === 'profile';
    const timestamp = timestampOf(options.timestamp);
    const recordKind = names.kind.replaceAll('-', '_');
    const values = {
      ...names,
      domain: constantOf(names.plural),
      kindConstant: constantOf(names.kind),
      clientModule: home.client?.module,
      details: detailMembersOf(options.details),
      camelFields: fields.map(strings.camelize),
      recordKind,
      lib: home.lib,
      extensionModule: home.extensionModule,
      migrationTools: home.migrationTools,
      owner: options.owner,
      ofProfile,
      fields,
      columns: [...(ofProfile ? ['profile_id'] : []), ...fields],
      timestamp,
      migrationClass: `${names.pluralClass}${timestamp}`,
    };
    const write = (templates: string, folder: string) =>
      mergeWith(apply(url(`./files/${templates}`), [applyTemplates(values), move(folder)]));
    const { client } = home;
    if (!client)
      logger.warn('The client half is left out: package.json does not name @health-records/client.');
    const clientHalf = client
      ? [
          write('client', client.folder),
          write(client.tests.templates, client.tests.folder),
          exportKind(client.index, names),
        ]
      : [];
    return chain([
      write('domain', `${home.sourceRoot}/${names.plural}`),
      ...clientHalf,
      write(home.tests.templates, home.tests.folder),
      register(home, names, registryEntry(names, fields, ofProfile)),
      formatWritten(),
    ]);
  };
}

/** @throws SchematicsException for an option of another name, which would have no effect. */
function refuseUnknown(options: RecordOptions): void {
  const unknown = Object.keys(options).find((name) => ![...OPTIONS, ...OF_NEST].includes(name));
  if (unknown === undefined) return;
  const known = OPTIONS.slice(1).map((name) => `--${strings.dasherize(name)}`);
  throw new SchematicsException(`There is no option --${unknown}. The options are ${known.join(', ')}.`);
}

function register(home: Home, names: RecordNames, entry: string): Rule {
  return (tree) => {
    addToList(tree, `${home.sourceRoot}/domains.ts`, {
      list: 'DOMAINS',
      text: constantOf(names.plural),
      imports: { [`./${names.plural}/${names.plural}.domain`]: [constantOf(names.plural)] },
    });
    const { path, list, factories } = home.registry;
    addToList(tree, path, { list, text: entry, imports: { [factories]: ['aBlob'] } });
  };
}

/** Adds the kind to what the client of the same repository exports. */
function exportKind(index: string | undefined, { kind }: RecordNames): Rule {
  return (tree) => {
    if (index === undefined) return;
    const line = `export { ${constantOf(kind)} } from './kinds/${kind}.kind';\n`;
    tree.overwrite(index, tree.readText(index) + line);
  };
}

function constantOf(name: string): string {
  return name.replaceAll('-', '_').toUpperCase();
}

/** @throws SchematicsException if the value does not have 13 digits. The timestamp orders the migrations. */
function timestampOf(given = Date.now()): number {
  if (/^\d{13}$/.test(String(given))) return given;
  throw new SchematicsException(`${given} is not a time in milliseconds since 1970, which has 13 digits.`);
}
