import { editDistance } from '../names/edit-distance';
import { fold, squash } from '../names/fold';
import { isNoise, METAL_WORDS, NEGATIONS, SALT_WORDS, SEPARATOR_WORDS } from '../names/vocabulary';
import type { CompiledAlias, CompiledCombination, CompiledIngredient, CompiledTag } from '../compiled-base';
import { INGREDIENT_KINDS, LOCAL_ROUTES, type IngredientKind, type LocalRoute } from '../types';
import type { KnownName, KnownNames } from './brand-guards';
import { didYouMean, EntryReader, type Problems } from './entry-reader';
import type { Entry } from './knowledge-reader';

/** Names that rules refer to, with their positions in the compiled arrays. */
export interface Registry {
  sources: Map<string, number>;
  tags: Map<string, number>;
  ingredients: Map<string, number>;
}

/** Looks a name up. Complains, with a hint, when it is unknown. */
export function lookUp(
  reader: EntryReader,
  kind: keyof Registry,
  name: string,
  registry: Registry,
): number | undefined {
  const found = registry[kind].get(name);
  if (found === undefined) {
    const hint = didYouMean(name, registry[kind].keys(), editDistance);
    reader.complain(`unknown ${kind.slice(0, -1)} '${name}'${hint}`);
  }
  return found;
}

/**
 * Reads the `sources` of an entry as positions. Complains about unknown sources and about fewer than `least`.
 */
export function readSources(reader: EntryReader, registry: Registry, least: number): number[] {
  const names = reader.texts('sources');
  const found = names.flatMap((name) => lookUp(reader, 'sources', name, registry) ?? []);
  if (new Set(names).size !== names.length) reader.complain('a source is listed twice');
  if (names.length < least)
    reader.complain(`needs at least ${least} source${least > 1 ? 's' : ''}, has ${names.length}`);
  return found;
}

/** Compiles tags and checks that `implies` has no unknown name and no cycle. */
export function compileTags(
  entries: readonly Entry[],
  registry: Registry,
  problems: Problems,
): CompiledTag[] {
  const readers = entries.map((entry) => new EntryReader(entry, 'tag', problems, 'id'));
  const kept: { reader: EntryReader; id: string }[] = [];
  for (const reader of readers) {
    const id = reader.text('id');
    if (!id) continue;
    checkId(reader, id);
    if (registry.tags.has(id)) reader.complain('this id exists already');
    else {
      registry.tags.set(id, kept.length);
      kept.push({ reader, id });
    }
  }
  const tags = kept.map(({ reader, id }): CompiledTag => {
    const name = reader.text('name');
    const definition = reader.text('definition');
    const implies = reader.texts('implies').flatMap((other) => lookUp(reader, 'tags', other, registry) ?? []);
    readSources(reader, registry, 1);
    reader.date('reviewed');
    const isClass = reader.raw('class') === true;
    reader.refuseOthers();
    return {
      id,
      name,
      definition,
      ...(implies.length > 0 && { implies }),
      ...(isClass && { class: true as const }),
    };
  });
  tags.forEach((tag, position) => {
    if (impliedBy(tags, position).has(position))
      kept[position].reader.complain(`'implies' leads back to '${tag.id}'`);
  });
  return tags;
}

/** Every tag that a tag implies, directly or through others. */
function impliedBy(tags: readonly CompiledTag[], position: number): Set<number> {
  const found = new Set<number>();
  const open = [...(tags[position].implies ?? [])];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...(tags[next].implies ?? []));
  }
  return found;
}

/** Compiles ingredients and combinations and checks that no name has two meanings. */
export class NameCompiler implements KnownNames {
  private readonly targets = new Map<string, KnownName>();
  private compiled: CompiledIngredient[] = [];
  private readonly owners = new Map<string, { owner: string; where: string }>();

  constructor(
    private readonly registry: Registry,
    private readonly tags: readonly CompiledTag[],
    private readonly problems: Problems,
  ) {}

  ingredients(entries: readonly Entry[]): CompiledIngredient[] {
    const kept: { reader: EntryReader; inn: string; entry: Entry }[] = [];
    for (const entry of entries) {
      const reader = new EntryReader(entry, 'ingredient', this.problems, 'inn');
      const inn = reader.text('inn');
      if (!inn) continue;
      if (inn !== inn.toLowerCase()) reader.complain(`'inn' must be lower case`);
      if (this.registry.ingredients.has(inn)) reader.complain('this ingredient exists already');
      else {
        this.registry.ingredients.set(inn, kept.length);
        kept.push({ reader, inn, entry });
      }
    }
    this.compiled = kept.map(({ reader, inn, entry }) => this.compile(reader, inn, entry));
    return this.compiled;
  }

