import { language, t } from '../../../../i18n/i18n';
import type { AdherenceView } from '../../model/adherence';
import { weekdayName, weekdayOf } from '../../../../platform/model/dates';
import { dayWords } from '../../model/words';
import './medicine.css';

const WEEK = [1, 2, 3, 4, 5, 6, 0];

function levelOf({ due, taken }: { due: number; taken: number }): string {
  if (due === 0) return 'off';
  return taken >= due ? 'all' : taken > 0 ? 'some' : 'none';
}

/** The days as weeks in columns, like a calendar on its side. Each day says what it shows. */
export function HeatMap({ view }: { view: AdherenceView }) {
  const rows = WEEK.map((weekday) => ({
    weekday,
    days: view.days.filter(({ day }) => weekdayOf(day) === weekday),
  }));
  // A first week that begins later than Monday starts one column to the right.
  const first = WEEK.indexOf(weekdayOf(view.days[0].day));
  return (
    <figure class="heat">
      <table>
        <caption class="visually-hidden">{t('cabinet.one.adherence')}</caption>
        <tbody>
          {rows.map(({ weekday, days }, row) => (
            <tr key={weekday}>
              <th scope="row">{weekdayName(weekday, language.value)}</th>
              {row < first && <td />}
              {days.map((each) => {
                const level = levelOf(each);
                const words =
                  each.due === 0
                    ? t('cabinet.one.dayNone', { day: dayWords(each.day) })
                    : t('cabinet.one.day', { day: dayWords(each.day), taken: each.taken, due: each.due });
                return (
                  <td key={each.day} class={`heat-day heat-${level}`} title={words}>
                    <span class="visually-hidden">{words}</span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      <figcaption class="legend small">
        {(['all', 'some', 'none', 'off'] as const).map((level) => (
          <span key={level}>
            <span class={`heat-day heat-${level}`} aria-hidden="true" /> {t(`cabinet.one.legend.${level}`)}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}
