import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const SRC = join(__dirname, '../../apps/web/src');

/** The stylesheets of the page: path and rules, without comments. */
const SHEETS = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.css'))
  .map((path) => ({
    path,
    rules: readFileSync(join(SRC, path), 'utf8').replaceAll(/\/\*[\s\S]*?\*\//g, ''),
  }));

/** The classes with which a selector of a stylesheet begins. */
function classesOf(rules: string): Set<string> {
  const selectors = [...rules.matchAll(/([^{};]+)\{/g)].flatMap(([, list]) => list.split(','));
  return new Set(selectors.flatMap((selector) => /^\s*\.([\w-]+)/.exec(selector)?.[1] ?? []));
}

describe('the stylesheets of the page', () => {
  it('give each class to one screen: all of them stay in the page once they are loaded', () => {
    const owners = new Map<string, string[]>();
    for (const { path, rules } of SHEETS.filter(({ path }) => /\/(screens|shell)\//.test(path)))
      for (const name of classesOf(rules)) owners.set(name, [...(owners.get(name) ?? []), path]);
    expect(owners.size).toBeGreaterThan(50);
    expect([...owners].filter(([, paths]) => paths.length > 1)).toEqual([]);
  });

  it('take every colour from the tokens; only what is paper has its own', () => {
    const own = [
      'platform/styles/tokens.css',
      'features/doctor/screens/doctor/doctor.css',
      'features/doctor/screens/emergency/emergency.css',
    ];
    const coloured = SHEETS.filter(({ path }) => !own.includes(path.replaceAll('\\', '/'))).filter(
      ({ rules }) => /#[\da-f]{3,8}\b/i.test(rules),
    );
    expect(SHEETS.length).toBeGreaterThan(8);
    expect(coloured.map(({ path }) => path)).toEqual([]);
  });
});
