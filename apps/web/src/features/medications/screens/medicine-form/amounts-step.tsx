import { Plus, X } from 'lucide-preact';
import { language, t } from '../../../../i18n/i18n';
import { weekdayName } from '../../../../platform/model/dates';
import type { EnteredStep } from '../../model/dosage';
import type { DoseAmounts } from '@app/client/documents';
import { timeWords } from '../../model/words';
import { Button } from '../../../../ui/button';
import { Choice, TextField } from '../../../../ui/field';
import { amountFaultsOf, type AmountFaults } from './faults';
import type { ScheduleStepProps } from './form-model';

const WEEK = [1, 2, 3, 4, 5, 6, 0];

const replaced = <T,>(list: readonly T[], at: number, value: T): T[] => {
  const next = [...list];
  next[at] = value;
  return next;
};

const NO_FAULTS: AmountFaults = { amounts: [], days: [] };

/** What is wrong with an amount, and with which. */
const amountError = (fault: AmountFaults['amounts'][number], when: string) =>
  fault && (fault === 'zero' ? t('plan.amountsZero') : t('plan.amountWrong', { when }));

/** Amounts that differ by time, by weekday or in steps. Most people never open it. */
export function AmountsStep({ form, change, faults }: ScheduleStepProps) {
  const kinds: ('same' | DoseAmounts['by'])[] = [
    'same',
    ...(form.kind === 'times' && form.times.length > 1 ? (['time'] as const) : []),
    ...(form.kind === 'times' ? (['weekday'] as const) : []),
    'step',
  ];
  const wrong = faults.amounts ? amountFaultsOf(form) : NO_FAULTS;
  return (
    <details open={form.amounts !== 'same'}>
      <summary>{t('plan.changes')}</summary>
      <div class="stack">
        <Choice
          legend={t('plan.amounts')}
          value={form.amounts}
          options={kinds.map((value) => ({ value, label: t(`plan.by.${value}`) }))}
          onValue={(amounts) =>
            change({ amounts, ...(amounts === 'time' && { byTime: form.times.map(() => form.amount) }) })
          }
        />
        {form.amounts === 'time' && form.kind === 'times' && (
          <div class="fields">
            {form.times.map((time, at) => (
              <TextField
                key={at}
                label={t('plan.amountAt', { time: time ? timeWords(time) : '–' })}
                inputMode="decimal"
                value={form.byTime[at] ?? ''}
                onValue={(amount) => change({ byTime: replaced(form.byTime, at, amount) })}
                error={amountError(wrong.amounts[at], timeWords(time || '00:00'))}
              />
            ))}
          </div>
        )}
        {form.amounts === 'weekday' && (
          <>
            <p class="soft small">{t('plan.noDose')}</p>
            <div class="fields">
              {WEEK.map((day) => (
                <TextField
                  key={day}
                  label={t('plan.amountOn', { day: weekdayName(day, language.value) })}
                  inputMode="decimal"
                  value={form.byWeekday[day]}
                  onValue={(amount) => change({ byWeekday: replaced(form.byWeekday, day, amount) })}
                  error={amountError(wrong.amounts[day], weekdayName(day, language.value))}
                />
              ))}
            </div>
          </>
        )}
        {form.amounts === 'step' && (
          <Steps steps={form.steps} wrong={wrong} onSteps={(steps) => change({ steps })} />
        )}
      </div>
    </details>
  );
}

interface StepsProps {
  steps: EnteredStep[];
  wrong: AmountFaults;
  onSteps: (steps: EnteredStep[]) => void;
}

function Steps({ steps, wrong, onSteps }: StepsProps) {
  return (
    <>
      {steps.map((step, at) => {
        const number = at + 1;
        const set = (changes: Partial<EnteredStep>) => onSteps(replaced(steps, at, { ...step, ...changes }));
        return (
          <fieldset key={at} class="stack">
            <legend class="visually-hidden">{t('plan.step', { number })}</legend>
            <div class="row">
              <TextField
                label={t('plan.stepAmount', { number })}
                inputMode="decimal"
                value={step.amount}
                onValue={(amount) => set({ amount })}
                error={amountError(wrong.amounts[at], t('plan.step', { number }))}
              />
              <TextField
                label={t('plan.stepDays', { number })}
                inputMode="numeric"
                value={step.days}
                onValue={(days) => set({ days })}
                error={wrong.days[at] ? t('plan.stepDaysWrong', { number }) : undefined}
              />
              {steps.length > 1 && (
                <Button
                  look="quiet"
                  icon={X}
                  aria-label={t('plan.removeStep', { number })}
                  onClick={() => onSteps(steps.filter((_, index) => index !== at))}
                >
                  {t('common.action.remove')}
                </Button>
              )}
            </div>
          </fieldset>
        );
      })}
      <p class="soft small">{t('plan.stepOpen')}</p>
      <div>
        <Button icon={Plus} onClick={() => onSteps([...steps, { amount: '', days: '' }])}>
          {t('plan.addStep')}
        </Button>
      </div>
    </>
  );
}
