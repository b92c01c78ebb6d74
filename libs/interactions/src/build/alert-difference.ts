import { badness, type AlertMap } from './all-pairs';

/** The differences between two sets of alerts, one line each, sorted. */
export function compareAlerts(
  before: AlertMap,
  after: AlertMap,
): Record<'added' | 'removed' | 'worse' | 'milder', string[]> {
  const report = {
    added: [] as string[],
    removed: [] as string[],
    worse: [] as string[],
    milder: [] as string[],
  };
  for (const [key, alert] of after) {
    const old = before.get(key);
    if (!old) report.added.push(`${key} ${alert.severity} (${alert.rule})`);
    else if (old.severity !== alert.severity) {
      const list = badness(alert.severity) > badness(old.severity) ? report.worse : report.milder;
      list.push(`${key} ${old.severity} -> ${alert.severity} (${old.rule} -> ${alert.rule})`);
    }
  }
  for (const [key, alert] of before) {
    if (!after.has(key)) report.removed.push(`${key} ${alert.severity} (${alert.rule})`);
  }
  for (const lines of Object.values(report)) lines.sort();
  return report;
}
