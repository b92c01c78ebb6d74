import type { Dose } from '@app/client';
import { TriangleAlert } from 'lucide-preact';
import { t } from '../../../i18n/i18n';
import { now, today } from '../../../platform/model/clock';
import { addDays, dayOf, instantOf } from '../../../platform/model/dates';
import { codeOf, sentenceOf } from '../../../platform/model/failure';
import { memberOf } from '../../profiles/model/family';
import { dosesOf, keepBoth, medicines } from '../../medications/model/medicines';
import { isNotedHere } from '../model/noted-here';
import { notedTwice, type NotedTwice } from '../model/noted-twice';
import { byWords, mayChange, mayChangeEntry, mayNote } from '../../profiles/model/people';
import { postpone, postponed } from '../model/postponed';
import { clockWords, nameWords, timeWords, whenWords } from '../../medications/model/words';
import { Button } from '../../../ui/button';
import { ignoreSecondTap } from '../../../ui/second-tap';
import { toast } from '../../../ui/toast';
import { takeBack } from './answers';

const keyOf = ({ second }: NotedTwice) => `both ${second.id}`;

/** `Otto, Metformin 8:00` */
function whatWords({ medicine, time }: NotedTwice): string {
  const name = [nameWords(medicine), time && timeWords(time)].filter(Boolean).join(' ');
  return [memberOf(medicine.profileId)?.details.name, name].filter(Boolean).join(', ');
}

/** `8:03 here` */
function noteWords(dose: Dose): string {
  const at = new Date(dose.loggedAt);
  const when = dayOf(at) === today.value ? clockWords(at) : whenWords(at, today.value);
  if (isNotedHere(dose.id)) return t('today.twiceHere', { when });
  const by = byWords(dose.author, 'common.share.notedBy');
  return by ? `${when} (${by})` : t('today.twiceElsewhere', { when });
}

/** Keeps that both were given. Where the medicine may not be changed, this device alone knows it. */
async function sayBoth(twice: NotedTwice): Promise<void> {
  ignoreSecondTap();
  const name = whatWords(twice);
  try {
    if (mayChange(twice.medicine.profileId)) await keepBoth(twice.medicine, twice.second.id);
    else postpone(keyOf(twice), instantOf(addDays(today.value, 3), '00:00'));
    toast({ text: t('today.twiceKept', { name }) });
  } catch (error) {
    toast({ text: `${name}: ${sentenceOf(error)}`, about: codeOf(error) });
  }
}

function Question({ twice }: { twice: NotedTwice }) {
  const { medicine, first, second } = twice;
  const name = whatWords(twice);
  const here = [first, second].filter(({ id }) => isNotedHere(id));
  const isOneMine = here.length === 1;
  const removed = isOneMine ? here[0] : second;
  const label = isOneMine
    ? t('today.twiceRemoveMine')
    : t('today.twiceRemove', { time: clockWords(new Date(removed.loggedAt)) });
  return (
    <li class="twice">
      <TriangleAlert size={22} aria-hidden="true" />
      <p>{t('today.twice', { name, first: noteWords(first), second: noteWords(second) })}</p>
      {mayNote(medicine.profileId) && (
        <div class="row">
          {mayChangeEntry(medicine.profileId, removed) && (
            <Button aria-label={`${label}: ${name}`} onClick={() => void takeBack(medicine, removed)}>
              {label}
            </Button>
          )}
          <Button aria-label={`${t('today.twiceBoth')}: ${name}`} onClick={() => void sayBoth(twice)}>
            {t('today.twiceBoth')}
          </Button>
        </div>
      )}
    </li>
  );
}

/** Asks of doses that two devices have noted whether they were given twice: of everyone, also where one person is chosen. */
export function NotedTwiceQuestions() {
  const questions = medicines.value
    .flatMap((medicine) => notedTwice(medicine, dosesOf(medicine.id), now.value, isNotedHere) ?? [])
    .filter((twice) => !((postponed.value[keyOf(twice)] ?? 0) > now.value.getTime()));
  if (questions.length === 0) return null;
  return (
    <ul class="strip">
      {questions.map((twice) => (
        <Question key={twice.second.id} twice={twice} />
      ))}
    </ul>
  );
}
