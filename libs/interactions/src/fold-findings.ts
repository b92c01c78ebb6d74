import { severityRank } from './rules/pair-rules';
import type { InteractionResult } from './types';

const PAIRS: ReadonlySet<string> = new Set(['interaction', 'food', 'duplicate_therapy']);

/**
 * Tells one mechanism of the same products once: both parts of a product with the same rule, an interaction beside the
 * duplicate that says the same, and the milder pairs of a burden. What is folded stays in `related_rules`, and every
 * name in a result.
 */
export function foldFindings(results: readonly InteractionResult[]): InteractionResult[] {
  // An answer with partners is about one medicine and every other one, and is folded by classes.
  if (results.some(({ partners }) => partners)) return [...results];
  const merged = mergeSharing(mergePacks(mergeParts(results))).map((result) =>
    result.medications.length > 2 && PAIRS.has(result.kind)
      ? { ...result, medications: [...new Set(result.medications)] }
      : result,
  );
  const telling = merged.filter(({ kind }) => kind === 'cumulative_burden' || kind === 'duplicate_therapy');
  const kept: InteractionResult[] = [];
  const folded = new Map<InteractionResult, string[]>();
  for (const result of merged) {
    const into = telling.find((other) => tells(other, result) || repeats(other, result, merged));
    if (into) folded.set(into, [...(folded.get(into) ?? []), result.rule_id, ...result.related_rules]);
    else kept.push(result);
  }
  return kept.map((result) => {
    const rules = folded.get(result);
    return rules ? { ...result, related_rules: idsOf(result, rules) } : result;
  });
}

/** One result for a rule about two products, whichever of their ingredients it meets. */
function mergeParts(results: readonly InteractionResult[]): InteractionResult[] {
  const first = new Map<string, number>();
  const merged: InteractionResult[] = [];
  for (const result of results) {
    const key = PAIRS.has(result.kind) ? keyOf(result) : undefined;
    const at = key === undefined ? undefined : first.get(key);
    if (at === undefined) {
      if (key !== undefined) first.set(key, merged.length);
      merged.push(result);
      continue;
    }
    const known = merged[at];
    merged[at] = { ...joined(known, result), medications: known.medications, summary: known.summary };
  }
  return merged;
}

/** One result for two packs of one medicine, such as slow and fast morphine, beside the same other medicine. */
function mergePacks(results: readonly InteractionResult[]): InteractionResult[] {
  return mergeWithinRules(results, isPair, isOtherPack);
}

/** Joins each wanted result with the first of its rule that it belongs to. */
function mergeWithinRules(
  results: readonly InteractionResult[],
  isWanted: (result: InteractionResult) => boolean,
  belong: (known: InteractionResult, result: InteractionResult) => boolean,
): InteractionResult[] {
  const merged: InteractionResult[] = [];
  const ofRule = new Map<string, number[]>();
  for (const result of results) {
    const known = isWanted(result) ? ofRule.get(result.rule_id) : undefined;
    const at = known?.find((position) => belong(merged[position], result));
    if (at !== undefined) {
      merged[at] = joined(merged[at], result);
      continue;
    }
    if (known) known.push(merged.length);
    else if (isWanted(result)) ofRule.set(result.rule_id, [merged.length]);
    merged.push(result);
  }
  return merged;
}

/** True when both are about the same ingredients, and one product is in both. */
function isOtherPack(known: InteractionResult, result: InteractionResult): boolean {
  return (
    known.severity === result.severity &&
    holds(known.ingredients, result.ingredients) &&
    holds(result.ingredients, known.ingredients) &&
    adviceOf(known) === adviceOf(result) &&
    result.medications.some((name) => known.medications.includes(name))
  );
}

/**
 * One result for the findings of a rule that only asks to watch, where one medicine meets several others. The
 * summary says each of them.
 */
function mergeSharing(results: readonly InteractionResult[]): InteractionResult[] {
  return mergeWithinRules(results, isWatched, isStar);
}

function isWatched(result: InteractionResult): boolean {
  const { severity, action } = result;
  return isPair(result) && severity !== 'contraindicated' && (action === 'monitor' || action === 'be_aware');
}

function isPair({ kind }: InteractionResult): boolean {
  return kind === 'interaction' || kind === 'food';
}

/** True when one medicine is in every pair of both. */
function isStar(known: InteractionResult, result: InteractionResult): boolean {
  const isSame = known.kind === result.kind && known.severity === result.severity;
  if (!isSame || adviceOf(known) !== adviceOf(result)) return false;
  const pairs = known.medications.length / 2;
  return result.medications.some(
    (name) => known.medications.filter((other) => other === name).length === pairs,
  );
}

/** The advice without the names. A medicine for emergencies has other advice by the same rule. */
function adviceOf({ management, ingredients, medications }: InteractionResult): string {
  const names = [...ingredients, ...medications].map((name) => name.toLowerCase());
  names.sort((x, y) => y.length - x.length);
  return names.reduce((text, name) => text.replaceAll(name, '*'), management.toLowerCase());
}

/** Two results of one rule as one. Names stand in it as often as in both. */
function joined(known: InteractionResult, result: InteractionResult): InteractionResult {
  return {
    ...known,
    medications: [...known.medications, ...result.medications],
    ingredients: [...new Set([...known.ingredients, ...result.ingredients])],
    summary: known.summary.includes(result.summary) ? known.summary : `${known.summary} ${result.summary}`,
    matches: [
      ...known.matches,
      ...result.matches.filter(
        ({ input, ingredient }) =>
          !known.matches.some((match) => match.input === input && match.ingredient === ingredient),
      ),
    ],
    related_rules: idsOf(known, result.related_rules),
  };
}

function keyOf({ kind, rule_id, severity, medications }: InteractionResult): string {
  return [kind, rule_id, severity, ...new Set([...medications].sort())].join('\u0000');
}

/** True when a finding says all that matters of another one. A graver or a severe finding is not folded. */
function tells(result: InteractionResult, other: InteractionResult): boolean {
  const isMild = other.severity === 'moderate' || other.severity === 'minor';
  if (!isMild || !isPair(other) || severityRank(other.severity) < severityRank(result.severity)) return false;
  if (!holds(result.medications, other.medications)) return false;
  // A name of several meanings is in a burden once for each, so that two products can look like three.
  return result.kind === 'cumulative_burden'
    ? result.related_rules.includes(other.rule_id) && new Set(result.medications).size > 2
    : result.kind === 'duplicate_therapy' && holds(result.ingredients, other.ingredients);
}

/**
 * True when a burden of the same severity tells a pair: its rule also finds one between others of the burden, or it only asks to
 * watch what the burden asks to change.
 */
function repeats(
  burden: InteractionResult,
  pair: InteractionResult,
  all: readonly InteractionResult[],
): boolean {
  const isPart = (other: InteractionResult): boolean =>
    isPair(other) &&
    other.rule_id === pair.rule_id &&
    other.severity === burden.severity &&
    holds(burden.medications, other.medications);
  if (burden.kind !== 'cumulative_burden' || !burden.related_rules.includes(pair.rule_id) || !isPart(pair))
    return false;
  if (burden.action === 'avoid' && isWatched(pair)) return new Set(burden.medications).size > 2;
  return (
    pair.action === burden.action &&
    all.some((other) => other !== pair && isPart(other) && other.action === burden.action)
  );
}

function holds(all: readonly string[], some: readonly string[]): boolean {
  return some.every((one) => all.includes(one));
}

function idsOf({ rule_id, related_rules }: InteractionResult, more: readonly string[]): string[] {
  return [...new Set([...related_rules, ...more])].filter((id) => id !== rule_id).sort();
}
