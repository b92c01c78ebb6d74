import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { compileFiles } from '../build/compile-knowledge';
import { readKnowledgeFiles } from '../build/knowledge-reader';
import type { KnowledgeBase } from '../compiled-base';

const LIBRARY = join(__dirname, '..', '..');
const BUILT = join(LIBRARY, '..', '..', 'dist', 'libs', 'interactions', 'knowledge-base.json');

/**
 * The whole base. Takes the built one when no source is newer: to compile it takes half a minute under Jest. The
 * build writes nothing when the base has problems.
 */
export function compileWholeBase(): { base: KnowledgeBase; problems: string[] } {
  const sources = [join(LIBRARY, 'knowledge'), join(LIBRARY, 'src')];
  if (existsSync(BUILT) && sources.every((folder) => newestIn(folder) < statSync(BUILT).mtimeMs))
    return { base: JSON.parse(readFileSync(BUILT, 'utf8')) as KnowledgeBase, problems: [] };
  return compileFiles(readKnowledgeFiles(sources[0]));
}

/** Every name of an ingredient or a combination, with the INNs for which it stands. */
export function allNames(of: KnowledgeBase): { name: string; inns: string[] }[] {
  const plain = (alias: string | { name: string }): string =>
    typeof alias === 'string' ? alias : alias.name;
  return [
    ...of.ingredients.flatMap(({ inn, usan, synonyms = [], brands = [] }) =>
      [inn, ...(usan ? [usan] : []), ...synonyms, ...brands].map((alias) => ({
        name: plain(alias),
        inns: [inn],
      })),
    ),
    ...of.combinations.flatMap(({ name, ingredients, synonyms = [], brands = [] }) =>
      [name, ...synonyms, ...brands].map((alias) => ({
        name: plain(alias),
        inns: ingredients.map((ingredient) => of.ingredients[ingredient].inn),
      })),
    ),
  ];
}

/** When the newest file in a folder was written, in milliseconds; specs do not count. */
function newestIn(folder: string): number {
  return Math.max(
    ...readdirSync(folder, { withFileTypes: true })
      .filter(({ name }) => !name.endsWith('.spec.ts'))
      .map((entry) => {
        const path = join(folder, entry.name);
        return entry.isDirectory() ? newestIn(path) : statSync(path).mtimeMs;
      }),
  );
}
