import { ALL_SOURCES, DOMAINS, type Source, unitOf } from './sources';

/** Where a file of a domain may lie, and by what role in its name. */
const PLACES: [place: string, roles: string[]][] = [
  ['', ['domain', 'module', 'controller', 'service', 'repository', 'rule', 'guard', 'worker']],
  ['dto/', ['request', 'response', 'responses', 'query', 'field']],
  ['entities/', ['entity']],
];

const KEBAB = '[a-z0-9]+(?:-[a-z0-9]+)*';
const VAGUE = ['util', 'utils', 'helper', 'helpers', 'manager', 'managers', 'data', 'info', 'misc', 'stuff'];

/** Lines that a file of a role may have in the service, and any file at all: half as many again as the house aims at. */
const MOST_LINES: Record<string, number> = {
  controller: 180,
  service: 300,
  repository: 225,
  entity: 120,
  request: 90,
  query: 90,
  field: 90,
  response: 120,
  any: 300,
};

/** Larger for a reason that its head tells; nothing is added to this list without one. */
const LARGER: Record<string, number> = {
  'libs/database/src/embedded/embedded-postgres.ts': 400,
  'libs/client/src/client.ts': 400,
  'libs/client/src/records/encrypted-collection.ts': 345,
  'libs/client/src/http/session-transport.ts': 330,
  'libs/client/src/http/session-transport.spec.ts': 400,
  'libs/interactions/src/knowledge.slow.spec.ts': 360,
  'libs/interactions/src/names/read-name.spec.ts': 350,
  'libs/interactions/src/engine.spec.ts': 450,
  'libs/interactions/src/dosage/parse-dosage.ts': 460,
  'libs/interactions/src/names/read-name.ts': 330,
  'libs/interactions/src/build/name-compiler.ts': 380,
  'libs/interactions/src/build/rule-compiler.ts': 430,
  'libs/client/src/testing/fake-service.ts': 400,
};

const ofDomains = ALL_SOURCES.filter(({ path }) => DOMAINS.includes(unitOf(path)));
const linesOf = ({ tree }: Source) => tree.text.trimEnd().split('\n').length;

describe('files', () => {
  it.each(DOMAINS)('%s is flat, and every file says its role', (domain) => {
    const patterns = PLACES.map(
      ([place, roles]) => `${place}${KEBAB}\\.(?:${roles.join('|')})(?:\\.spec)?\\.ts`,
    );
    const migration = `migrations/\\d{13}-${KEBAB}\\.ts`;
    const allowed = new RegExp(`^${domain}/(?:${[...patterns, migration].join('|')})$`);
    const paths = ofDomains.map(({ path }) => path).filter((path) => unitOf(path) === domain);
    expect(paths.length).toBeGreaterThan(2);
    expect(paths.filter((path) => !allowed.test(path))).toEqual([]);
  });

  it('have a name in kebab-case', () => {
    const allowed = new RegExp(`^${KEBAB}(?:\\.${KEBAB})*\\.tsx?$`);
    expect(ALL_SOURCES.length).toBeGreaterThan(150);
    expect(
      ALL_SOURCES.filter(({ path }) => !allowed.test(path.split('/').pop()!)).map(({ path }) => path),
    ).toEqual([]);
  });

  it('have no name that says nothing', () => {
    const isVague = ({ path }: Source) => {
      const [name] = path.split('/').pop()!.split('.');
      return VAGUE.includes(name) || VAGUE.slice(0, 6).includes(name.split('-').pop()!);
    };
    expect(ALL_SOURCES.filter(isVague).map(({ path }) => path)).toEqual([]);
  });

  it.each(['entity', 'repository', 'controller', 'module'])(
    'named *.%s.ts hold one class of that name',
    (role) => {
      const sources = ofDomains.filter(({ path }) => path.endsWith(`.${role}.ts`));
      expect(sources.length).toBeGreaterThan(3);
      const wrong = sources.filter(({ path, tree }) => {
        const words = path.split('/').pop()!.replace('.ts', '').split(/[-.]/);
        const name = words.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
        const classes = [...tree.text.matchAll(/^export (?:abstract )?class (\w+)/gm)].map(
          (match) => match[1],
        );
        return classes.join() !== name;
      });
      expect(wrong.map(({ path }) => path)).toEqual([]);
    },
  );

  it('are no longer than their role needs', () => {
    const mostLines = ({ path }: Source) => {
      const role = (path.startsWith('apps/api/') && /\.(\w+)\.ts$/.exec(path)?.[1]) || 'any';
      return LARGER[path] ?? MOST_LINES[role] ?? MOST_LINES.any;
    };
    const tooLong = ALL_SOURCES.filter((source) => linesOf(source) > mostLines(source));
    expect(
      tooLong.map((source) => `${source.path}: ${linesOf(source)} lines of ${mostLines(source)}`),
    ).toEqual([]);
  });

  it('are on the list of larger ones only where they are larger', () => {
    for (const path of Object.keys(LARGER)) {
      const source = ALL_SOURCES.find((candidate) => candidate.path === path);
      expect([path, source && linesOf(source) > MOST_LINES.any]).toEqual([path, true]);
    }
  });
});
