import { severityRank } from './rules/pair-rules';
import type { InteractionResult, Severity } from './types';

/**
 * True when findings of the given statements, at least as severe, are about all of the ingredients. They name what they tell in
 * `related_rules`.
 */
export function isTold(
  { id, told = [] }: { id: string; told?: readonly string[] },
  severity: Severity,
  ingredients: readonly string[],
  findings: readonly InteractionResult[],
  related: readonly string[] = [],
): boolean {
  if (told.length === 0) return false;
  const telling = findings.filter(
    (finding) => told.includes(finding.rule_id) && severityRank(finding.severity) <= severityRank(severity),
  );
  if (!ingredients.every((inn) => telling.some((finding) => finding.ingredients.includes(inn)))) return false;
  for (const finding of telling) {
    if (!finding.ingredients.some((inn) => ingredients.includes(inn))) continue;
    finding.related_rules = [...new Set([...finding.related_rules, id, ...related])]
      .filter((other) => other !== finding.rule_id)
      .sort();
  }
  return true;
}
