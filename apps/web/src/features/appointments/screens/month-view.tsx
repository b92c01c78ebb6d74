import { ChevronLeft, ChevronRight } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { language, t } from '../../../i18n/i18n';
import type { Visit } from '@app/client/documents';
import { today } from '../../../platform/model/clock';
import { addDays, dayOf, formatDay, weekdayName, weekdayOf } from '../../../platform/model/dates';
import { addMonths } from '../model/vaccinations';
import { startOf } from '../model/visits';
import { Button } from '../../../ui/button';
import { VisitList } from './visit-list';

/** 1 is Monday, 0 Sunday: the first day of the week where the language is spoken. */
function firstWeekday(spoken: string): number {
  return spoken === 'en' && new Intl.Locale(navigator.language).region === 'US' ? 0 : 1;
}

/** The days of the weeks that a month touches. */
function weeksOf(firstOfMonth: string, firstDay: number): string[][] {
  const before = (weekdayOf(firstOfMonth) - firstDay + 7) % 7;
  const end = addMonths(firstOfMonth, 1);
  const weeks: string[][] = [];
  for (let start = addDays(firstOfMonth, -before); start < end; start = addDays(start, 7)) {
    weeks.push(Array.from({ length: 7 }, (_, at) => addDays(start, at)));
  }
  return weeks;
}

/** A month as a table; a day with visits is a button that lists them. */
export function MonthView({ visits }: { visits: readonly Visit[] }) {
  const [month, setMonth] = useState(`${today.value.slice(0, 7)}-01`);
  const [chosenDay, setChosenDay] = useState<string | undefined>(undefined);
  const spoken = language.value;
  const firstDay = firstWeekday(spoken);
  const byDay = new Map<string, Visit[]>();
  for (const visit of [...visits].reverse()) {
    const day = dayOf(new Date(startOf(visit)));
    byDay.set(day, [...(byDay.get(day) ?? []), visit]);
  }
  const inMonth = [...byDay.keys()].filter((day) => day.startsWith(month.slice(0, 7))).sort();
  const listed = chosenDay && inMonth.includes(chosenDay) ? [chosenDay] : inMonth;
  const title = formatDay(month, spoken, { month: 'long', year: 'numeric' });
  const turn = (months: number) => {
    setMonth(addMonths(month, months));
    setChosenDay(undefined);
  };
  return (
    <section class="stack" aria-label={title}>
      <div class="month-head">
        <Button icon={ChevronLeft} onClick={() => turn(-1)}>
          {t('visits.month.before')}
        </Button>
        <h2 aria-live="polite">{title}</h2>
        <Button icon={ChevronRight} onClick={() => turn(1)}>
          {t('visits.month.after')}
        </Button>
      </div>
      <table class="month">
        <thead>
          <tr>
            {Array.from({ length: 7 }, (_, at) => (firstDay + at) % 7).map((weekday) => (
              <th key={weekday} scope="col" abbr={weekdayName(weekday, spoken, 'long')}>
                {weekdayName(weekday, spoken)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeksOf(month, firstDay).map((week) => (
            <tr key={week[0]}>
              {week.map((day) => (
                <DayCell
                  key={day}
                  day={day}
                  month={month}
                  count={byDay.get(day)?.length ?? 0}
                  isChosen={day === chosenDay}
                  onChoose={() => setChosenDay(day === chosenDay ? undefined : day)}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {listed.length === 0 ? (
        <p class="soft">{t('visits.month.none')}</p>
      ) : (
        <VisitList visits={listed.flatMap((day) => byDay.get(day)!)} />
      )}
    </section>
  );
}

interface DayCellProps {
  day: string;
  month: string;
  count: number;
  isChosen: boolean;
  onChoose: () => void;
}

function DayCell({ day, month, count, isChosen, onChoose }: DayCellProps) {
  const number = Number(day.slice(8));
  const isOther = day.slice(0, 7) !== month.slice(0, 7);
  const isToday = day === today.value;
  return (
    <td class={isOther ? 'other-month' : ''} aria-current={isToday ? 'date' : undefined}>
      {count > 0 && !isOther ? (
        <button type="button" class="day-button" aria-pressed={isChosen} onClick={onChoose}>
          <span aria-hidden="true">{number}</span>
          <span class="day-dots" aria-hidden="true">
            {'•'.repeat(Math.min(count, 3))}
          </span>
          <span class="visually-hidden">
            {t('visits.month.day', { count, day: formatDay(day, language.value) })}
          </span>
        </button>
      ) : (
        <span class="day-number">{number}</span>
      )}
    </td>
  );
}
