import { Syringe } from 'lucide-preact';
import { t } from '../../../i18n/i18n';
import { today } from '../../../platform/model/clock';
import { shownMembers } from '../../profiles/model/family';
import { dueVaccinations } from '../../appointments/model/vaccinations';
import { visits } from '../../appointments/model/visits';
import { dayWords } from '../../medications/model/words';

/** Vaccinations of people and pets that are overdue or due within a month, in words. */
export function VaccinationsDue() {
  const due = shownMembers.value.flatMap((member) =>
    dueVaccinations(
      visits.value.filter(({ profileId }) => profileId === member.id),
      today.value,
    )
      .filter(({ state }) => state === 'overdue' || state === 'soon')
      .map((vaccination) => ({ member, ...vaccination })),
  );
  if (due.length === 0) return null;
  return (
    <div class="strip">
      {due.map(({ id, member, vaccine, nextDue, state }) => (
        <a key={id} href="/app/visits">
          <Syringe size={22} aria-hidden="true" />
          {t(state === 'overdue' ? 'today.vaccinationOverdue' : 'today.vaccination', {
            name: member.details.name,
            vaccine,
            when: dayWords(nextDue!),
          })}
        </a>
      ))}
    </div>
  );
}
