import { CalendarPlus, FileText, Syringe } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { t } from '../../../i18n/i18n';
import type { Visit } from '@app/client/documents';
import { now, today } from '../../../platform/model/clock';
import { shownMembers } from '../../profiles/model/family';
import { changeable } from '../../profiles/model/people';
import { dueVaccinations, isVaccination } from '../model/vaccinations';
import { isAhead, shownVisits, visits, visitsOnDemand } from '../model/visits';
import { Button, ButtonLink } from '../../../ui/button';
import { Choice } from '../../../ui/field';
import { Loaded } from '../../../ui/loaded';
import { Empty, Screen } from '../../../ui/screen';
import { CalendarFile } from './calendar-dialog';
import { MayNot } from '../../../platform/shell/may-not';
import { MonthView } from './month-view';
import { VaccinationRow } from './vaccination-row';
import { VisitList } from './visit-list';
import '../../../platform/styles/records.css';
import './visits.css';

const PAGE = 20;
type View = 'list' | 'month';

/** Whether there is somebody for whom a visit can be entered; nobody at all leads to the form, which says so. */
const canAdd = () => shownMembers.value.length === 0 || changeable(shownMembers.value).length > 0;

/** Next and past visits, vaccinations, the calendar file and the sheet for the doctor. */
export function Visits() {
  return (
    <Screen
      title={t('visits.title')}
      action={
        shownVisits.value.length > 0 &&
        canAdd() && (
          <ButtonLink href="/app/visits/add" look="primary" icon={CalendarPlus}>
            {t('visits.add')}
          </ButtonLink>
        )
      }
    >
      <Loaded parts={[visitsOnDemand]}>{() => <Content />}</Loaded>
    </Screen>
  );
}

function Content() {
  const [view, setView] = useState<View>('list');
  const [isSaving, setSaving] = useState(false);
  const all = shownVisits.value;
  const plain = all.filter((visit) => !(isVaccination(visit) && visit.status === 'completed'));
  return (
    <div class="stack-large">
      <MayNot members={shownMembers.value} what="change" />
      {all.length === 0 ? (
        <Empty title={t('visits.empty.title')} text={t('visits.empty.text')}>
          {canAdd() && (
            <ButtonLink href="/app/visits/add" look="primary" icon={CalendarPlus}>
              {t('visits.add')}
            </ButtonLink>
          )}
        </Empty>
      ) : (
        <>
          <div class="row visits-tools">
            <Choice<View>
              legend={t('visits.view.label')}
              value={view}
              options={[
                { value: 'list', label: t('visits.view.list') },
                { value: 'month', label: t('visits.view.month') },
              ]}
              onValue={setView}
            />
            <Button onClick={() => setSaving(true)}>{t('visits.calendar.button')}</Button>
          </div>
          {view === 'list' ? <Lists visits={plain} /> : <MonthView visits={all} />}
        </>
      )}
      <Vaccinations />
      <ForDoctor />
      {isSaving && <CalendarFile onClose={() => setSaving(false)} />}
    </div>
  );
}

function Lists({ visits: shown }: { visits: Visit[] }) {
  const [most, setMost] = useState(PAGE);
  const next = shown.filter((visit) => isAhead(visit, now.value)).reverse();
  const past = shown.filter((visit) => !isAhead(visit, now.value));
  return (
    <>
      <section class="stack" aria-labelledby="visits-next">
        <h2 id="visits-next">{t('visits.next')}</h2>
        {next.length === 0 ? <p class="soft">{t('visits.nothingNext')}</p> : <VisitList visits={next} />}
      </section>
      {past.length > 0 && (
        <section class="stack" aria-labelledby="visits-past">
          <h2 id="visits-past">{t('visits.past')}</h2>
          <VisitList visits={past.slice(0, most)} />
          {past.length > most && (
            <div>
              <Button onClick={() => setMost(most + PAGE)}>
                {t('visits.morePast', { count: Math.min(PAGE, past.length - most) })}
              </Button>
            </div>
          )}
        </section>
      )}
    </>
  );
}

function Vaccinations() {
  const members = shownMembers.value;
  const isMany = members.length > 1;
  const due = members.map((member) => ({
    member,
    list: dueVaccinations(
      visits.value.filter(({ profileId }) => profileId === member.id),
      today.value,
    ),
  }));
  const isEmpty = due.every(({ list }) => list.length === 0);
  return (
    <section class="stack" aria-labelledby="vaccinations">
      <div class="screen-head">
        <h2 id="vaccinations">{t('visits.vaccinations')}</h2>
        {canAdd() && (
          <ButtonLink href="/app/visits/add?type=vaccination" icon={Syringe}>
            {t('visits.addVaccination')}
          </ButtonLink>
        )}
      </div>
      {isEmpty && <p class="soft">{t('visits.noVaccinations')}</p>}
      {due
        .filter(({ list }) => list.length > 0)
        .map(({ member, list }) => (
          <div key={member.id}>
            {isMany && <h3 class="vaccination-owner">{member.details.name}</h3>}
            <ul class="list">
              {list.map((each) => (
                <VaccinationRow key={each.id} vaccination={each} />
              ))}
            </ul>
          </div>
        ))}
    </section>
  );
}

function ForDoctor() {
  return (
    <section class="panel stack">
      <h2>{t('visits.forDoctor')}</h2>
      <p>{t('visits.forDoctorText')}</p>
      <div>
        <ButtonLink href="/app/doctor" icon={FileText}>
          {t('visits.forDoctor')}
        </ButtonLink>
      </div>
    </section>
  );
}
