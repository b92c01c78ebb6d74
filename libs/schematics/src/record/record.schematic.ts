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
import { filterFieldsOf } from './filter-fields';
import { type Home, homeOf, registryEntry } from './homes';
import { namesOf, type RecordNames } from './names';

export interface RecordOptions {
  name: string;
  /** Default: the regular plural. */
  plural?: string;
  owner: 'profile' | 'account';
  /** Comma-separated. */
  filters: string;
  /** Milliseconds since 1970. Default: now. */
  timestamp?: number;
  sourceRoot: string;
}

const OPTIONS = ['name', 'plural', 'owner', 'filters', 'timestamp', 'sourceRoot'];
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

/** Writes a new encrypted record kind with its migration and tests, and adds it to the two lists of kinds. */
export function record(options: RecordOptions): Rule {
  return (tree: Tree) => {
    refuseUnknown(options);
    const names = namesOf(options.name, options.plural);
    const home = homeOf(tree, options.sourceRoot);
    const fields = filterFieldsOf(options.filters);
    const ofProfile = options.owner === 'profile';
    const timestamp = timestampOf(options.timestamp);
    const recordKind = names.kind.replaceAll('-', '_');
    const values = {
      ...names,
      domain: constantOf(names),
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
    return chain([
      write('domain', `${home.sourceRoot}/${names.plural}`),
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
      text: constantOf(names),
      imports: { [`./${names.plural}/${names.plural}.domain`]: [constantOf(names)] },
    });
    const { path, list, factories } = home.registry;
    addToList(tree, path, { list, text: entry, imports: { [factories]: ['aBlob'] } });
  };
}

function constantOf({ table }: RecordNames): string {
  return table.toUpperCase();
}

/** @throws SchematicsException if the value does not have 13 digits. The timestamp orders the migrations. */
function timestampOf(given = Date.now()): number {
  if (/^\d{13}$/.test(String(given))) return given;
  throw new SchematicsException(`${given} is not a time in milliseconds since 1970, which has 13 digits.`);
}
