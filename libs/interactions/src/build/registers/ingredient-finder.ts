import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { fold, squash } from '../../names/fold';
import { NameIndex } from '../../names/name-index';
import { readName } from '../../names/read-name';
import type { KnowledgeBase } from '../../compiled-base';
import { candidatesOf } from './ingredient-texts';

/** Finds ingredients of the base by their names in the languages of the registers. */
export class IngredientFinder {
  /** Texts without a match, and the number of their look-ups. */
  readonly missing = new Map<string, number>();
  private readonly index: NameIndex;
  private readonly synonyms: ReadonlyMap<string, number>;
  private readonly known = new Map<string, number | undefined>();

  /** @param folder holds the vocabulary of DrugBank (CC0): synonyms in Latin, French, Spanish and German */
  constructor(base: KnowledgeBase, folder: string) {
    this.index = new NameIndex({ ...base, brands: [], meanings: [] });
    this.synonyms = this.readVocabulary(folder);
  }

  find(text: string): number | undefined {
    if (!this.known.has(text)) {
      const found = this.search(text);
      this.known.set(text, found);
    }
    const found = this.known.get(text);
    if (found === undefined) this.missing.set(text, (this.missing.get(text) ?? 0) + 1);
    return found;
  }

  private search(text: string): number | undefined {
    for (const candidate of candidatesOf(text)) {
      const key = squash(candidate);
      const exact = this.index.find(key);
      if (exact?.ingredients.length === 1 && exact.method !== 'brand') return exact.ingredients[0];
      const synonym = this.synonyms.get(key);
      if (synonym !== undefined) return synonym;
      const reading = readName(candidate, this.index, { isDrug: () => true });
      const [only, ...others] = reading.ingredients;
      // A national spelling (0.95) is certain enough; a corrected spelling is not.
      if (only && others.length === 0 && reading.unknown.length === 0 && only.confidence >= 0.95) {
        const methods = [only.method, ...reading.assumed.map(({ target }) => target.method)];
        if (!methods.includes('brand')) return only.ingredient;
      }
    }
    return undefined;
  }

  private readVocabulary(folder: string): Map<string, number> {
    const text = gunzipSync(readFileSync(join(folder, 'drugbank_vocabulary.csv.gz'))).toString('utf8');
    const owners = new Map<string, number | null>();
    for (const line of text.split('\n').slice(1)) {
      const cells = cellsOf(line);
      const names = [cells[2] ?? '', ...(cells[5] ?? '').split(' | ')].filter((name) => name.length > 3);
      const target = this.index.find(squash(fold(cells[2] ?? '')));
      if (target?.ingredients.length !== 1 || target.method === 'brand') continue;
      for (const name of names) {
        const key = squash(fold(name));
        const owner = owners.get(key);
        owners.set(
          key,
          owner === undefined || owner === target.ingredients[0] ? target.ingredients[0] : null,
        );
      }
    }
    return new Map([...owners].flatMap(([key, owner]) => (owner === null ? [] : [[key, owner] as const])));
  }
}

/** The cells of a line of comma-separated values. A quoted cell may contain commas. */
function cellsOf(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
}
