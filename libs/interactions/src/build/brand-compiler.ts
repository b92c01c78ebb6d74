import { editDistance } from '../names/edit-distance';
import { fold, squash } from '../names/fold';
import type { CompiledBrands, CompiledMeanings } from '../compiled-base';
import { LOCAL_ROUTES, type LocalRoute } from '../types';
import { BrandGuards, type KnownNames, type ReviewedNames } from './brand-guards';
import { EntryReader, didYouMean, type Problems } from './entry-reader';
import type { Entry, KnowledgeFile } from './knowledge-reader';
import type { Registry } from './name-compiler';

/** One line of a brand file: the content of the brands, and where they act. */
interface BrandLine {
  ingredients: number[];
  partial: boolean;
  route?: LocalRoute;
  country: string;
}

/** The content that one name means. */
interface Content {
  ingredients: number[];
  partial: boolean;
  routes: Set<LocalRoute | undefined>;
  countries: Set<string>;
}

interface NamedContents {
  display: string;
  contents: Content[];
}

/** A name with more meanings is an ordinary word. */
const MOST_MEANINGS = 4;

/** Compiles the brand files and the list of names with several meanings. */
export class BrandCompiler {
  constructor(
    private readonly registry: Registry,
    private readonly problems: Problems,
    private readonly known: KnownNames,
  ) {}

  /**
   * Compiles entries of `meanings`: a name and its content in each country. They replace all other content of
   * the name.
   */
  meanings(entries: readonly Entry[]): CompiledMeanings[] {
    return entries.flatMap((entry): CompiledMeanings[] => {
      const reader = new EntryReader(entry, 'name', this.problems, 'name');
      const n = reader.text('name');
      const raw = reader.raw('meanings');
      const m = (Array.isArray(raw) ? raw : []).map((value: unknown) => {
        const meaning = new EntryReader({ ...entry, value }, `meaning of '${n}'`, this.problems, 'name');
        const i = meaning
          .texts('ingredients')
          .flatMap((inn) => this.ingredient(inn, `${entry.file}:${entry.line}`) ?? []);
        const c = meaning.texts('countries');
        if (c.some((country) => !/^[A-Z]{2}$/.test(country)))
          meaning.complain(`'countries' are codes of two capitals`);
        if (i.length === 0) meaning.complain(`needs an ingredient`);
        meaning.refuseOthers();
        return { i, c };
      });
      if (m.length < 2) reader.complain('needs two meanings or more');
      reader.refuseOthers();
      return n ? [{ n, m }] : [];
    });
  }

  /** Compiles all brand files: names with one content, and names whose content differs by country. */
  brands(
    files: readonly KnowledgeFile[],
    reviewed: readonly CompiledMeanings[],
    names: ReviewedNames,
  ): { brands: CompiledBrands[]; meanings: CompiledMeanings[] } {
    const named = this.collect(files);
    for (const { n } of reviewed) named.delete(squash(fold(n)));
    const guards = new BrandGuards(named.values(), this.known, names);
    const groups = new Map<string, CompiledBrands & { names: string[] }>();
    const meanings = [...reviewed];
    for (const [key, { display, contents }] of named) {
      if (guards.isTooGeneral(display)) continue;
      const exact = this.known.find(key);
      const words = exact ? undefined : guards.reviewedWords(display);
      const merged = mergeContents(contents).filter(({ ingredients }) => {
        if (words) return guards.compare(words, ingredients) !== 'nothing new';
        return !exact || !guards.saysNothingNew(exact.ingredients, ingredients);
      });
      const own =
        exact ??
        (words && merged.some(({ ingredients }) => guards.compare(words, ingredients) === 'another')
          ? words
          : undefined);
      if (merged.length === 0 || merged.length > MOST_MEANINGS || merged[0].ingredients.length === 0)
        continue;
      const rival =
        own ??
        guards.nearGenericName(
          key,
          merged.flatMap(({ ingredients }) => ingredients),
        );
      if (
        own?.generic &&
        !merged.every(({ ingredients }) => guards.isAnotherThing(own.ingredients, ingredients))
      )
        continue;
      if (rival || merged.length > 1) {
        const m = merged.map(({ ingredients, countries }) => ({ i: ingredients, c: [...countries].sort() }));
        meanings.push({ n: display, m: rival ? [{ i: [...rival.ingredients], c: [] }, ...m] : m });
        continue;
      }
      const [{ ingredients, partial, routes, countries }] = merged;
      const stated = [...routes].filter((route) => route !== undefined);
      const r = routes.size === 1 ? stated[0] : undefined;
      const isDisputed = contents.some((content) => content.ingredients.length === 0);
      const c = isDisputed || guards.isOnlyOfOneCountry(key, countries) ? [...countries][0] : undefined;
      const id = `${ingredients.join()} ${partial} ${r} ${c}`;
      const group = groups.get(id) ?? {
        i: ingredients,
        n: '',
        ...(r && { r }),
        ...(partial && { p: true }),
        ...(c && { c }),
        names: [],
      };
      group.names.push(display);
      groups.set(id, group);
    }
    const brands = [...groups.values()].map(({ names, ...group }) => ({
      ...group,
      n: names.sort().join('|'),
    }));
    return { brands, meanings };
  }

