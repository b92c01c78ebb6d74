import { Check, Clock, SkipForward, Undo2 } from 'lucide-preact';
import type { Dose } from '@app/client';
import { language, t } from '../../../i18n/i18n';
import { now, today } from '../../../platform/model/clock';
import { memberOf } from '../../profiles/model/family';
import { doseAuthorWords, mayChangeEntry, mayNote } from '../../profiles/model/people';
import { formatNumber } from '../../../platform/model/dates';
import { type DoseAmount, type Medicine } from '@app/client/documents';
import { postponed } from '../model/postponed';
import type { Slot } from '../model/slots';
import { slotKey, type AsNeeded } from '../model/today-view';
import {
  clockWords,
  doseWords,
  nameWords,
  nearWords,
  timeWords,
  whenWords,
} from '../../medications/model/words';
import { Avatar } from '../../../ui/avatar';
import { Button } from '../../../ui/button';
import { leaveOut, putOffChoice, putOffSlot, skipSlot, take, takeBack, takeSlot } from './answers';
import { askAboutDose } from './dose-question';

interface WhatProps {
  medicine: Medicine;
  /** Absent where no amount is entered. */
  planned: DoseAmount | undefined;
  time?: string;
  isOverdue?: boolean;
}

function What({ medicine, planned, time, isOverdue = false }: WhatProps) {
  const member = memberOf(medicine.profileId);
  const dose = doseWords(planned);
  const { correction } = medicine.details;
  return (
    <div class="due-what">
      {member && (
        <Avatar
          name={member.details.name}
          picture={member.details.picture}
          species={member.details.species}
          isPet={member.kind === 'pet'}
        />
      )}
      <div class="list-main">
        <div class="due-name">{nameWords(medicine)}</div>
        <div class="due-who soft">
          {/* An Arabic or Hebrew name would pull the number of the dose to its other side. */}
          {member && <bdi>{member.details.name}</bdi>}
          {member && dose && ' · '}
          {dose}
          {correction && <div class="small">{t('today.correction', { text: correction })}</div>}
        </div>
      </div>
      {time && <div class={isOverdue ? 'due-time due-overdue' : 'due-time'}>{time}</div>}
    </div>
  );
}

/** Whose medicine it is: two people may take the same. */
export const whoOf = ({ profileId }: Medicine) => memberOf(profileId)?.details.name ?? '';

const answerWords = ({ taken, loggedAt }: Dose) =>
  taken ? t('today.statusTaken', { time: clockWords(new Date(loggedAt)) }) : t('today.statusSkipped');

/** A dose that was just answered. The answer stands where the button was, and the way back beside it. */
function AnsweredRow({ slot: { medicine, dose, time, planned } }: { slot: Slot }) {
  const name = nameWords(medicine);
  return (
    <li class="due">
      <What medicine={medicine} planned={planned} time={timeWords(time)} />
      <div class="due-acts">
        <span class="due-answer">
          <Check size={20} aria-hidden="true" /> {answerWords(dose!)}
        </span>
        <span class="soft small">{doseAuthorWords(dose!)}</span>
        {mayChangeEntry(medicine.profileId, dose!) && (
          <Button
            icon={Undo2}
            aria-label={t('today.undoOf', { name, time: timeWords(time), who: whoOf(medicine) })}
            onClick={() => void takeBack(medicine, dose!)}
          >
            {t('common.action.undo')}
          </Button>
        )}
      </div>
    </li>
  );
}

