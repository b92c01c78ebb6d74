import type * as Service from '../support/service';
import type * as Spaces from '../support/space-api';

/**
 * Tests of single routes a second time, with each profile shared: the requests of these files go to its space. The checks
 * of each kind are in spaces-kinds.spec.ts.
 */
jest.mock('../support/service', () => {
  const actual = jest.requireActual<typeof Service>('../support/service');
  const { SpaceApi } = jest.requireActual<typeof Spaces>('../support/space-api');
  return {
    ...actual,
    sharedService: async () => {
      const service = await actual.sharedService();
      return { ...service, api: new SpaceApi(service.api.url) };
    },
    startService: async (...settings: Parameters<typeof actual.startService>) => {
      const service = await actual.startService(...settings);
      return { ...service, api: new SpaceApi(service.api.url) };
    },
  };
});

/** A body is read as elsewhere, by the same code, before a statement is run. */
const OF_BODIES = /refuse|returned as sent|any printable|takes a route/;
/** They compare with a record without an author, or need a second profile: a space has one. */
const OF_ACCOUNTS =
  /are logged with taken|read as they were answered|that has no schedule|filtered by|and by profile/;

const every = globalThis.it;
const applies = (name: string) => !OF_BODIES.test(name) && !OF_ACCOUNTS.test(name);
function filtered(name: string, ...rest: [jest.ProvidesCallback, number?]): void {
  if (applies(name)) every(name, ...rest);
}
filtered.each = (...table: Parameters<jest.Each>) => {
  const tests = every.each(...table);
  return (name: string, ...rest: [jest.ProvidesCallback, number?]): void => {
    if (applies(name)) tests(name, ...rest);
  };
};

describe.each(['adherence', 'doses', 'health-stats', 'appointments', 'medications'])(
  'in a space: %s',
  (name) => {
    globalThis.it = filtered as unknown as jest.It;
    try {
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- a module that registers tests where it is loaded
      require(`./${name}.spec`);
    } finally {
      globalThis.it = every;
    }
  },
);
