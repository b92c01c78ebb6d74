import { createEngine, type InteractionEngine } from '../engine';
import type { KnowledgeBase } from '../compiled-base';
import type { InteractionResult, Species } from '../types';
import { badness, forEachPairAlert } from './all-pairs';

/** One line of a file of cases: a pair that interacts, a pair that must give no alert, or a name. */
export interface EvaluationCase {
  id?: string;
  a?: string;
  b?: string;
  /** The least severity expected of a pair that interacts. */
  severity_hint?: string;
  mechanism?: string;
  /** Why a pair must give no alert. A case with a reason is a negative case. */
  reason?: string;
  input?: string;
  /** The expected INNs (or any names of them) for `input`; empty when it must not be recognised. */
  expected?: string[];
  species?: Species;
}

/** Figures for a file of cases. Each list of misses holds one line per case. */
export interface Evaluation {
  positives: number;
  found: number;
  contraindicated: number;
  contraindicatedFound: number;
  gradedAsSevere: number;
  negatives: number;
  falseAlerts: number;
  names: number;
  namesRight: number;
  missesByName: string[];
  missesByRule: string[];
  undergraded: string[];
  falseAlertLines: string[];
  nameMisses: string[];
}

const MODERATE = badness('moderate');

/**
 * Runs an engine on cases. A pair is found when it has any finding. A false alert is a finding of moderate or
 * above.
 */
export function evaluate(engine: InteractionEngine, cases: readonly EvaluationCase[]): Evaluation {
  const result: Evaluation = {
    positives: 0, found: 0, contraindicated: 0, contraindicatedFound: 0, gradedAsSevere: 0, negatives: 0, falseAlerts: 0, names: 0, namesRight: 0,
    missesByName: [], missesByRule: [], undergraded: [], falseAlertLines: [], nameMisses: [],
  }; // prettier-ignore
  for (const one of cases) {
    if (one.input !== undefined) evaluateName(engine, one, result);
    else if (one.a !== undefined && one.b !== undefined) evaluatePair(engine, one, one.a, one.b, result);
  }
  return result;
}

function evaluatePair(
  engine: InteractionEngine,
  one: EvaluationCase,
  a: string,
  b: string,
  result: Evaluation,
): void {
  const all = engine.check({ medications: [a, b], species: one.species });
  const findings = all.filter(({ kind }) => kind !== 'unrecognized');
  const worst = findings.reduce<InteractionResult | undefined>(
    (most, next) => (badness(next.severity) > badness(most?.severity ?? '') ? next : most),
    undefined,
  );
  const reached = badness(worst?.severity ?? '');
  const label = `${one.id ? `${one.id} ` : ''}${a} + ${b}`;
  if (one.reason !== undefined) {
    result.negatives++;
    if (reached < MODERATE) return;
    result.falseAlerts++;
    result.falseAlertLines.push(
      `${label}: ${worst?.severity} by ${worst?.rule_id} (silent because: ${one.reason})`,
    );
    return;
  }
  const expected = badness(one.severity_hint ?? '');
  const isWorst = one.severity_hint === 'contraindicated';
  result.positives++;
  if (isWorst) result.contraindicated++;
  if (!worst) {
    const unknown = all.flatMap(({ kind, medications }) => (kind === 'unrecognized' ? medications : []));
    const hint = `${label}: expected ${one.severity_hint ?? 'a finding'}${one.mechanism ? ` (${one.mechanism})` : ''}`;
    if (unknown.length > 0) result.missesByName.push(`${hint}; unknown: ${unknown.join(', ')}`);
    else result.missesByRule.push(hint);
    return;
  }
  result.found++;
  if (isWorst) result.contraindicatedFound++;
  if (reached >= expected) result.gradedAsSevere++;
  else
    result.undergraded.push(`${label}: ${worst.severity} by ${worst.rule_id}, expected ${one.severity_hint}`);
}

function evaluateName(engine: InteractionEngine, one: EvaluationCase, result: Evaluation): void {
  const input = one.input ?? '';
  const idsOf = (medications: readonly string[]): string =>
    [...new Set(engine.resolve({ medications }).flatMap(({ ingredients }) => ingredients))]
      .sort()
      .join(' + ');
  const got = idsOf([input]);
  const wanted = idsOf(one.expected ?? []);
  const known = engine
    .resolve({ medications: one.expected ?? [] })
    .every(({ ingredients }) => ingredients.length > 0);
  result.names++;
  if (known && got === wanted) result.namesRight++;
  else
    result.nameMisses.push(
      `'${input}': read as ${got || 'nothing'}, expected ${(one.expected ?? []).join(' + ') || 'nothing'}`,
    );
}

/**
 * The number of pairs among some names that alert at moderate or above. A name that is unknown or means a
 * combination counts as an ingredient without alerts and is returned.
 */
export function alertRate(
  base: KnowledgeBase,
  names: readonly string[],
): { names: number; pairs: number; alerts: number; unknown: string[] } {
  const positions = new Map(base.ingredients.map(({ inn }, position) => [inn, position]));
  const ingredients = new Set<number>();
  const unknown: string[] = [];
  for (const { input, ingredients: inns } of createEngine(base).resolve({ medications: names })) {
    const position = inns.length === 1 ? positions.get(inns[0]) : undefined;
    if (position === undefined) unknown.push(input);
    else ingredients.add(position);
  }
  const alerting = new Set<number>();
  forEachPairAlert(base, [...ingredients], (x, y, { severity }) => {
    if (badness(severity) >= MODERATE) alerting.add(x * base.ingredients.length + y);
  });
  const count = ingredients.size + unknown.length;
  return { names: count, pairs: (count * (count - 1)) / 2, alerts: alerting.size, unknown };
}
