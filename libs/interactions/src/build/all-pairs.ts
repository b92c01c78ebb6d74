import { createEngine } from '../engine';
import { DuplicateRules, kindOfPair, PairRules, type Locality } from '../rules/pair-rules';
import { closeTags } from '../rules/tag-closure';
import type { KnowledgeBase } from '../compiled-base';
import type { Severity, Species } from '../types';

/** One alert between two ingredients, or about one ingredient in a species. */
export interface Alert {
  kind: string;
  severity: Severity;
  rule: string;
}

/** Every alert among all pairs. The key names the pair and the kind. */
export type AlertMap = Map<string, Alert>;

/** The rank of a severity; a higher rank is worse. `unknown` is 0. */
export function badness(severity: string): number {
  return ['minor', 'moderate', 'major', 'contraindicated'].indexOf(severity) + 1;
}

/**
 * Every alert among all pairs of ingredients of a base, and about every ingredient in dogs and cats. The
 * alerts are those of `check` for the INNs, but without texts, so that a million pairs take only seconds.
 */
export function allAlerts(base: KnowledgeBase): AlertMap {
  const alerts: AlertMap = new Map();
  const everything = base.ingredients.map((_, position) => position);
  forEachPairAlert(base, everything, (x, y, alert) => {
    const [a, b] = [base.ingredients[x].inn, base.ingredients[y].inn].sort();
    alerts.set(`${a} + ${b} [${alert.kind}]`, alert);
  });
  const engine = createEngine(base);
  for (const species of ['dog', 'cat'] satisfies Species[]) {
    for (const { inn } of base.ingredients) {
      for (const { kind, severity, rule_id } of engine.check({ medications: [inn], species })) {
        // An unknown result is not an alert.
        if (severity === 'unknown') continue;
        alerts.set(`${inn} in a ${species} [${kind}]`, { kind, severity, rule: rule_id });
      }
    }
  }
  return alerts;
}

/**
 * Calls back for every alert among all pairs of some ingredients, in people, by all routes that their bare
 * names can mean.
 */
export function forEachPairAlert(
  base: KnowledgeBase,
  ingredients: readonly number[],
  report: (x: number, y: number, alert: Alert) => void,
): void {
  const tags = closeTags(base);
  const rules = new PairRules(base, tags);
  const duplicates = new DuplicateRules(base, tags);
  const localities = base.ingredients.map(({ routes }): Locality => ({
    named: false,
    declared: routes !== undefined,
  }));
  for (let i = 0; i < ingredients.length; i++) {
    const x = ingredients[i];
    for (let j = i + 1; j < ingredients.length; j++) {
      const y = ingredients[j];
      const found = rules.find(x, y, 'human', localities[x], localities[y]);
      if (found && found.rule.severity !== 'none') {
        const { severity, id } = found.rule;
        report(x, y, { kind: kindOfPair(base, found.rule, x, y), severity, rule: id });
      }
      const twice = duplicates.find(x, y, localities[x], localities[y]);
      if (twice)
        report(x, y, { kind: 'duplicate_therapy', severity: twice.rule.severity, rule: twice.rule.id });
    }
  }
}
