import { createHash } from 'node:crypto';
import type { KnowledgeBase } from '../compiled-base';
import { allAlerts } from './all-pairs';

/**
 * A summary of the alerts of all pairs, small enough to commit. A review sees which rule changed and for how
 * many pairs.
 */
export interface Snapshot {
  alerts: number;
  bySeverity: Record<string, number>;
  /** "rule-id severity kind": the number of pairs (for a species, of ingredients). */
  byRule: Record<string, number>;
  /** Changes when any alert changes. */
  hash: string;
}

/** Takes the snapshot of a base. Keys are sorted, so that equal bases give equal text. */
export function takeSnapshot(base: KnowledgeBase): Snapshot {
  const alerts = [...allAlerts(base)].sort(([a], [b]) => (a < b ? -1 : 1));
  const bySeverity = new Map<string, number>();
  const byRule = new Map<string, number>();
  const hash = createHash('sha256');
  for (const [pair, { kind, severity, rule }] of alerts) {
    bySeverity.set(severity, (bySeverity.get(severity) ?? 0) + 1);
    const key = `${rule} ${severity} ${kind}`;
    byRule.set(key, (byRule.get(key) ?? 0) + 1);
    hash.update(`${pair} ${severity} ${rule}\n`);
  }
  const sorted = (counts: Map<string, number>): Record<string, number> =>
    Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1)));
  return {
    alerts: alerts.length,
    bySeverity: sorted(bySeverity),
    byRule: sorted(byRule),
    hash: hash.digest('hex'),
  };
}
