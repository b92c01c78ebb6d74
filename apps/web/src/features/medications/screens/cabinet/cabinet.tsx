import { ListChecks, PackageOpen, Plus } from 'lucide-preact';
import { t } from '../../../../i18n/i18n';
import { adherenceOf } from '../../model/adherence';
import { findingsOf } from '../../model/findings';
import { now, today } from '../../../../platform/model/clock';
import { addDays, instantOf } from '../../../../platform/model/dates';
import { shownMembers } from '../../../profiles/model/family';
import { dosesOf, shownMedicines } from '../../model/medicines';
import { changeable } from '../../../profiles/model/people';
import type { Medicine } from '@app/client/documents';
import { isCurrent, isPaused, nextDueDay, timesOn } from '../../model/schedule';
import { forecastStock } from '../../model/stock';
import { howTaken, nameWords, shortDay, whenWords } from '../../model/words';
import { Avatar } from '../../../../ui/avatar';
import { ButtonLink } from '../../../../ui/button';
import { Ring } from '../../../../ui/ring';
import { Empty, Screen } from '../../../../ui/screen';
import { MayNot } from '../../../../platform/shell/may-not';
import { Severity } from './finding';
import './cabinet.css';

function nextWords(medicine: Medicine): string {
  if (isPaused(medicine, today.value)) return t('cabinet.paused');
  const later = timesOn(medicine, today.value).find((time) => instantOf(today.value, time) > now.value);
  const day = later ? today.value : nextDueDay(medicine, addDays(today.value, 1));
  if (!day) return '';
  const time = later ?? timesOn(medicine, day)[0];
  return t('cabinet.next', { when: whenWords(instantOf(day, time), today.value) });
}

/** The grades that are shown on the medicine itself; the others on its page. */
const BADGES = ['contraindicated', 'major'];

function Row({ medicine }: { medicine: Medicine }) {
  const doses = dosesOf(medicine.id);
  const forecast = forecastStock(medicine, doses, now.value);
  const { rate, taken, due, since } = adherenceOf(medicine, doses, now.value, 30);
  const stock =
    forecast &&
    [
      t('cabinet.left', { left: forecast.left }),
      forecast.days === undefined ? '' : `(${t('cabinet.days', { count: forecast.days })})`,
    ]
      .filter(Boolean)
      .join(' ');
  const next = nextWords(medicine);
  const worst = findingsOf(medicine).find(({ severity }) => BADGES.includes(severity));
  return (
    <li>
      <a class="list-link" href={`/app/cabinet/${medicine.id}`}>
        <span class="list-main">
          <span class="list-title">{nameWords(medicine)}</span>
          {worst && (
            <span>
              <Severity finding={worst} />
            </span>
          )}
          <span class="list-sub">{howTaken(medicine.details)}</span>
          <span class="list-sub">
            {next}
            {next && stock && ' · '}
            {forecast?.isLow ? (
              <strong class="stock-low">
                <PackageOpen size={16} aria-hidden="true" /> {stock}
              </strong>
            ) : (
              stock
            )}
          </span>
        </span>
        {rate !== null && (
          <Ring
            percent={rate}
            label={
              since
                ? t('cabinet.rateSince', { taken, due, day: shortDay(since) })
                : t('cabinet.rate', { rate: Math.round(rate) })
            }
          />
        )}
      </a>
    </li>
  );
}

export function Cabinet() {
  const isNow = (medicine: Medicine) => isCurrent(medicine, today.value);
  const past = shownMedicines.value.filter((medicine) => !isNow(medicine));
  const byName = (a: Medicine, b: Medicine) => a.details.name.localeCompare(b.details.name);
  return (
    <Screen
      title={t('cabinet.title')}
      action={
        (shownMembers.value.length === 0 || changeable(shownMembers.value).length > 0) && (
          <ButtonLink href="/app/cabinet/add" look="primary" icon={Plus}>
            {t('cabinet.add')}
          </ButtonLink>
        )
      }
    >
      <MayNot members={shownMembers.value} what="change" />
      {shownMedicines.value.length === 0 ? (
        <Empty title={t('cabinet.empty.title')} text={t('cabinet.empty.text')} />
      ) : (
        <div>
          <ButtonLink href="/app/cabinet/together" icon={ListChecks}>
            {t('cabinet.together.title')}
          </ButtonLink>
        </div>
      )}
      {shownMembers.value.map((member) => {
        const own = shownMedicines.value
          .filter((each) => each.profileId === member.id && isNow(each))
          .sort(byName);
        return own.length === 0 ? null : (
          <section key={member.id} class="stack">
            <div class="owner">
              <Avatar
                name={member.details.name}
                picture={member.details.picture}
                species={member.details.species}
                isPet={member.kind === 'pet'}
              />
              <h2>{member.details.name}</h2>
            </div>
            <ul class="list">
              {own.map((medicine) => (
                <Row key={medicine.id} medicine={medicine} />
              ))}
            </ul>
          </section>
        );
      })}
      {past.length > 0 && (
        <section class="stack">
          <h2>{t('cabinet.past')}</h2>
          <ul class="list">
            {past.map((medicine) => (
              <Row key={medicine.id} medicine={medicine} />
            ))}
          </ul>
        </section>
      )}
    </Screen>
  );
}
