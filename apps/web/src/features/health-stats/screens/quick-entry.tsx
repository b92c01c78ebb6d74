import type { HealthStat } from '@app/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { language, t } from '../../../i18n/i18n';
import { componentName, metricName, valuesText } from '../../../i18n/measure-words';
import { dayOf, timeOf } from '../../../platform/model/dates';
import { sentenceOf } from '../../../platform/model/failure';
import { memberOf, members as family, shownMembers } from '../../profiles/model/family';
import { notable } from '../../profiles/model/people';
import { componentsOf, MEASURES, measureOf, OWN_NAME_LENGTH, unitSymbol } from '@app/client/documents';
import { metricsOf } from '../model/series';
import { addReading, changeReading, type NewReading, statsOf, undoReading } from '../model/stats';
import { useDraft } from '../../../platform/model/use-draft';
import { Button } from '../../../ui/button';
import { SelectField, TextField } from '../../../ui/field';
import { Note } from '../../../ui/screen';
import { toast } from '../../../ui/toast';
import { Drafted, forgetWithUndo } from '../../../platform/shell/drafted';
import { type EntryDraft, type EntryProblems, lastUnit, readDraft } from './entry-draft';

const ANOTHER = 'another';

export interface QuickEntryProps {
  /** The profile and the metric to start with. */
  profileId?: string;
  metric?: string;
  /** The reading that is changed; absent for a new one. */
  reading?: HealthStat;
  onClose: () => void;
}

function draftOf({ profileId, metric, reading }: QuickEntryProps): EntryDraft {
  const owner = reading?.profileId ?? profileId ?? notable(shownMembers.value)[0].id;
  const latest = statsOf(owner)[0]?.details.metric;
  const chosen = reading?.details.metric ?? metric ?? latest ?? 'weight';
  const at = reading ? new Date(reading.recordedAt) : new Date();
  const values = Object.entries(reading?.details.values ?? {}).map(([name, value]) => [name, String(value)]);
  return {
    profileId: owner,
    metric: chosen,
    ownName: '',
    values: Object.fromEntries(values) as Record<string, string>,
    pulse: '',
    unit: reading?.details.unit ?? lastUnit(statsOf(owner), chosen),
    when: `${dayOf(at)}T${timeOf(at)}`,
    note: reading?.details.note ?? '',
  };
}

/** Whether no value and no note stands in the fields. */
const isUntouched = ({ values, pulse, note, ownName }: EntryDraft) =>
  [...Object.values(values), pulse, note, ownName].every((text) => text === '');

