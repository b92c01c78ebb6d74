import { createEngine } from '../engine';
import type { InteractionResult, KnowledgeBase, Severity, Species } from '../types';

/** One alert between two ingredients, or about one ingredient in a species. */
export interface Alert {
  kind: string;
  severity: Severity;
  rule: string;
}

/** Every alert among all pairs, by a key that names the pair and the kind. */
export type AlertMap = Map<string, Alert>;

/** Rank of a severity where more is worse; `unknown` is 0. */
export function badness(severity: string): number {
  return ['minor', 'moderate', 'major', 'contraindicated'].indexOf(severity) + 1;
}

/** Checks every pair of ingredients of a base by their INNs, and every ingredient in dogs and cats. */
export function allAlerts(base: KnowledgeBase): AlertMap {
  const engine = createEngine(base);
  const alerts: AlertMap = new Map();
  const add = (result: InteractionResult, where: string): void => {
    const key = `${[...result.ingredients].sort().join(' + ')}${where} [${result.kind}]`;
    alerts.set(key, { kind: result.kind, severity: result.severity, rule: result.rule_id });
  };
  const names = base.ingredients.map(({ inn }) => inn);
  for (const result of engine.check({ medications: names })) add(result, '');
  for (const species of ['dog', 'cat'] satisfies Species[]) {
    for (const name of names)
      for (const result of engine.check({ medications: [name], species })) add(result, ` in a ${species}`);
  }
  return alerts;
}