/** A due dose with its three answers. */
export function DueRow({ slot, isLater = false }: { slot: Slot; isLater?: boolean }) {
  if (slot.dose) return <AnsweredRow slot={slot} />;
  const name = nameWords(slot.medicine);
  const who = whoOf(slot.medicine);
  const time = timeWords(slot.time);
  const until = postponed.value[slotKey(slot)];
  const isPutOff = isLater && until !== undefined && until > now.value.getTime();
  const isOverdue = !isLater && slot.at < now.value;
  return (
    <li class="due">
      <What
        medicine={slot.medicine}
        planned={slot.planned}
        time={isOverdue ? t('today.overdue', { time }) : time}
        isOverdue={isOverdue}
      />
      {mayNote(slot.medicine.profileId) && (
        <div class="due-acts">
          {isPutOff && (
            <span class="soft small">{t('today.until', { time: clockWords(new Date(until)) })}</span>
          )}
          <Button
            look={isLater ? 'plain' : 'primary'}
            // A mark on what is still to come would read as done.
            {...(!isLater && { icon: Check })}
            aria-label={t('today.takenOf', { name, time, who })}
            onClick={() => takeSlot(slot)}
          >
            {t('today.taken')}
          </Button>
          {!isLater && (
            <>
              <Button
                icon={SkipForward}
                aria-label={t('today.skipOf', { name, time, who })}
                onClick={() => skipSlot(slot)}
              >
                {t('today.skip')}
              </Button>
              <Button
                icon={Clock}
                aria-label={t('today.laterOf', { name, time, who })}
                onClick={() => putOffSlot(slot)}
              >
                {t('today.putOff')}
              </Button>
            </>
          )}
          {isPutOff && (
            <Button
              icon={Clock}
              aria-label={t('today.anotherTimeOf', { name, time, who })}
              onClick={() => (putOffChoice.value = slot)}
            >
              {t('today.anotherTime')}
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

/** Not answered yesterday: there is no later. */
export function MissedRow({ slot }: { slot: Slot }) {
  if (slot.dose) return <AnsweredRow slot={slot} />;
  const name = nameWords(slot.medicine);
  const who = whoOf(slot.medicine);
  const time = timeWords(slot.time);
  return (
    <li class="due">
      <What medicine={slot.medicine} planned={slot.planned} time={time} />
      {mayNote(slot.medicine.profileId) && (
        <div class="due-acts">
          <Button
            icon={Check}
            aria-label={t('today.takenOf', { name, time, who })}
            onClick={() => void askAboutDose({ medicine: slot.medicine, slot })}
          >
            {t('today.taken')}
          </Button>
          <Button
            icon={SkipForward}
            aria-label={t('today.skipOf', { name, time, who })}
            onClick={() => skipSlot(slot, true)}
          >
            {t('today.skip')}
          </Button>
        </div>
      )}
    </li>
  );
}

/** Due on the day of the entry, before it: nobody missed it, and it may have been taken all the same. */
export function BeforeRow({ slot }: { slot: Slot }) {
  if (slot.dose) return <AnsweredRow slot={slot} />;
  const { medicine } = slot;
  const said = { name: nameWords(medicine), who: whoOf(medicine), time: timeWords(slot.time) };
  return (
    <li class="due">
      <div>
        <What medicine={medicine} planned={slot.planned} />
        <p class="small soft">{t('today.beforeEntry', said)}</p>
      </div>
      {mayNote(medicine.profileId) && (
        <div class="due-acts">
          <Button
            icon={Check}
            aria-label={t('today.takenBeforeOf', said)}
            onClick={() => take(medicine, slot.at, { slot })}
          >
            {t('today.takenBefore')}
          </Button>
          <Button aria-label={t('today.notTodayOf', said)} onClick={() => leaveOut(slot)}>
            {t('today.notToday')}
          </Button>
        </div>
      )}
    </li>
  );
}

export function AsNeededRow({ entry }: { entry: AsNeeded }) {
  const { medicine, last, notBefore, within24Hours } = entry;
  const { dose } = medicine.details;
  const name = nameWords(medicine);
  // Else a person gives again what another member has given.
  const by = last && doseAuthorWords(last);
  return (
    <li class="due">
      <div>
        <What medicine={medicine} planned={dose} />
        <p class="small soft">
          {last
            ? t('today.last', { when: whenWords(new Date(last.loggedAt), today.value) })
            : t('today.never')}{' '}
          {by && `${by}. `}
          {within24Hours &&
            t('today.in24Hours', {
              used: formatNumber(within24Hours.used, language.value),
              most: dose ? doseWords({ ...dose, amount: within24Hours.most }) : within24Hours.most,
            })}{' '}
          {notBefore && <strong>{t('today.notBefore', { time: nearWords(notBefore, today.value) })}</strong>}
        </p>
      </div>
      {mayNote(medicine.profileId) && (
        <div class="due-acts">
          <Button
            look={notBefore ? 'plain' : 'primary'}
            icon={Check}
            aria-label={t('today.takeNowOf', { name, who: whoOf(medicine) })}
            onClick={() => take(medicine, new Date(), { notBefore })}
          >
            {t('today.takeNow')}
          </Button>
        </div>
      )}
    </li>
  );
}
