import { CalendarDays, PackageOpen, TriangleAlert } from 'lucide-preact';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { language, t } from '../../../i18n/i18n';
import { urgentFindings } from '../../medications/model/findings';
import { now, today } from '../../../platform/model/clock';
import { dayOf, formatDay } from '../../../platform/model/dates';
import { isShown, memberOf, members, shownMembers } from '../../profiles/model/family';
import { changeable } from '../../profiles/model/people';
import { dosesOf, shownMedicines } from '../../medications/model/medicines';
import { isCurrent } from '../../medications/model/schedule';
import type { Slot } from '../model/slots';
import { forecastStock } from '../../medications/model/stock';
import { askForNews } from '../../../platform/model/sync';
import { groupsOf, slotKey } from '../model/today-view';
import { shownVisits, visitsOnDemand } from '../../appointments/model/visits';
import { clockWords, nameWords } from '../../medications/model/words';
import { ButtonLink } from '../../../ui/button';
import { Confirm } from '../../../ui/dialog';
import { Empty, Screen } from '../../../ui/screen';
import { MayNot } from '../../../platform/shell/may-not';
import { gradeKey } from '../../medications/screens/cabinet/grade-key';
import { doubt } from './answers';
import { DoneRow } from './done-row';
import { DoseGroup } from './dose-group';
import { DoseQuestions } from './dose-question';
import { LaterDialog } from './later-dialog';
import { NotedTwiceQuestions } from './noted-twice';
import { AsNeededRow, BeforeRow, DueRow, MissedRow } from './rows';
import { openSlots, shownToday } from './shown-today';
import { SkipReasonDialog } from './skip-reason';
import { VaccinationsDue } from './vaccinations-due';
import './today.css';

/** From so many doses on, the single ones are shown on demand. */
const MANY = 12;

interface GroupProps {
  title: string;
  hint?: string;
  /** How many rows there are, where many of them are shown on demand. */
  fold?: number;
  children: ComponentChildren;
}

/** Rows out of sight are not drawn: a page of the feed may bring many. */
function Folded({ title, fold, children }: GroupProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="today-group" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {title} ({fold})
      </summary>
      {isOpen && <ul class="list">{children}</ul>}
    </details>
  );
}

function Group({ title, hint, fold = 0, children }: GroupProps) {
  if (fold > MANY)
    return (
      <Folded title={title} fold={fold}>
        {children}
      </Folded>
    );
  return (
    <section class="today-group">
      <h2>{title}</h2>
      {hint && <p class="soft small">{hint}</p>}
      <ul class="list">{children}</ul>
    </section>
  );
}

/** Today names so many findings; the rest is counted. */
const NAMED_FINDINGS = 3;

/** Alone: the doses, on which the rest of the strip depends, change with each tap. */
function Findings() {
  const urgent = urgentFindings.value.filter(({ member }) => isShown(member.id));
  return (
    <>
      {urgent.slice(0, NAMED_FINDINGS).map(({ member, finding }, at) => (
        <a key={`${member.id}${finding.ruleId}${at}`} href="/app/cabinet/together">
          <TriangleAlert size={22} aria-hidden="true" />
          <span>
            {t('today.finding', { who: member.details.name, names: finding.medications.join(' + ') })}{' '}
            <strong>{t(gradeKey(finding))}</strong>
          </span>
        </a>
      ))}
      {urgent.length > NAMED_FINDINGS && (
        <a href="/app/cabinet/together">
          <TriangleAlert size={22} aria-hidden="true" />
          {t('today.attention', { count: urgent.length - NAMED_FINDINGS })}
        </a>
      )}
    </>
  );
}

function Strip() {
  const low = shownMedicines.value.flatMap((medicine) => {
    if (!isCurrent(medicine, today.value)) return [];
    const forecast = forecastStock(medicine, dosesOf(medicine.id), now.value);
    return forecast?.isLow ? [{ medicine, forecast }] : [];
  });
  const isUrgent = urgentFindings.value.some(({ member }) => isShown(member.id));
  if (!isUrgent && low.length === 0) return null;
  return (
    <div class="strip">
      <Findings />
      {low.map(({ medicine, forecast }) => (
        <a key={medicine.id} href={`/app/cabinet/${medicine.id}`}>
          <PackageOpen size={22} aria-hidden="true" />
          {forecast.left === 0 || forecast.days === undefined
            ? t('today.refillOut', { name: nameWords(medicine) })
            : t('today.refill', { name: nameWords(medicine), count: forecast.days })}
        </a>
      ))}
    </div>
  );
}

