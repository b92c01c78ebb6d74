import { Plus, X } from 'lucide-preact';
import { language, t } from '../../../../i18n/i18n';
import { weekdayName } from '../../../../platform/model/dates';
import { largestAmount, nextTime } from '../../model/dosage';
import { howTaken, unitWords } from '../../model/words';
import { Button } from '../../../../ui/button';
import { Choice, TextField } from '../../../../ui/field';
import { AmountsStep } from './amounts-step';
import { isSaid, timeFaultsOf } from './faults';
import { lastDayOf, type MedicineForm, type ScheduleStepProps, scheduleOf } from './form-model';

const WEEK = [1, 2, 3, 4, 5, 6, 0];

/** When it is taken; says the schedule in words below. */
export function ScheduleStep({ form, change, faults }: ScheduleStepProps) {
  const isInSteps = form.amounts === 'step';
  return (
    <div class="stack">
      <Choice
        legend={t('cabinet.form.when')}
        value={form.kind}
        options={[
          { value: 'times', label: t('cabinet.form.kind.times') },
          { value: 'hours', label: t('plan.everyFewHours') },
          { value: 'asNeeded', label: t('cabinet.form.kind.asNeeded') },
        ]}
        onValue={(kind) => change({ kind, ...(kind !== 'times' && !isInSteps && { amounts: 'same' }) })}
      />
      {form.kind === 'times' && (
        <>
          <Times form={form} change={change} faults={faults} />
          {form.amounts !== 'weekday' && <Days form={form} change={change} faults={faults} />}
        </>
      )}
      {form.kind === 'hours' && <Hours form={form} change={change} faults={faults} />}
      {form.kind === 'asNeeded' ? (
        <AsNeeded form={form} change={change} faults={faults} />
      ) : (
        <AmountsStep form={form} change={change} faults={faults} />
      )}
      <div class="row">
        <TextField
          label={t('cabinet.form.start')}
          type="date"
          value={form.startDate}
          onValue={(startDate) => change({ startDate })}
          error={faults.start && t('plan.startMissing')}
        />
        {lastDayOf(form) === form.until && (
          <TextField
            label={t('cabinet.form.until')}
            note={t('common.optional')}
            type="date"
            min={form.startDate}
            value={form.until}
            onValue={(until) => change({ until })}
            error={faults.until && t('cabinet.form.untilWrong')}
          />
        )}
      </div>
      <p class={isSaid(form) ? 'note' : 'visually-hidden'} role="status">
        {isSaid(form) && t('cabinet.form.inWords', { words: wordsOf(form) })}
      </p>
    </div>
  );
}

function wordsOf(form: MedicineForm): string {
  const amount = largestAmount(form);
  return howTaken({ schedule: scheduleOf(form), ...(amount && { dose: { amount, unit: form.unit } }) });
}

function Hours({ form, change, faults }: ScheduleStepProps) {
  return (
    <div class="row">
      <TextField
        label={t('plan.everyHours')}
        inputMode="numeric"
        value={form.everyHours}
        onValue={(everyHours) => change({ everyHours })}
        error={faults.everyHours && t('cabinet.form.daysWrong')}
      />
      <TextField
        label={t('plan.firstAt')}
        type="time"
        value={form.times[0]}
        onValue={(time) => change({ times: [time] })}
        error={faults.times && t('cabinet.form.timeMissing')}
      />
    </div>
  );
}

function AsNeeded({ form, change, faults }: ScheduleStepProps) {
  return (
    <div class="row">
      <TextField
        label={t('cabinet.form.apart')}
        note={t('common.optional')}
        inputMode="decimal"
        value={form.apart}
        onValue={(apart) => change({ apart })}
        error={faults.apart && t('cabinet.form.amountWrong')}
      />
      <TextField
        label={t('plan.most')}
        note={unitWords(form.unit)}
        inputMode="decimal"
        value={form.most}
        onValue={(most) => change({ most })}
        error={faults.most && t('cabinet.form.amountWrong')}
      />
    </div>
  );
}

