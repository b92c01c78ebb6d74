import type { InteractionResult } from '@app/client';
import type { TextKey } from '../../../../i18n/i18n';

/**
 * The text for the grade of a finding. “Both” is right for two medicines only: a finding may be about one and a
 * person, or about many; of a dose that is too high, only the dose is wrong. A name that was read as another one was checked, under that name.
 */
export function gradeKey({
  kind,
  severity,
  medications,
}: Pick<InteractionResult, 'kind' | 'severity' | 'medications'>): TextKey {
  if (kind === 'name_assumed') return 'cabinet.assumedName';
  if (kind === 'dose_ceiling' && (severity === 'contraindicated' || severity === 'major'))
    return `cabinet.severityOfDose.${severity}`;
  if (medications.length === 1 && (severity === 'contraindicated' || severity === 'major'))
    return `cabinet.severityOfOne.${severity}`;
  if (medications.length > 2 && severity === 'major') return 'cabinet.severityOfMany.major';
  return `cabinet.severity.${severity}`;
}
