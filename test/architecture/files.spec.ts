import { ALL_SOURCES, DOMAINS, type Source, unitOf } from './sources';

/** The roles of the files of a domain. */
const ROLES =
  'controller|domain|entity|field|guard|module|query|repository|requests?|responses?|rule|service|worker';

const KEBAB = '[a-z0-9]+(?:-[a-z0-9]+)*';
const VAGUE = ['util', 'utils', 'helper', 'helpers', 'manager', 'managers', 'data', 'info', 'misc', 'stuff'];

const ofDomains = ALL_SOURCES.filter(({ path }) => DOMAINS.includes(unitOf(path)));

describe('files', () => {
  it.each(DOMAINS)('%s: every file says its role', (domain) => {
    const allowed = new RegExp(`/(?:${KEBAB}\\.(?:${ROLES})(?:\\.spec)?|migrations/\\d{13}-${KEBAB})\\.ts$`);
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
      const wrong = sources.filter(({ path, text }) => {
        const words = path.split('/').pop()!.replace('.ts', '').split(/[-.]/);
        const name = words.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
        const classes = [...text.matchAll(/^export (?:abstract )?class (\w+)/gm)].map((match) => match[1]);
        return classes.join() !== name;
      });
      expect(wrong.map(({ path }) => path)).toEqual([]);
    },
  );
});
