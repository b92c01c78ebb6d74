import type { GradedSeverity } from '../types';
import type { EntryReader } from './entry-reader';
import { lookUp, type Registry } from './name-compiler';

/**
 * Reads the rules that a rule replaces. Each group has its own reason and sources, so that a reviewer can
 * judge it. A rule that only silences a pair has its own reason and sources and lists only ids.
 */
export function readOverrides(
  reader: EntryReader,
  registry: Registry,
  severity: GradedSeverity | 'none',
): string[] {
  const value = reader.raw('overrides');
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    reader.complain(`'overrides' must be a list: [ { rules: [other-rule], reason: …, sources: […] } ]`);
    return [];
  }
  return value.flatMap((item: unknown): string[] => {
    if (typeof item === 'string') {
      if (severity !== 'none')
        reader.complain(
          `'overrides' names '${item}' without a reason; write { rules: [${item}], reason: …, sources: […] }`,
        );
      return [item];
    }
    return readGroup(reader, registry, item);
  });
}

function readGroup(reader: EntryReader, registry: Registry, item: unknown): string[] {
  const { rules, reason, sources, ...others } = (item ?? {}) as Record<string, unknown>;
  const unknown = Object.keys(others);
  if (unknown.length > 0) reader.complain(`'overrides' has the unknown field '${unknown[0]}'`);
  if (!isTextList(rules)) {
    reader.complain(`each group in 'overrides' needs 'rules', a list of ids`);
    return [];
  }
  if (typeof reason !== 'string' || !reason.trim().endsWith('.'))
    reader.complain(`'overrides' of ${rules.join(', ')} needs a 'reason' that ends with a full stop`);
  if (!isTextList(sources)) reader.complain(`'overrides' of ${rules.join(', ')} needs 'sources'`);
  else for (const source of sources) lookUp(reader, 'sources', source, registry);
  return rules;
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => typeof item === 'string');
}
