import { t } from '../../../i18n/i18n';
import { isDay } from '../../../platform/model/dates';
import { memberOf, members } from '../../profiles/model/family';
import { changeable, placeOf } from '../../profiles/model/people';
import { addMonths } from '../model/vaccinations';
import { Button } from '../../../ui/button';
import { Choice, SelectField, TextArea, TextField } from '../../../ui/field';
import { newDraft, type VisitDraft, type VisitField } from './visit-draft';
import { isKnownStatus, STATUSES, statusText } from './visit-list';

export interface VisitFieldsProps {
  draft: VisitDraft;
  isNew: boolean;
  problem: (field: VisitField) => string | undefined;
  change: (part: Partial<VisitDraft>) => void;
}

/** What can be said of a visit or a vaccination. */
export function VisitFields({ draft, isNew, problem, change }: VisitFieldsProps) {
  const isVaccination = draft.type === 'vaccination';
  const statuses = isKnownStatus(draft.status) ? STATUSES : [...STATUSES, draft.status];
  // A visit does not leave a shared record, nor come into one.
  const place = placeOf(memberOf(draft.profileId));
  const people = isNew
    ? changeable(members.value)
    : changeable(members.value).filter((each) => place === undefined && placeOf(each) === undefined);
  const optional = { note: t('common.optional') };
  return (
    <div class="stack visit-fields">
      {isNew && (
        <Choice
          legend={t('visits.form.type')}
          value={draft.type}
          options={[
            { value: 'visit', label: t('visits.form.visit') },
            { value: 'vaccination', label: t('visits.form.vaccination') },
          ]}
          onValue={(type) => {
            const { date, time, status } = newDraft(type, draft.profileId, new Date());
            change({ type, date, time, status });
          }}
        />
      )}
      {people.length > 1 && (
        <SelectField
          label={t('visits.form.person')}
          value={draft.profileId}
          options={people.map(({ id, details }) => ({ value: id, label: details.name }))}
          onValue={(profileId) => change({ profileId })}
        />
      )}
      <TextField
        label={t(isVaccination ? 'visits.form.vaccine' : 'visits.form.title')}
        {...(!isVaccination && { hint: t('visits.form.titleHint') })}
        error={problem('title')}
        maxLength={200}
        value={draft.title}
        onValue={(title) => change({ title })}
      />
      <div class="fields">
        <TextField
          type="date"
          label={t('visits.form.date')}
          error={problem('date')}
          value={draft.date}
          onValue={(date) => change({ date })}
        />
        <TextField
          type="time"
          label={t('visits.form.time')}
          value={draft.time}
          onValue={(time) => change({ time })}
        />
        {!isVaccination && (
          <TextField
            label={t('visits.form.minutes')}
            {...optional}
            inputMode="numeric"
            error={problem('minutes')}
            value={draft.minutes}
            onValue={(minutes) => change({ minutes })}
          />
        )}
      </div>
      {isVaccination && <NextDue draft={draft} error={problem('nextDue')} change={change} />}
      <div class="fields">
        <TextField
          label={t('visits.form.practitioner')}
          {...optional}
          maxLength={200}
          value={draft.practitioner}
          onValue={(practitioner) => change({ practitioner })}
        />
        <TextField
          label={t('visits.form.location')}
          {...optional}
          maxLength={300}
          value={draft.location}
          onValue={(location) => change({ location })}
        />
        {isVaccination && (
          <TextField
            label={t('visits.form.lot')}
            {...optional}
            maxLength={60}
            value={draft.lot}
            onValue={(lot) => change({ lot })}
          />
        )}
      </div>
      {!(isNew && isVaccination) && (
        <SelectField
          label={t('visits.form.status')}
          value={draft.status}
          options={statuses.map((status) => ({ value: status, label: statusText(status) }))}
          onValue={(status) => change({ status })}
        />
      )}
      <TextArea
        label={t('visits.form.notes')}
        {...optional}
        value={draft.notes}
        onValue={(notes) => change({ notes })}
      />
    </div>
  );
}

const USUAL_YEARS = [1, 3, 10];

/** The date of the next vaccination, by calendar or by a usual distance. */
function NextDue({
  draft,
  error,
  change,
}: {
  draft: VisitDraft;
  error: string | undefined;
  change: VisitFieldsProps['change'];
}) {
  return (
    <div class="row">
      <TextField
        type="date"
        label={t('visits.form.nextDue')}
        note={t('common.optional')}
        error={error}
        value={draft.nextDue}
        onValue={(nextDue) => change({ nextDue })}
      />
      <div class="row" role="group" aria-label={t('visits.form.after')}>
        {USUAL_YEARS.map((years) => (
          <Button
            key={years}
            onClick={() => isDay(draft.date) && change({ nextDue: addMonths(draft.date, 12 * years) })}
          >
            {t('visits.form.years', { count: years })}
          </Button>
        ))}
      </div>
    </div>
  );
}
