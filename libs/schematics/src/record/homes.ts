import type { Tree } from '@angular-devkit/schematics';
import type { RecordNames } from './names';

const PACKAGE = 'health-records-service';
const CLIENT = '@health-records/client';

/**
 * The places for the files of a record kind, either in this repository or in a
 * project that installs the package.
 */
export interface Home {
  /** Whether the files go into this repository. */
  isService: boolean;
  /** The folder that contains a folder for each domain, and `domains.ts` with the list of domains. */
  sourceRoot: string;
  /** Returns the module name of a library of the service, for example of `http`. */
  lib: (name: string) => string;
  /** Templates in addition to those of the domain, and the folder for the files made from them. */
  tests: { templates: string; folder: string };
  /** The registry of record kinds that all tests loop over. */
  registry: { path: string; list: string; factories: string };
  /** The half of the client; absent in a project without the package of the client. */
  client?: {
    /** The module that exports `defineRecordKind`. */
    module: string;
    folder: string;
    /** The entry that exports the kind, where the client is in the same repository. */
    index?: string;
    /** Templates of its test over the wire, and the folder for it. */
    tests: { templates: string; folder: string };
  };
  /** The module that exports the type of an extension. */
  extensionModule: string;
  /** The module from which a migration imports `ownedTableV1`. */
  migrationTools: string;
}

/** Detects the repository of the service by a file that exists only there. */
export function homeOf(tree: Tree, sourceRoot: string): Home {
  const serviceKinds = 'libs/testing/src/service-kinds.ts';
  if (tree.exists(serviceKinds)) {
    return {
      isService: true,
      sourceRoot: 'apps/api/src',
      lib: (name) => `@app/${name}`,
      tests: { templates: 'tests-inside', folder: 'test/e2e' },
      registry: { path: serviceKinds, list: 'SERVICE_KINDS', factories: './factories' },
      client: {
        module: '../records/record-kind',
        folder: 'libs/client/src/kinds',
        index: 'libs/client/src/index.ts',
        tests: { templates: 'client-tests-inside', folder: 'test/client' },
      },
      extensionModule: '@app/extension',
      migrationTools: '@app/database',
    };
  }
  const lib = (name: string) => `${PACKAGE}/${name}`;
  return {
    isService: false,
    sourceRoot,
    lib,
    tests: { templates: 'tests-outside', folder: 'test' },
    registry: { path: 'test/registry.ts', list: 'kinds', factories: lib('testing') },
    ...(tree.exists('package.json') &&
      tree.readText('package.json').includes(`"${CLIENT}"`) && {
        client: {
          module: CLIENT,
          folder: 'client',
          tests: { templates: 'client-tests-outside', folder: 'test' },
        },
      }),
    extensionModule: PACKAGE,
    migrationTools: lib('database'),
  };
}

/** The entry of the registry, as source text. */
export function registryEntry(names: RecordNames, fields: readonly string[], ofProfile: boolean): string {
  const plain = fields.map((field) => `${field}: 'active'`);
  const body = [...(ofProfile ? ['profile_id: profileId'] : []), ...plain, 'encrypted_data: aBlob()'];
  const lines = [
    `name: '${names.kindWords}'`,
    `collection: '/api/${names.plural}'`,
    `item: '/api/${names.plural}/{id}'`,
    ...(ofProfile ? ["under: 'profile'"] : []),
    `body: (${ofProfile ? '{ profileId }' : ''}) => ({ ${body.join(', ')} })`,
    "update: { method: 'PUT', change: () => ({ encrypted_data: aBlob() }) }",
    "deleteWith: 'DELETE'",
    `table: '${names.table}'`,
    "orderColumn: 'created_at'",
    "blobField: 'encrypted_data'",
    `countedColumns: [${[...fields, 'encrypted_data'].map((field) => `'${field}'`).join(', ')}]`,
  ];
  return `{\n  ${lines.join(',\n  ')},\n}`;
}
