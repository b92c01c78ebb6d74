import { useState } from 'preact/hooks';
import { t } from '../../../i18n/i18n';
import { now, today } from '../../../platform/model/clock';
import { sentenceOf } from '../../../platform/model/failure';
import { memberOf, shownMembers } from '../../profiles/model/family';
import { dueVaccinations } from '../model/vaccinations';
import { isAhead, shownVisits, visits } from '../model/visits';
import type { CalendarEntry } from '../../transfer/model/calendar-file';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { Choice } from '../../../ui/field';
import { Note } from '../../../ui/screen';
import { fileName, saveFile } from '../../../ui/save-file';
import { toast } from '../../../ui/toast';

type Words = 'discreet' | 'full';

/** What is to come, as entries of a calendar. Discreet entries have neither names nor places. */
function entriesOf(words: Words): CalendarEntry[] {
  const isMany = shownMembers.value.length > 1;
  const nameOf = (profileId: string) => memberOf(profileId)?.details.name ?? '';
  const next = shownVisits.value.filter((visit) => isAhead(visit, now.value));
  const ofVisits = next.map(({ id, profileId, details }): CalendarEntry => {
    const { title, startsAt, durationMinutes, location, practitioner, notes } = details;
    const when = { id, startsAt, ...(durationMinutes !== undefined && { durationMinutes }) };
    if (words === 'discreet') return { ...when, title: t('visits.calendar.entry') };
    return {
      ...when,
      title: isMany ? `${title} (${nameOf(profileId)})` : title,
      ...(location && { location }),
      ...((practitioner || notes) && { description: [practitioner, notes].filter(Boolean).join('\n') }),
    };
  });
  const ofVaccinations = shownMembers.value.flatMap(({ id: memberId, details }) =>
    dueVaccinations(
      visits.value.filter(({ profileId }) => profileId === memberId),
      today.value,
    )
      .filter(({ nextDue }) => nextDue !== undefined && nextDue >= today.value)
      .map(({ id, vaccine, nextDue }): CalendarEntry => ({
        id: `${id}-due`,
        startsAt: nextDue!,
        title:
          words === 'discreet'
            ? t('visits.calendar.entry')
            : t('visits.calendar.dueEntry', { vaccine, name: details.name }),
      })),
  );
  return [...ofVisits, ...ofVaccinations];
}

/** Saves what is to come as a calendar file. The person chooses what the calendar may know. */
export function CalendarFile({ onClose }: { onClose: () => void }) {
  const [words, setWords] = useState<Words>('discreet');
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<unknown>(undefined);
  const entries = entriesOf(words);
  const save = async () => {
    setBusy(true);
    try {
      const { calendarFile } = await import('../../transfer/model/calendar-file');
      const file = fileName(t('visits.title'), today.value, 'ics');
      saveFile(file, calendarFile(entries).text, 'text/calendar;charset=utf-8');
      toast({ text: t('visits.calendar.saved', { file }) });
      onClose();
    } catch (error) {
      setFailure(error);
      setBusy(false);
    }
  };
  return (
    <Dialog title={t('visits.calendar.title')} onClose={onClose}>
      <div class="dialog-text stack">
        <p>{t('visits.calendar.text')}</p>
        <Choice<Words>
          legend={t('visits.calendar.button')}
          value={words}
          options={[
            { value: 'discreet', label: t('visits.calendar.discreet') },
            { value: 'full', label: t('visits.calendar.full') },
          ]}
          onValue={setWords}
        />
        {entries.length === 0 && <p>{t('visits.calendar.nothing')}</p>}
        {failure !== undefined && <Note look="error">{sentenceOf(failure)}</Note>}
      </div>
      <div class="actions">
        <Button onClick={onClose}>{t('common.action.cancel')}</Button>
        {entries.length > 0 && (
          <Button look="primary" busy={busy} onClick={() => void save()}>
            {t('visits.calendar.save')}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
