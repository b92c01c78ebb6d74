import { severityRank } from './rules/pair-rules';
import type { CompiledCaution } from './compiled-base';
import type { InteractionResult } from './types';

/**
 * True when a finding of a statement that tells the caution, at least as severe, is about the ingredient. It names the caution in
 * its `related_rules`.
 */
export function isTold(
  { id, told = [], severity }: CompiledCaution,
  inn: string,
  findings: readonly InteractionResult[],
): boolean {
  if (told.length === 0) return false;
  const telling = findings.filter(
    (finding) =>
      told.includes(finding.rule_id) &&
      severityRank(finding.severity) <= severityRank(severity) &&
      finding.ingredients.includes(inn),
  );
  for (const finding of telling) {
    finding.related_rules = [...new Set([...finding.related_rules, id])].sort();
  }
  return telling.length > 0;
}
