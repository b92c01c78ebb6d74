import type { InteractionEngine } from '../engine';
import type { InteractionResult, Species } from '../types';
import { badness } from './all-pairs';

/** The input of a person and the expected answer. */
export interface HardCase {
  id: string;
  medications: string[];
  species?: Species;
  /** A new medicine. The case then calls `checkNew`. */
  new?: { name: string; dosage: string };
  /** The answer "unknown name" is also right. */
  or_unrecognized?: boolean;
  /** With `none`: unknown names are ignored. */
  allow_unrecognized?: boolean;
  expect: {
    /** The ingredients of the first name; empty when it must not be recognised. */
    ingredients?: string[];
    kind?: string;
    severity_min?: string;
    severity_max?: string;
    pair?: string[];
    none?: true;
  };
  why?: string;
}

/** The fault in the answer to a case; `undefined` when the answer is right. */
export function faultOf(engine: InteractionEngine, one: HardCase): string | undefined {
  const { medications, species, expect } = one;
  const results = one.new
    ? engine.checkNew({ ...one.new, medications, species })
    : engine.check({ medications, species });
  const unknown = results.some(({ kind }) => kind === 'unrecognized');
  if (one.or_unrecognized && unknown) return undefined;
  const got = describe(results);
  if (expect.ingredients) {
    const [{ ingredients }] = engine.resolve({ medications: [medications[0]] });
    const wanted = engine.resolve({ medications: expect.ingredients }).flatMap((name) => name.ingredients);
    return ingredients.slice().sort().join() === wanted.sort().join()
      ? undefined
      : `read as ${ingredients.join(' + ') || 'nothing'}`;
  }
  if (expect.none) {
    const rest = results.filter(({ kind }) => !(one.allow_unrecognized && kind === 'unrecognized'));
    return rest.length === 0 ? undefined : got;
  }
  const pair = engine.resolve({ medications: expect.pair ?? [] }).flatMap((name) => name.ingredients);
  const hits = results.filter(
    ({ kind, ingredients }) => isKind(kind, expect.kind) && pair.every((inn) => ingredients.includes(inn)),
  );
  const worst = Math.max(-1, ...hits.map(({ severity }) => badness(severity)));
  if (worst < 0 && expect.severity_max === undefined) return got;
  if (expect.severity_min !== undefined && worst < badness(expect.severity_min)) return got;
  if (expect.severity_max !== undefined && worst > badness(expect.severity_max)) return got;
  return undefined;
}

/** An interaction with food also counts as an interaction. */
function isKind(kind: string, expected: string | undefined): boolean {
  return kind === expected || (expected === 'interaction' && kind === 'food');
}

function describe(results: readonly InteractionResult[]): string {
  return (
    results
      .map(
        ({ kind, severity, rule_id, ingredients }) =>
          `${kind} ${severity} ${rule_id} (${ingredients.join(' + ')})`,
      )
      .join('; ') || 'nothing'
  );
}