  combinations(entries: readonly Entry[]): CompiledCombination[] {
    return entries.flatMap((entry): CompiledCombination[] => {
      const reader = new EntryReader(entry, 'combination', this.problems, 'name');
      const name = reader.text('name');
      const ingredients = reader
        .texts('ingredients')
        .flatMap((inn) => lookUp(reader, 'ingredients', inn, this.registry) ?? []);
      const taken = new Set([squash(fold(name))]);
      const synonyms = withoutRepeats(this.aliases(reader, 'synonyms'), taken);
      const brands = withoutRepeats(this.aliases(reader, 'brands'), taken);
      const routes = this.routes(reader);
      reader.refuseOthers();
      if (!name) return [];
      if (ingredients.length < 2) reader.complain('needs at least two known ingredients');
      if (new Set(ingredients).size !== ingredients.length) reader.complain('an ingredient is listed twice');
      for (const alias of [name, ...synonyms, ...brands])
        this.claim(alias, `combination '${name}'`, { ingredients, generic: alias === name }, reader, entry);
      return [{ name, ingredients, ...nonEmpty({ synonyms, brands, routes }) }];
    });
  }

  /** The meaning of a key in the entries compiled so far. */
  find(key: string): KnownName | undefined {
    return this.targets.get(key);
  }

  drugNames(): (readonly [string, readonly number[]])[] {
    return this.compiled.flatMap(({ inn, usan, kind = 'drug' }, position) =>
      kind === 'drug'
        ? [inn, ...(usan ? [usan] : [])].map((name) => [squash(fold(name)), [position]] as const)
        : [],
    );
  }

  ingredient(position: number): { inn: string; kind: IngredientKind } {
    const { inn, kind = 'drug' } = this.compiled[position];
    return { inn, kind };
  }

  /** Checks pairs of names that spelling correction must never confuse. */
  lookalikes(entries: readonly Entry[]): [string, string][] {
    return entries.flatMap((entry): [string, string][] => {
      const value = entry.value;
      const valid =
        Array.isArray(value) && value.length >= 2 && value.every((name) => typeof name === 'string');
      if (!valid) {
        this.problems.push(
          `${entry.file}:${entry.line}: look-alikes: write two or more names in square brackets`,
        );
        return [];
      }
      const names = value;
      for (const name of names) {
        if (!this.owners.has(squash(fold(name)))) {
          const hint = didYouMean(name, this.owners.keys(), editDistance);
          this.problems.push(
            `${entry.file}:${entry.line}: look-alikes: '${name}' is no name of any ingredient or combination${hint}`,
          );
        }
      }
      return names.flatMap((a, i) => names.slice(i + 1).map((b): [string, string] => [a, b]));
    });
  }

  private compile(reader: EntryReader, inn: string, entry: Entry): CompiledIngredient {
    const usan = reader.optionalText('usan');
    const kind = reader.oneOf('kind', INGREDIENT_KINDS, 'drug');
    const taken = new Set([inn, usan ?? inn].map((name) => squash(fold(name))));
    const synonyms = withoutRepeats(this.aliases(reader, 'synonyms'), taken);
    const brands = withoutRepeats(this.aliases(reader, 'brands'), taken);
    const tags = this.ingredientTags(reader);
    const routes = this.routes(reader);
    const keepLocal = this.keepLocal(reader);
    const localForms = this.localForms(reader);
    const alsoCalled = reader.optionalText('also_called');
    reader.refuseOthers();
    if (alsoCalled && ![...synonyms.map(nameOf), usan].includes(alsoCalled))
      reader.complain(`'also_called' is '${alsoCalled}', which is none of its names`);
    const names = [inn, ...(usan ? [usan] : []), ...synonyms, ...brands];
    const ingredients = [this.registry.ingredients.get(inn) as number];
    for (const alias of names) {
      this.claim(
        alias,
        `ingredient '${inn}'`,
        { ingredients, generic: !brands.includes(alias) },
        reader,
        entry,
      );
    }
    return {
      inn,
      ...(usan && { usan }),
      ...(kind !== 'drug' && { kind }),
      ...nonEmpty({ synonyms, brands, tags, routes, localForms }),
      ...(keepLocal && { keepLocal }),
      ...(alsoCalled && { alsoCalled }),
    };
  }

  private keepLocal(reader: EntryReader): true | LocalRoute[] | undefined {
    const value = reader.raw('local_routes');
    if (value === undefined || value === 'keep') return value && true;
    if (Array.isArray(value) && value.length > 0) return this.checkRoutes(reader, value);
    reader.complain(
      `'local_routes' can only be 'keep', or a list of the routes by which it reaches the whole body`,
    );
    return undefined;
  }

  /** Single words in the form of a folded name. */
  private localForms(reader: EntryReader): string[] {
    const forms = reader.texts('local_forms');
    for (const form of forms) {
      if (form !== fold(form) || /[^a-z]/.test(form))
        reader.complain(`'local_forms' holds '${form}'; write one word in small letters`);
    }
    return forms;
  }

