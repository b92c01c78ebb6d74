import type { CompiledCaution, CompiledSource } from './compiled-base';
import type { LabelTopic } from './label-topics';
import type { ResultKind, Severity } from './types';

/**
 * The section in which labels say something like this statement; `undefined` when the source is no label. What
 * must not be combined is in two sections.
 */
export function labelSection(
  { sections }: Pick<CompiledSource, 'sections'>,
  kind: ResultKind,
  severity: Severity,
  when?: CompiledCaution['when'],
): string | undefined {
  if (!sections) return undefined;
  const topics = topicsOf(kind, severity, when);
  return topics.flatMap((topic) => sections[topic] ?? []).join('; ') || undefined;
}

function topicsOf(kind: ResultKind, severity: Severity, when?: CompiledCaution['when']): LabelTopic[] {
  const isForbidden = severity === 'contraindicated';
  if (kind === 'dose_ceiling') return ['dose'];
  if (kind !== 'person_caution') return isForbidden ? ['contraindication', 'interaction'] : ['interaction'];
  if (when?.pregnant || when?.sex === 'female') return ['pregnancy'];
  if (when?.breastfeeding) return ['breastfeeding'];
  if (when?.egfrBelow !== undefined) return ['kidneys'];
  if (when?.ageBelow !== undefined) return ['children'];
  if (when?.ageFrom !== undefined && !when.smokes) return ['older_people'];
  return isForbidden ? ['contraindication'] : ['warning'];
}
