import { language, t } from '../../../i18n/i18n';
import { formatDay } from '../../../platform/model/dates';
import type { DueVaccination } from '../model/vaccinations';

/** When a vaccination was given, and in words when it is due again. */
export function VaccinationRow({
  vaccination: { id, vaccine, givenOn, nextDue, state },
}: {
  vaccination: DueVaccination;
}) {
  const day = (date: string) => formatDay(date, language.value);
  return (
    <li>
      <a class="list-link" href={`/app/visits/${id}`}>
        <span class="list-main">
          <span class="list-title">{vaccine}</span>
          <span class="list-sub">{t('visits.given', { when: day(givenOn) })}</span>
        </span>
        <span class={`vaccine-due vaccine-${state}`}>
          {t(`visits.due.${state}`, { when: nextDue ? day(nextDue) : '' })}
        </span>
      </a>
    </li>
  );
}
