import { language, t } from '../../../i18n/i18n';
import type { Visit } from '@app/client/documents';
import { formatAppointment, formatDay } from '../../../platform/model/dates';
import { memberOf, shownMembers } from '../../profiles/model/family';
import { authorOf, byWords } from '../../profiles/model/people';
import { isVaccination, vaccinatedOn } from '../model/vaccinations';
import { startOf } from '../model/visits';

/** Rows that lead to the form of each visit. */
export function VisitList({ visits: shown }: { visits: readonly Visit[] }) {
  const isMany = shownMembers.value.length > 1;
  return (
    <ul class="list">
      {shown.map((visit) => {
        const { id, profileId, status, details } = visit;
        const who = isMany && memberOf(profileId)?.details.name;
        const by = byWords(authorOf(visit), 'common.share.writtenBy');
        const where = [details.practitioner, details.location].filter(Boolean).join(', ');
        return (
          <li key={id}>
            <a class="list-link visit" href={`/app/visits/${id}`}>
              <span class="list-main">
                <span class="list-title">{details.title}</span>
                <span class="list-sub">{[whenOf(visit), who, where, by].filter(Boolean).join(' · ')}</span>
                {details.notes && <span class="list-sub visit-notes">{details.notes}</span>}
              </span>
              {status !== 'scheduled' && <span class={`status status-${status}`}>{statusText(status)}</span>}
            </a>
          </li>
        );
      })}
    </ul>
  );
}

/** A vaccination has a day only. */
export function whenOf(visit: Visit): string {
  const at = startOf(visit);
  const day = isVaccination(visit) ? vaccinatedOn(visit.details) : undefined;
  if (day) return formatDay(day, language.value);
  return at === 0 ? visit.details.startsAt : formatAppointment(new Date(at), language.value);
}

/** A status of another client is shown as it is. */
export function statusText(status: string): string {
  return isKnownStatus(status) ? t(`visits.status.${status}`) : status;
}

export const STATUSES = ['scheduled', 'completed', 'cancelled', 'missed'] as const;

export function isKnownStatus(status: string): status is (typeof STATUSES)[number] {
  return STATUSES.some((known) => known === status);
}
