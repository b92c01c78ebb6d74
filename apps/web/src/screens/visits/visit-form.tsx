import { Trash2 } from 'lucide-preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { t } from '../../i18n/i18n';
import type { Visit } from '../../model/appointment-details';
import { isDay } from '../../model/dates';
import { sentenceOf } from '../../model/failure';
import { memberOf, members, shownMembers } from '../../model/family';
import { changeable, mayChange, placeOf } from '../../model/people';
import { useDraft } from '../../model/use-draft';
import { addMonths } from '../../model/vaccinations';
import { addVisit, changeVisit, removeVisit, visits, visitsOnDemand } from '../../model/visits';
import { Button, ButtonLink } from '../../ui/button';
import { Confirm } from '../../ui/dialog';
import { Choice, SelectField, TextArea, TextField } from '../../ui/field';
import { Loaded } from '../../ui/loaded';
import { Empty, Note, Screen } from '../../ui/screen';
import { toast } from '../../ui/toast';
import {
  draftOf,
  newDraft,
  readDraft,
  type VisitDraft,
  type VisitField,
  type VisitProblem,
} from './visit-draft';
import { Drafted, forgetWithUndo } from '../shell/drafted';
import { VisitFacts } from './visit-facts';
import { isKnownStatus, STATUSES, statusText } from './visit-list';
import '../../styles/records.css';

const BACK = '/app/visits';

/** Adds or changes a visit or a vaccination. */
export function VisitForm() {
  const { params } = useRoute();
  const { query } = useLocation();
  const type = query.type === 'vaccination' ? 'vaccination' : 'visit';
  const visit = params.id ? visits.value.find(({ id }) => id === params.id) : undefined;
  const isVaccination = visit ? visit.details.type === 'vaccination' : type === 'vaccination';
  const titles = visit
    ? ({ visit: 'visits.form.edit', vaccination: 'visits.form.editVaccination' } as const)
    : ({ visit: 'visits.form.newVisit', vaccination: 'visits.form.newVaccination' } as const);
  const owner = changeable(shownMembers.value)[0] ?? changeable(members.value)[0];
  return (
    <Screen
      title={
        visit && !mayChange(visit.profileId)
          ? visit.details.title
          : t(titles[isVaccination ? 'vaccination' : 'visit'])
      }
      back={{ href: BACK, label: t('visits.title') }}
    >
      <Loaded parts={[visitsOnDemand]}>
        {() =>
          params.id && !visit ? (
            <Empty title={t('common.notFound.title')} text={t('visits.form.gone')}>
              <ButtonLink href={BACK}>{t('visits.title')}</ButtonLink>
            </Empty>
          ) : visit && !mayChange(visit.profileId) ? (
            <VisitFacts visit={visit} />
          ) : owner ? (
            <Form
              key={params.id ?? type}
              visit={visit}
              start={visit ? draftOf(visit) : newDraft(type, owner.id, new Date())}
            />
          ) : (
            <Empty title={t('doctor.noMember.title')} text={t('doctor.noMember.text')}>
              <ButtonLink href="/app/profiles/add" look="primary">
                {t('doctor.noMember.action')}
              </ButtonLink>
            </Empty>
          )
        }
      </Loaded>
    </Screen>
  );
}

function Form({ visit, start }: { visit: Visit | undefined; start: VisitDraft }) {
  const { route, url } = useLocation();
  const kept = useDraft(`visit/${visit?.id ?? start.type}`, start);
  const { value: draft, change } = kept;
  const [problems, setProblems] = useState<{ [F in VisitField]?: VisitProblem }>({});
  const [failure, setFailure] = useState<unknown>(undefined);
  const [busy, setBusy] = useState(false);
  const [isRemoving, setRemoving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const problem = (field: VisitField) => problems[field] && t(`visits.form.${problems[field]}`);

  useEffect(() => {
    if (Object.keys(problems).length > 0)
      form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [problems]);

  const attempt = async (act: () => Promise<unknown>, said: string) => {
    setBusy(true);
    setFailure(undefined);
    try {
      await act();
      await kept.drop();
      toast({ text: said });
      route(BACK);
    } catch (error) {
      setFailure(error);
      setBusy(false);
      setRemoving(false);
    }
  };
  const save = () => {
    const read = readDraft(draft);
    setProblems(read.problems);
    if (!read.visit || busy) return;
    const { visit: next } = read;
    void attempt(() => (visit ? changeVisit(visit, next) : addVisit(next)), t('visits.form.saved'));
  };

  return (
    <Drafted
      draft={kept}
      what={kept.kept?.title.trim() || t('visits.title')}
      who={memberOf(kept.kept?.profileId ?? '')?.details.name}
    >
      <form
        ref={form}
        class="stack-large"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <Fields draft={draft} isNew={!visit} problem={problem} change={change} />
        {failure !== undefined && (
          <Note look="error">
            {sentenceOf(failure)} {t('common.state.kept')}
          </Note>
        )}
        <div class="row">
          <Button type="submit" look="primary" busy={busy}>
            {t('visits.form.save')}
          </Button>
          <ButtonLink href={BACK} onClick={() => forgetWithUndo(kept, () => route(url))}>
            {t('common.action.cancel')}
          </ButtonLink>
          {visit && (
            <Button look="danger" icon={Trash2} onClick={() => setRemoving(true)}>
              {t('visits.form.remove')}
            </Button>
          )}
        </div>
        {visit && isRemoving && (
          <Confirm
            title={t('visits.form.removeTitle')}
            text={t('visits.form.removeText', { title: visit.details.title })}
            yes={t('common.action.delete')}
            no={t('common.action.cancel')}
            isDangerous
            busy={busy}
            onYes={() => void attempt(() => removeVisit(visit.id), t('visits.form.removed'))}
            onNo={() => setRemoving(false)}
          />
        )}
      </form>
    </Drafted>
  );
}

interface FieldsProps {
  draft: VisitDraft;
  isNew: boolean;
  problem: (field: VisitField) => string | undefined;
  change: (part: Partial<VisitDraft>) => void;
}

function Fields({ draft, isNew, problem, change }: FieldsProps) {
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
  change: FieldsProps['change'];
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
