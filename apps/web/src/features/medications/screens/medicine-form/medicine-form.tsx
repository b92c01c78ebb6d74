import type { InteractionResult } from '@app/client';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { t } from '../../../../i18n/i18n';
import { memberOf, members } from '../../../profiles/model/family';
import { changeable } from '../../../profiles/model/people';
import { sentenceOf } from '../../../../platform/model/failure';
import { DOSE_UNITS, type Medicine } from '@app/client/documents';
import type { Draft } from '../../../../platform/model/use-draft';
import { Button, ButtonLink } from '../../../../ui/button';
import { SelectField, TextArea, TextField } from '../../../../ui/field';
import { Form, useAct } from '../../../../ui/form';
import { Note } from '../../../../ui/screen';
import { Drafted, forgetWithUndo } from '../../../../platform/shell/drafted';
import { ChecksStep } from './checks-step';
import { faultsOf } from './faults';
import type { MedicineForm } from './form-model';
import { NameStep } from './name-step';
import { ScheduleStep } from './schedule-step';

export interface MedicineFormFieldsProps {
  draft: Draft<MedicineForm>;
  before?: Medicine;
  /** @param rules of the findings that were shown */
  save: (form: MedicineForm, rules: string[]) => Promise<unknown>;
}

/** Name, dose, schedule, stock; then the checks; then saving. */
export function MedicineFormFields({ draft, before, save }: MedicineFormFieldsProps) {
  const { value: form, change } = draft;
  const [tried, setTried] = useState(false);
  const [findings, setFindings] = useState<InteractionResult[]>([]);
  const act = useAct(sentenceOf);
  const { route, path } = useLocation();
  const title = t(before ? 'cabinet.form.edit' : 'cabinet.form.add');
  const faults = tried ? faultsOf(form) : {};
  const submit = () => {
    setTried(true);
    if (Object.keys(faultsOf(form)).length > 0) return;
    void act.run(() =>
      save(
        form,
        findings.map(({ ruleId }) => ruleId),
      ),
    );
  };
  return (
    <Drafted
      draft={draft}
      what={draft.kept?.name.trim() || title}
      who={memberOf(draft.kept?.profileId ?? '')?.details.name}
    >
      <Form onSubmit={submit}>
        {!before && members.value.length > 1 && (
          <SelectField
            label={t('cabinet.form.forWhom')}
            value={form.profileId}
            options={[
              ...(form.profileId ? [] : [{ value: '', label: t('cabinet.form.choose') }]),
              ...changeable(members.value).map(({ id, details }) => ({ value: id, label: details.name })),
            ]}
            onValue={(profileId) => change({ profileId })}
            error={faults.profileId && t('cabinet.form.whoMissing')}
          />
        )}
        <NameStep form={form} change={change} error={faults.name && t('cabinet.form.nameMissing')} />
        <TextField
          label={t('cabinet.form.strength')}
          hint={t(form.unit === 'ml' ? 'cabinet.form.strengthHintMl' : 'cabinet.form.strengthHint')}
          note={t('common.optional')}
          value={form.strength}
          onValue={(strength) => change({ strength })}
        />
        <div class="row">
          {(form.amounts === 'same' || form.kind === 'asNeeded') && (
            <TextField
              label={t('cabinet.form.amount')}
              inputMode="decimal"
              value={form.amount}
              onValue={(amount) => change({ amount })}
              error={faults.amount && t('cabinet.form.amountWrong')}
            />
          )}
          <SelectField
            label={t('cabinet.form.unit')}
            value={form.unit}
            options={DOSE_UNITS.map((unit) => ({ value: unit, label: t(`cabinet.unit.${unit}`) }))}
            onValue={(unit) => change({ unit })}
          />
        </div>
        {form.unit === 'unit' && (
          <TextField
            label={t('plan.correction')}
            hint={t('plan.correctionHint')}
            note={t('common.optional')}
            maxLength={200}
            value={form.correction}
            onValue={(correction) => change({ correction })}
          />
        )}
        <ScheduleStep form={form} change={change} faults={faults} />
        <div class="row">
          <TextField
            label={t('cabinet.form.stock')}
            hint={t('cabinet.form.stockHint')}
            note={t('common.optional')}
            inputMode="decimal"
            value={form.stock}
            onValue={(stock) => change({ stock })}
            error={faults.stock && t('cabinet.form.amountWrong')}
          />
          {form.stock !== '' && (
            <TextField
              label={t('cabinet.form.refillAt')}
              inputMode="decimal"
              value={form.refillAt}
              onValue={(refillAt) => change({ refillAt })}
              error={faults.refillAt && t('cabinet.form.amountWrong')}
            />
          )}
        </div>
        <details>
          <summary>{t('cabinet.form.more')}</summary>
          <div class="stack">
            <TextField
              label={t('cabinet.form.reason')}
              value={form.reason}
              onValue={(reason) => change({ reason })}
            />
            <TextField
              label={t('cabinet.form.prescriber')}
              value={form.prescriber}
              onValue={(prescriber) => change({ prescriber })}
            />
            <TextArea
              label={t('cabinet.form.instructions')}
              value={form.instructions}
              onValue={(instructions) => change({ instructions })}
            />
            <TextArea
              label={t('cabinet.form.notes')}
              value={form.notes}
              onValue={(notes) => change({ notes })}
            />
          </div>
        </details>
        <ChecksStep form={form} before={before} onFindings={setFindings} />
        {act.error !== undefined && (
          <Note look="error">
            {sentenceOf(act.error)} {t('common.state.kept')}
          </Note>
        )}
        <div class="actions">
          <ButtonLink
            href={before ? `/app/cabinet/${before.id}` : '/app/cabinet'}
            onClick={() => forgetWithUndo(draft, () => route(path))}
          >
            {t('common.action.cancel')}
          </ButtonLink>
          <Button type="submit" look="primary" busy={act.busy}>
            {findings.length > 0 ? t('cabinet.form.saveSeen') : t('common.action.save')}
          </Button>
        </div>
      </Form>
    </Drafted>
  );
}