  private collect(files: readonly KnowledgeFile[]): Map<string, NamedContents> {
    const named = new Map<string, NamedContents>();
    for (const file of files) {
      let country = '';
      file.text.split('\n').forEach((text, at) => {
        if (text.startsWith('# country: ')) country = text.slice(11).trim();
        if (text.trim() === '' || text.startsWith('#')) return;
        const [line, names] = this.parse(text, country, `${file.path}:${at + 1}`);
        if (!line) return;
        for (const display of names) addContent(named, display, line);
      });
    }
    return named;
  }

  private parse(text: string, country: string, where: string): [BrandLine | undefined, string[]] {
    const [content = '', route = '', names = ''] = text.split('\t');
    const inns = content.split(' + ');
    const ingredients = inns.filter((inn) => inn !== '?').flatMap((inn) => this.ingredient(inn, where) ?? []);
    const isRoute = route === '' || LOCAL_ROUTES.includes(route as LocalRoute);
    if (!isRoute) this.problems.push(`${where}: brands: '${route}' is no local route`);
    if (names === '')
      this.problems.push(
        `${where}: brands: a line has ingredients, a route and brands, with tabs between them`,
      );
    // "?" alone: a country uses these names for something that the base does not hold.
    if (ingredients.length === 0 && inns.some((inn) => inn !== '?')) return [undefined, []];
    const line = { ingredients: ingredients.sort((a, b) => a - b), partial: inns.includes('?'), country };
    return [route === '' ? line : { ...line, route: route as LocalRoute }, names.split('|').filter(Boolean)];
  }

  private ingredient(inn: string, where: string): number | undefined {
    const found = this.registry.ingredients.get(inn);
    if (found === undefined) {
      const hint = didYouMean(inn, this.registry.ingredients.keys(), editDistance);
      this.problems.push(`${where}: brands: unknown ingredient '${inn}'${hint}`);
    }
    return found;
  }
}

function addContent(named: Map<string, NamedContents>, display: string, line: BrandLine): void {
  const key = squash(fold(display));
  if (key === '') return;
  const entry = named.get(key) ?? { display, contents: [] };
  const id = line.ingredients.join();
  let content = entry.contents.find(
    (other) => other.ingredients.join() === id && other.partial === line.partial,
  );
  if (!content) {
    content = {
      ingredients: line.ingredients,
      partial: line.partial,
      routes: new Set(),
      countries: new Set(),
    };
    entry.contents.push(content);
  }
  content.routes.add(line.route);
  content.countries.add(line.country);
  named.set(key, entry);
}

/** Removes a partly known content if a completely known content includes its known part. */
function mergeContents(contents: readonly Content[]): Content[] {
  return contents.filter(
    (one) =>
      !one.partial ||
      !contents.some(
        (other) => other !== one && one.ingredients.every((id) => other.ingredients.includes(id)),
      ),
  );
}
