import type { CompiledAlias, KnowledgeBase } from '../compiled-base';
import type { LocalRoute, MatchMethod } from '../types';
import { fold, squash } from './fold';
import type { Meaning, Target } from './target';

/** What several names have in common: a target without its name. */
type Source = Omit<Target, 'display'>;

/** The names with one first letter, in order of priority: of two with one key, the first counts. */
interface Waiting {
  names: string[];
  /** Of each name the position of its source. */
  sources: number[];
}

/**
 * Every known name by its key. To make all 40,000 keys takes a third of a second, so nothing is made before it is needed:
 * the first look-up sorts the names by first letter, and the keys with one first letter are made when a key with that
 * letter is first looked up.
 */
export class KnownNames {
  private readonly sources: Source[] = [];
  private readonly waiting = new Map<string, Waiting>();
  private readonly byInitial = new Map<string, ReadonlyMap<string, Target>>();

  constructor(private readonly base: KnowledgeBase) {}

  /** The first letters of all names. */
  get initials(): Iterable<string> {
    this.sort();
    return this.waiting.keys();
  }

  find(key: string): Target | undefined {
    return this.beginningWith(key[0]).get(key);
  }

  /** The names with a first letter, by key. */
  beginningWith(initial: string): ReadonlyMap<string, Target> {
    const made = this.byInitial.get(initial);
    if (made) return made;
    this.sort();
    const targets = new Map<string, Target>();
    const waiting = this.waiting.get(initial);
    if (!waiting) return targets;
    waiting.names.forEach((display, at) => {
      const key = squash(fold(display));
      if (!targets.has(key)) targets.set(key, { ...this.sources[waiting.sources[at]], display });
    });
    this.byInitial.set(initial, targets);
    this.waiting.set(initial, { names: [], sources: [] });
    return targets;
  }

  private sort(): void {
    if (this.sources.length > 0) return;
    const { base } = this;
    // What a name means in several countries has priority over what one register says.
    for (const { n, m } of base.meanings ?? []) {
      const meanings = m.map(({ i, c }): Meaning => ({ ingredients: i, countries: c }));
      this.add([n], { ingredients: [...new Set(m.flatMap(({ i }) => i))], method: 'brand', meanings });
    }
    base.ingredients.forEach(({ inn, usan, synonyms, brands }, position) => {
      const ingredients = [position];
      this.add(usan ? [inn, usan] : [inn], { ingredients, method: 'exact' });
      if (synonyms) this.addAliases(synonyms, ingredients, 'synonym');
      if (brands) this.addAliases(brands, ingredients, 'brand');
    });
    for (const { name, synonyms = [], brands = [], ingredients, routes } of base.combinations)
      this.addAliases([name, ...synonyms, ...brands], ingredients, 'combination', routes?.[0]);
    for (const { i, n, r, p, c } of base.brands ?? []) {
      const method = i.length > 1 ? 'combination' : 'brand';
      const source: Source = { ingredients: i, method, registered: true };
      this.add(n.split('|'), {
        ...source,
        ...(r && { route: r }),
        ...(p && { partial: p }),
        ...(c && { onlyIn: c }),
      });
    }
  }

  private addAliases(
    aliases: readonly CompiledAlias[],
    ingredients: readonly number[],
    method: MatchMethod,
    route?: LocalRoute,
  ): void {
    // In the given order, so each run of names without routes of their own has a source.
    let run: string[] = [];
    for (const alias of aliases) {
      if (typeof alias === 'string') {
        run.push(alias);
        continue;
      }
      this.add(run, { ingredients, method, route });
      run = [];
      this.add([alias.name], { ingredients, method, route: alias.routes[0] ?? route });
    }
    this.add(run, { ingredients, method, route });
  }

  private add(names: readonly string[], source: Source): void {
    const position = this.sources.push(source) - 1;
    for (const name of names) {
      const initial = initialOf(name);
      if (initial === '') continue;
      let waiting = this.waiting.get(initial);
      if (!waiting) this.waiting.set(initial, (waiting = { names: [], sources: [] }));
      waiting.names.push(name);
      waiting.sources.push(position);
    }
  }
}

/** The first character of the key of a name. */
function initialOf(name: string): string {
  const code = name.charCodeAt(0);
  if (code >= 97 && code <= 122) return name[0];
  if (code >= 65 && code <= 90) return String.fromCharCode(code + 32);
  return squash(fold(name)).charAt(0);
}
