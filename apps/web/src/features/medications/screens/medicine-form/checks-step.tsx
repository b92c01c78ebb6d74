import type { InteractionResult } from '@app/client';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { checkBeforeSaving, pausedNames } from '../../model/checks';
import { needsWeight } from '../../model/cabinet-check';
import { dosageOf, hasDailyLimit, lacksVolume } from '../../model/dosage';
import type { Medicine } from '@app/client/documents';
import { Note } from '../../../../ui/screen';
import { Finding } from '../cabinet/finding';
import { VolumeMissing, WeightMissing } from '../cabinet/what-is-missing';
import type { MedicineForm } from './form-model';

type State =
  { is: 'idle' | 'checking' | 'failed' | 'noSpecies' } | { is: 'done'; findings: InteractionResult[] };

export interface ChecksStepProps {
  form: MedicineForm;
  before: Medicine | undefined;
  onFindings: (findings: InteractionResult[]) => void;
}

/** The checks on the device before saving. They are always shown and never prevent the saving. */
export function ChecksStep({ form, before, onFindings }: ChecksStepProps) {
  const [state, setState] = useState<State>({ is: 'idle' });
  const name = form.name.trim();
  const dosage = dosageOf(form);
  const paused = pausedNames(form.profileId, before);
  useEffect(() => {
    onFindings([]);
    if (name.length < 2 || !form.profileId) return setState({ is: 'idle' });
    let isNewest = true;
    const timer = setTimeout(() => {
      setState({ is: 'checking' });
      checkBeforeSaving(form.profileId, { name, dosage }, before).then(
        (findings) => {
          if (!isNewest) return;
          setState(findings ? { is: 'done', findings } : { is: 'noSpecies' });
          onFindings(findings ?? []);
        },
        () => isNewest && setState({ is: 'failed' }),
      );
    }, 500);
    return () => {
      isNewest = false;
      clearTimeout(timer);
    };
  }, [name, dosage, form.profileId]);
  if (state.is === 'idle') return null;
  const findings = state.is === 'done' ? state.findings : [];
  // A dose without amount or times was not held against a limit; a finding on a dose says so, or that it was.
  const isUnsure =
    state.is === 'done' && !hasDailyLimit(form) && !findings.some(({ kind }) => kind.startsWith('dose_'));
  return (
    <section class="stack" aria-live="polite">
      <h2>{t('cabinet.form.checks')}</h2>
      {state.is === 'checking' && <p class="soft">{t('cabinet.form.checking')}</p>}
      {state.is === 'failed' && <Note look="warn">{t('cabinet.form.checkFailed')}</Note>}
      {state.is === 'noSpecies' && <Note look="warn">{t('cabinet.form.notChecked')}</Note>}
      {state.is === 'done' && findings.length === 0 && (
        <Note>{t(isUnsure ? 'cabinet.together.noneTogether' : 'cabinet.form.nothingKnown')}</Note>
      )}
      {findings.map((each, at) => (
        <Finding key={`${each.ruleId}${at}`} finding={each} />
      ))}
      {isUnsure && <Note look="warn">{t('cabinet.together.unsureDoses', { names: name })}</Note>}
      {state.is === 'done' && lacksVolume(form) && <VolumeMissing />}
      {findings.some(needsWeight) && <WeightMissing profileId={form.profileId} />}
      {state.is === 'done' && paused.length > 0 && (
        <Note look="warn">{t('cabinet.form.paused', { names: paused.join(', ') })}</Note>
      )}
    </section>
  );
}