  private ingredientTags(reader: EntryReader): number[] {
    const value = reader.raw('tags');
    if (value === undefined) return [];
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      reader.complain(`'tags' must map each tag to its sources: { nsaid: [fda-labels] }`);
      return [];
    }
    const found: number[] = [];
    for (const [name, sources] of Object.entries(value)) {
      const tag = lookUp(reader, 'tags', name, this.registry);
      if (tag !== undefined) found.push(tag);
      if (!Array.isArray(sources) || sources.length === 0)
        reader.complain(`tag '${name}' needs a list of sources`);
      else for (const source of sources) lookUp(reader, 'sources', String(source), this.registry);
    }
    for (const tag of found) {
      for (const implied of impliedBy(this.tags, tag)) {
        if (implied !== tag && found.includes(implied)) {
          reader.complain(
            `tag '${this.tags[implied].id}' is listed although '${this.tags[tag].id}' implies it; remove it`,
          );
        }
      }
    }
    return found;
  }

  private aliases(reader: EntryReader, field: string): CompiledAlias[] {
    const value = reader.raw(field);
    if (value === undefined) return [];
    if (!Array.isArray(value)) {
      reader.complain(`'${field}' must be a list, in square brackets`);
      return [];
    }
    return value.flatMap((item: unknown): CompiledAlias[] => {
      if (typeof item === 'string' && item.trim() !== '') return [item.trim()];
      const named = item as { name?: unknown; routes?: unknown } | null;
      if (typeof named === 'object' && typeof named?.name === 'string' && Array.isArray(named.routes)) {
        return [{ name: named.name.trim(), routes: this.checkRoutes(reader, named.routes) }];
      }
      reader.complain(
        `'${field}' holds ${JSON.stringify(item)}; write a name${typeof item === 'object' ? '' : ' in quotes'}, or { name: …, routes: […] }`,
      );
      return [];
    });
  }

  private routes(reader: EntryReader): LocalRoute[] {
    const value = reader.raw('routes');
    if (value === undefined) return [];
    if (Array.isArray(value)) return this.checkRoutes(reader, value);
    reader.complain(`'routes' must be a list, in square brackets`);
    return [];
  }

  private checkRoutes(reader: EntryReader, routes: readonly unknown[]): LocalRoute[] {
    const local = routes.filter((route): route is LocalRoute => LOCAL_ROUTES.includes(route as LocalRoute));
    for (const route of routes) {
      if (!LOCAL_ROUTES.includes(route as LocalRoute)) {
        reader.complain(
          `route '${String(route)}' is not local; leave 'routes' out for a drug that reaches the whole body, else use ${LOCAL_ROUTES.join(', ')}`,
        );
      }
    }
    return local.length === routes.length ? local : [];
  }

  private claim(
    alias: CompiledAlias,
    owner: string,
    target: KnownName,
    reader: EntryReader,
    entry: Entry,
  ): void {
    const name = nameOf(alias);
    const folded = fold(name);
    const key = squash(folded);
    if (key.length < 2) return reader.complain(`the name '${name}' is too short to be told from other words`);
    if (name.length > 200)
      return reader.complain(`the name '${name.slice(0, 40)}…' is longer than 200 characters`);
    if (isTooGeneral(folded))
      return reader.complain(
        `the name '${name}' is a word that also stands in other products' names; leave it out`,
      );
    const known = this.owners.get(key);
    if (!known) {
      this.targets.set(key, target);
      this.owners.set(key, { owner, where: `${entry.file}:${entry.line}` });
    } else if (known.owner !== owner) {
      reader.complain(`the name '${name}' has two meanings: it also names ${known.owner} (${known.where})`);
    }
  }
}

/**
 * Omits names that differ from an earlier one only in capitals, spaces, hyphens or accents: the engine reads
 * them alike.
 */
function withoutRepeats(names: readonly CompiledAlias[], taken: Set<string>): CompiledAlias[] {
  return names.filter((alias) => {
    const key = squash(fold(nameOf(alias)));
    return !taken.has(key) && taken.add(key);
  });
}

function nameOf(alias: CompiledAlias): string {
  return typeof alias === 'string' ? alias : alias.name;
}

function isTooGeneral(folded: string): boolean {
  if (METAL_WORDS.has(folded)) return false;
  return isNoise(folded) || SALT_WORDS.has(folded) || SEPARATOR_WORDS.has(folded) || NEGATIONS.has(folded);
}

function checkId(reader: EntryReader, id: string): void {
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(id))
    reader.complain(`'${id}' must be small letters and digits joined by hyphens`);
}

function nonEmpty<T extends Record<string, readonly unknown[]>>(lists: T): Partial<T> {
  return Object.fromEntries(Object.entries(lists).filter(([, list]) => list.length > 0)) as Partial<T>;
}
