import type { InteractionEngine } from '../engine';

/** A brand of a country and its most important ingredient; `?` when the ingredient is unknown. */
export interface BrandCase {
  country: string;
  name: string;
  ingredient: string;
}

/** The results for brands. Each list holds one line per case. */
export interface BrandEvaluation {
  cases: number;
  right: number;
  /** Not recognised, or only in part, and reported as such. */
  unknown: string[];
  /** Read as something else, with a notice. */
  wrongButSaid: string[];
  /** Read as something else, without a notice. */
  wrongInSilence: string[];
}

/** Reads a table of `country`, `name`, `ingredient` with a header row. */
export function parseBrandCases(text: string): BrandCase[] {
  const [, ...rows] = text.trim().split('\n');
  return rows.map((row) => {
    const [country, name, ingredient] = row.split('\t');
    return { country, name, ingredient };
  });
}

/** A brand is right when the expected ingredient is among those read. */
export function evaluateBrands(engine: InteractionEngine, cases: readonly BrandCase[]): BrandEvaluation {
  const result: BrandEvaluation = {
    cases: 0,
    right: 0,
    unknown: [],
    wrongButSaid: [],
    wrongInSilence: [],
  };
  for (const { country, name, ingredient } of cases) {
    if (ingredient === '?') continue;
    const [got, wanted] = engine.resolve({ medications: [name, ingredient] });
    const label = `${country} '${name}' (${ingredient}): ${got.ingredients.join(' + ') || 'nothing'}`;
    result.cases++;
    // "Insulin" stands for any of them.
    const isRead = (inn: string): boolean =>
      got.ingredients.some((other) => other === inn || other.startsWith(`${inn} `));
    if (wanted.ingredients.length > 0 && wanted.ingredients.every(isRead)) {
      result.right++;
    } else if (got.ingredients.length === 0) {
      result.unknown.push(label);
    } else {
      const said = engine
        .check({ medications: [name] })
        .some(({ kind }) => kind === 'unrecognized' || kind === 'name_assumed');
      (said ? result.wrongButSaid : result.wrongInSilence).push(label);
    }
  }
  return result;
}