function VisitsOfToday() {
  useEffect(() => void visitsOnDemand.need(), []);
  const due = shownVisits.value
    .filter(
      ({ status, details }) => status === 'scheduled' && dayOf(new Date(details.startsAt)) === today.value,
    )
    .sort((a, b) => a.details.startsAt.localeCompare(b.details.startsAt));
  if (due.length === 0) return null;
  return (
    <Group title={t('today.visits')}>
      {due.map(({ id, profileId, details }) => (
        <li key={id}>
          <a class="list-link" href={`/app/visits/${id}`}>
            <CalendarDays size={22} aria-hidden="true" />
            <span class="list-main">
              <span class="list-title">{details.title}</span>
              <span class="list-sub">
                {[memberOf(profileId)?.details.name, details.location].filter(Boolean).join(' · ')}
              </span>
            </span>
            <span class="due-time">{clockWords(new Date(details.startsAt))}</span>
          </a>
        </li>
      ))}
    </Group>
  );
}

/** Due doses by time and person. */
function Due({ slots, of }: { slots: Slot[]; of: 'missed' | 'now' | 'later' }) {
  return (
    <>
      {groupsOf(slots).map((group) => (
        <DoseGroup key={group.key} group={group} isFolded={openSlots.value.length > MANY} of={of}>
          {group.slots.map((slot) =>
            of === 'missed' ? (
              <MissedRow key={slot.medicine.id} slot={slot} />
            ) : (
              <DueRow key={slot.medicine.id} slot={slot} isLater={of === 'later'} />
            ),
          )}
        </DoseGroup>
      ))}
    </>
  );
}

export function Today() {
  useEffect(askForNews, []);
  const view = shownToday.value;
  const date = formatDay(today.value, language.value, { weekday: 'long', day: 'numeric', month: 'long' });
  const isEmpty = shownMedicines.value.length === 0;
  return (
    <Screen title={t('today.title')} sub={date}>
      {members.value.length === 0 ? (
        <Empty title={t('today.empty.title')} text={t('today.empty.text')}>
          <ButtonLink href="/app/profiles/add" look="primary">
            {t('today.empty.action')}
          </ButtonLink>
        </Empty>
      ) : (
        <>
          <NotedTwiceQuestions />
          <Strip />
          <VaccinationsDue />
          <MayNot members={shownMembers.value} what="note" />
          {isEmpty && (
            <Empty title={t('today.empty.medicineTitle')} text={t('today.empty.medicineText')}>
              {changeable(shownMembers.value).length > 0 && (
                <ButtonLink href="/app/cabinet/add" look="primary">
                  {t('today.empty.medicineAction')}
                </ButtonLink>
              )}
            </Empty>
          )}
          {!isEmpty && (
            <section class="today-group">
              <h2>{t('today.now')}</h2>
              {view.now.length === 0 ? (
                <p class="soft">{view.done.length > 0 ? t('today.allDone') : t('today.nothing')}</p>
              ) : (
                <ul class="list">
                  <Due slots={view.now} of="now" />
                </ul>
              )}
            </section>
          )}
          <VisitsOfToday />
          {view.missed.length > 0 && (
            <Group title={t('today.missed')} hint={t('today.missedHint')}>
              <Due slots={view.missed} of="missed" />
            </Group>
          )}
          {view.before.length > 0 && (
            <Group title={t('today.before')}>
              {view.before.map((slot) => (
                <BeforeRow key={slotKey(slot)} slot={slot} />
              ))}
            </Group>
          )}
          {view.asNeeded.length > 0 && (
            <Group title={t('today.asNeeded')}>
              {view.asNeeded.map((entry) => (
                <AsNeededRow key={entry.medicine.id} entry={entry} />
              ))}
            </Group>
          )}
          {view.later.length > 0 && (
            <Group title={t('today.later')}>
              <Due slots={view.later} of="later" />
            </Group>
          )}
          {view.done.length + view.extra.length > 0 && (
            <Group title={t('today.done')} fold={view.done.length + view.extra.length}>
              {view.done.map(({ medicine, dose, time }) => (
                <DoneRow key={dose!.id} medicine={medicine} dose={dose!} planned={time} />
              ))}
              {view.extra.map(({ medicine, dose }) => (
                <DoneRow key={dose.id} medicine={medicine} dose={dose} />
              ))}
            </Group>
          )}
        </>
      )}
      <LaterDialog />
      <DoseQuestions />
      <SkipReasonDialog />
      {doubt.value && (
        <Confirm
          title={doubt.value.title}
          text={doubt.value.text}
          yes={doubt.value.yes}
          no={doubt.value.no}
          isUnusual={doubt.value.isUnusual ?? false}
          onYes={doubt.value.goOn}
          onNo={() => (doubt.value = undefined)}
        />
      )}
    </Screen>
  );
}