/** Writes a reading down with few keys. Stays open, so that the next one follows. */
export function QuickEntry(props: QuickEntryProps) {
  const { reading, onClose } = props;
  const kept = useDraft(`reading/${reading?.id ?? props.metric ?? 'new'}`, draftOf(props), isUntouched);
  const { value: draft, change } = kept;
  const [problems, setProblems] = useState<EntryProblems>({});
  const [failure, setFailure] = useState<unknown>(undefined);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  /** What a try that failed half-way has stored: the next try goes on from there. */
  const already = useRef<HealthStat[]>([]);
  const focusFirst = (selector: string) => form.current?.querySelector<HTMLInputElement>(selector)?.focus();

  useEffect(() => focusFirst('input[inputmode="decimal"]'), []);
  useEffect(() => {
    if (Object.keys(problems).length > 0) focusFirst('[aria-invalid="true"]');
  }, [problems]);

  const save = async () => {
    const read = readDraft(draft, new Date());
    setProblems(read.problems);
    if (Object.keys(read.problems).length > 0 || busy) return;
    setBusy(true);
    setFailure(undefined);
    try {
      const stored = reading
        ? [await changeReading(reading, read.readings[0])]
        : await storeAll(read.readings, already.current);
      already.current = [];
      await kept.drop();
      const said = stored
        .map(({ details }) => valuesText(details.metric, details.values, details.unit, language.value))
        .join(', ');
      toast({
        text: t('measures.entry.saved', { value: said }),
        ...(!reading && {
          action: {
            label: t('common.action.undo'),
            run: () => void undo(stored, said),
          },
        }),
      });
      if (reading) return onClose();
      const at = new Date();
      change({
        values: {},
        pulse: '',
        note: '',
        metric: read.readings[0].details.metric,
        ownName: '',
        when: `${dayOf(at)}T${timeOf(at)}`,
      });
      focusFirst('input[inputmode="decimal"]');
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };

  const cancel = () => {
    forgetWithUndo(kept, () => undefined);
    onClose();
  };

  return (
    <form
      ref={form}
      class="panel stack"
      noValidate
      aria-label={t(reading ? 'measures.entry.editTitle' : 'measures.entry.title')}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h2>{t(reading ? 'measures.entry.editTitle' : 'measures.entry.title')}</h2>
      <Drafted
        draft={kept}
        what={kept.kept ? metricName(kept.kept.metric, t) : ''}
        who={memberOf(kept.kept?.profileId ?? '')?.details.name}
      >
        <EntryFields draft={draft} problems={problems} isNew={!reading} change={change} />
        {failure !== undefined && (
          <Note look="error">
            {sentenceOf(failure)} {t('common.state.kept')}
          </Note>
        )}
        <div class="row">
          <Button type="submit" look="primary" busy={busy}>
            {t('measures.entry.save')}
          </Button>
          <Button onClick={cancel}>{t(reading ? 'common.action.cancel' : 'common.action.close')}</Button>
        </div>
      </Drafted>
    </form>
  );
}

async function storeAll(readings: readonly NewReading[], stored: HealthStat[]): Promise<HealthStat[]> {
  for (const each of readings.slice(stored.length)) stored.push(await addReading(each));
  return stored;
}

async function undo(stored: HealthStat[], said: string): Promise<void> {
  try {
    for (const { id } of stored) await undoReading(id);
    toast({ text: t('measures.entry.removed', { value: said }) });
  } catch (error) {
    toast({ text: sentenceOf(error) });
  }
}

interface EntryFieldsProps {
  draft: EntryDraft;
  problems: EntryProblems;
  isNew: boolean;
  change: (part: Partial<EntryDraft>) => void;
}

function EntryFields({ draft, problems, isNew, change }: EntryFieldsProps) {
  const members = notable(shownMembers.value);
  const isAnother = draft.metric === ANOTHER;
  const own = [...metricsOf(statsOf(draft.profileId)).keys()].filter((metric) => !measureOf(metric));
  const metrics = [...MEASURES.map(({ metric }) => metric), ...own];
  if (!isAnother && !metrics.includes(draft.metric)) metrics.push(draft.metric);
  const measure = measureOf(draft.metric);
  const components = isAnother ? ['value'] : componentsOf(draft.metric, statOf(draft));
  const problem = (key: string) => problems[key] && t(`measures.problem.${problems[key]}`);
  const isChoice = isNew && members.length > 1;
  return (
    <>
      {!isChoice && family.value.length > 1 && (
        <p>
          {t('measures.entry.person')}: <strong>{memberOf(draft.profileId)?.details.name}</strong>
        </p>
      )}
      {isNew && (
        <div class="fields">
          {isChoice && (
            <SelectField
              label={t('measures.entry.person')}
              value={draft.profileId}
              options={members.map(({ id, details }) => ({ value: id, label: details.name }))}
              onValue={(profileId) => change({ profileId, unit: lastUnit(statsOf(profileId), draft.metric) })}
            />
          )}
          <SelectField
            label={t('measures.entry.measure')}
            value={draft.metric}
            options={[
              ...metrics.map((metric) => ({ value: metric, label: metricName(metric, t) })),
              { value: ANOTHER, label: t('measures.entry.another') },
            ]}
            onValue={(metric) =>
              change({
                metric,
                values: {},
                unit: metric === ANOTHER ? '' : lastUnit(statsOf(draft.profileId), metric),
              })
            }
          />
        </div>
      )}
      {isAnother && (
        <TextField
          label={t('measures.entry.ownName')}
          hint={t('measures.entry.ownNameHint')}
          error={problem('ownName')}
          maxLength={OWN_NAME_LENGTH}
          value={draft.ownName}
          onValue={(ownName) => change({ ownName })}
        />
      )}
      <div class="fields fields-values">
        {components.map((component) => (
          <TextField
            key={component}
            label={componentName(draft.metric, component, t)}
            error={problem(component)}
            inputMode="decimal"
            autocomplete="off"
            value={draft.values[component] ?? ''}
            onValue={(value) => change({ values: { ...draft.values, [component]: value } })}
          />
        ))}
        {measure && measure.units.length > 1 ? (
          <SelectField
            label={t('measures.entry.unit')}
            value={draft.unit}
            options={measure.units.map((code) => ({ value: code, label: unitSymbol(code) }))}
            onValue={(unit) => change({ unit })}
          />
        ) : measure ? (
          <p class="fixed-unit">{unitSymbol(measure.units[0])}</p>
        ) : (
          <TextField
            label={t('measures.entry.ownUnit')}
            note={t('common.optional')}
            maxLength={30}
            value={draft.unit}
            onValue={(unit) => change({ unit })}
          />
        )}
        {draft.metric === 'blood_pressure' && isNew && (
          <TextField
            label={t('measures.entry.pulse')}
            note={t('common.optional')}
            error={problem('pulse')}
            inputMode="decimal"
            autocomplete="off"
            value={draft.pulse}
            onValue={(pulse) => change({ pulse })}
          />
        )}
      </div>
      <div class="fields">
        <TextField
          type="datetime-local"
          label={t('measures.entry.when')}
          error={problem('when')}
          value={draft.when}
          onValue={(when) => change({ when })}
        />
        <TextField
          label={t('measures.entry.note')}
          note={t('common.optional')}
          maxLength={2000}
          value={draft.note}
          onValue={(note) => change({ note })}
        />
      </div>
    </>
  );
}

/** Members of an own measure of several numbers, as its latest reading has them. */
function statOf({ profileId, metric }: EntryDraft) {
  return statsOf(profileId).find(({ details }) => details.metric === metric)?.details.values;
}