function Times({ form, change, faults }: ScheduleStepProps) {
  const set = (at: number, time: string) =>
    change({ times: form.times.map((old, index) => (index === at ? time : old)) });
  const wrong = faults.times ? timeFaultsOf(form) : [];
  const errors = { missing: t('cabinet.form.timeMissing'), twice: t('cabinet.form.timeTwice') };
  return (
    <fieldset class="stack">
      <legend>{t('cabinet.form.times')}</legend>
      {form.times.map((time, at) => (
        <div key={at} class="row">
          <TextField
            label={t('cabinet.form.time', { number: at + 1 })}
            type="time"
            value={time}
            onValue={(typed) => set(at, typed)}
            error={wrong[at] && errors[wrong[at]]}
          />
          {form.times.length > 1 && (
            <Button
              look="quiet"
              icon={X}
              aria-label={t('cabinet.form.removeTime', { number: at + 1 })}
              onClick={() =>
                change({
                  times: form.times.filter((_, index) => index !== at),
                  byTime: form.byTime.filter((_, index) => index !== at),
                  ...(form.times.length === 2 && form.amounts === 'time' && { amounts: 'same' }),
                })
              }
            >
              {t('common.action.remove')}
            </Button>
          )}
        </div>
      ))}
      <div>
        <Button icon={Plus} onClick={() => change({ times: [...form.times, nextTime(form.times)] })}>
          {t('cabinet.form.addTime')}
        </Button>
      </div>
    </fieldset>
  );
}

function Days({ form, change, faults }: ScheduleStepProps) {
  const toggle = (day: number) => () =>
    change({
      weekdays: form.weekdays.includes(day)
        ? form.weekdays.filter((each) => each !== day)
        : [...form.weekdays, day],
    });
  return (
    <>
      <Choice
        legend={t('cabinet.form.days')}
        value={form.days}
        options={[
          { value: 'every', label: t('cabinet.form.everyDay') },
          { value: 'weekdays', label: t('cabinet.form.onWeekdays') },
          { value: 'nth', label: t('cabinet.form.everyNth') },
          { value: 'months', label: t('plan.months') },
          { value: 'cycle', label: t('plan.cycle') },
        ]}
        onValue={(days) =>
          change({
            days,
            ...(days === 'months' &&
              form.startDate && { dayOfMonth: String(Number(form.startDate.slice(8))) }),
          })
        }
      />
      {form.days === 'weekdays' && (
        <fieldset class="choice">
          <legend class="visually-hidden">{t('cabinet.form.onWeekdays')}</legend>
          <div class="choice-options">
            {WEEK.map((day) => (
              <label key={day}>
                <input
                  type="checkbox"
                  checked={form.weekdays.includes(day)}
                  aria-invalid={faults.weekdays}
                  onChange={toggle(day)}
                />
                <span>{weekdayName(day, language.value)}</span>
              </label>
            ))}
          </div>
          {faults.weekdays && (
            <div class="field-error" role="alert">
              {t('cabinet.form.dayMissing')}
            </div>
          )}
        </fieldset>
      )}
      {form.days === 'nth' && (
        <TextField
          label={t('cabinet.form.everyDays')}
          inputMode="numeric"
          value={form.everyDays}
          onValue={(everyDays) => change({ everyDays })}
          error={faults.everyDays && t('cabinet.form.daysWrong')}
        />
      )}
      {form.days === 'months' && (
        <div class="row">
          <TextField
            label={t('plan.everyMonths')}
            inputMode="numeric"
            value={form.everyMonths}
            onValue={(everyMonths) => change({ everyMonths })}
            error={faults.everyMonths && t('cabinet.form.daysWrong')}
          />
          <TextField
            label={t('plan.dayOfMonth')}
            hint={t('plan.dayOfMonthHint')}
            inputMode="numeric"
            value={form.dayOfMonth}
            onValue={(dayOfMonth) => change({ dayOfMonth })}
            error={faults.dayOfMonth && t('plan.dayOfMonthWrong')}
          />
        </div>
      )}
      {form.days === 'cycle' && (
        <div class="row">
          <TextField
            label={t('plan.cycleOn')}
            inputMode="numeric"
            value={form.cycleOn}
            onValue={(cycleOn) => change({ cycleOn })}
            error={faults.cycleOn && t('cabinet.form.daysWrong')}
          />
          <TextField
            label={t('plan.cycleOff')}
            inputMode="numeric"
            value={form.cycleOff}
            onValue={(cycleOff) => change({ cycleOff })}
            error={faults.cycleOff && t('cabinet.form.daysWrong')}
          />
        </div>
      )}
    </>
  );
}
