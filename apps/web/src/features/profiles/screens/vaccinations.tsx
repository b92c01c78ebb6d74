import { t } from '../../../i18n/i18n';
import { today } from '../../../platform/model/clock';
import { dueVaccinations } from '../../appointments/model/vaccinations';
import { mayChange } from '../model/people';
import { visits, visitsOnDemand } from '../../appointments/model/visits';
import { ButtonLink } from '../../../ui/button';
import { Loaded } from '../../../ui/loaded';
import { VaccinationRow } from '../../appointments/screens/vaccination-row';
import '../../../platform/styles/records.css';

/** What a person or a pet was vaccinated against, and when it is due again. */
export function Vaccinations({ profileId }: { profileId: string }) {
  return (
    <section class="stack">
      <h2>{t('visits.vaccinations')}</h2>
      <Loaded parts={[visitsOnDemand]}>{() => <Rows profileId={profileId} />}</Loaded>
    </section>
  );
}

function Rows({ profileId }: { profileId: string }) {
  const own = visits.value.filter((visit) => visit.profileId === profileId);
  const due = dueVaccinations(own, today.value);
  return (
    <>
      {due.length === 0 && <p class="soft">{t('visits.noVaccinations')}</p>}
      <ul class="list">
        {due.map((each) => (
          <VaccinationRow key={each.id} vaccination={each} />
        ))}
      </ul>
      {mayChange(profileId) && (
        <div>
          <ButtonLink href="/app/visits/add?type=vaccination">{t('visits.addVaccination')}</ButtonLink>
        </div>
      )}
    </>
  );
}
