import type { ExportDocument } from '@app/client';
import { useMemo, useState } from 'preact/hooks';
import { language, t } from '../../../i18n/i18n';
import { metricName, valuesText } from '../../../i18n/measure-words';
import { formatInstant } from '../../../platform/model/dates';
import { chosenMember, members } from '../../profiles/model/family';
import { notable } from '../../profiles/model/people';
import { measureOf, unitSymbol } from '@app/client/documents';
import { type CsvContent, type CsvRow, type DateOrder, readCsv } from '../model/csv-measurements';
import { planOf, profileOfRows } from '../model/import-plan';
import { Button, ButtonLink } from '../../../ui/button';
import { Choice, SelectField } from '../../../ui/field';
import { Empty, Note } from '../../../ui/screen';
import { problemText } from './problem-text';

const SHOWN = 100;

export interface CsvPreviewProps {
  text: string;
  onStore: (plan: ExportDocument) => void;
  onCancel: () => void;
}

/** Rows of a table as they were read, those with a problem first. */
export function CsvPreview({ text, onStore, onCancel }: CsvPreviewProps) {
  const [order, setOrder] = useState<DateOrder | undefined>(undefined);
  const [units, setUnits] = useState<{ [metric: string]: string }>({});
  const people = notable(members.value);
  const [owner, setOwner] = useState(chosenMember.value?.id ?? people[0]?.id);
  const read = useMemo((): { content?: CsvContent; failure?: unknown } => {
    try {
      return { content: readCsv(text, { ...(order && { order }), units, now: new Date() }) };
    } catch (failure) {
      return { failure };
    }
  }, [text, order, units]);
  const cancel = <Button onClick={onCancel}>{t('common.action.cancel')}</Button>;
  if (!read.content)
    return (
      <>
        <Note look="error">{problemText(read.failure)}</Note>
        <div>{cancel}</div>
      </>
    );
  const member = people.find(({ id }) => id === owner) ?? people[0];
  if (!member)
    return (
      <Empty title={t('doctor.noMember.title')} text={t('doctor.noMember.text')}>
        <ButtonLink href="/app/profiles/add" look="primary">
          {t('doctor.noMember.action')}
        </ButtonLink>
      </Empty>
    );
  const { rows, columns, isOrderUnclear, order: used } = read.content;
  const [bad, good] = [rows.filter(({ problem }) => problem), rows.filter(({ reading }) => reading)];
  const unread = columns.filter(({ header, column }) => !column && header !== '').map(({ header }) => header);
  return (
    <>
      <p>{t('transfer.import.previewCsv')}</p>
      <div class="fields">
        <SelectField
          label={t('transfer.import.target')}
          value={member.id}
          options={people.map(({ id, details }) => ({ value: id, label: details.name }))}
          onValue={setOwner}
        />
        <UnitFields content={read.content} units={units} onUnits={setUnits} />
      </div>
      {isOrderUnclear && (
        <>
          <Choice<DateOrder>
            legend={t('transfer.import.order')}
            value={used}
            options={[
              { value: 'day-first', label: t('transfer.import.dayFirst') },
              { value: 'month-first', label: t('transfer.import.monthFirst') },
            ]}
            onValue={setOrder}
          />
          <p class="soft small">{t('transfer.import.orderHint')}</p>
        </>
      )}
      {unread.length > 0 && (
        <Note look="warn">{t('transfer.import.columns', { list: unread.join(', ') })}</Note>
      )}
      <div role="status">
        <p>{t('transfer.import.good', { count: good.length })}</p>
        {bad.length > 0 && <p>{t('transfer.import.bad', { count: bad.length })}</p>}
      </div>
      {bad.length > 0 && <Rows title={t('transfer.import.tableBad')} rows={bad} />}
      {good.length > 0 && <Rows title={t('transfer.import.tableGood')} rows={good} />}
      <div class="row">
        {good.length > 0 && (
          <Button
            look="primary"
            onClick={() =>
              void profileOfRows(good, member).then((profile) => onStore(planOf([profile], new Map())))
            }
          >
            {t('transfer.import.startCount', { count: good.length })}
          </Button>
        )}
        {cancel}
      </div>
    </>
  );
}

interface UnitFieldsProps {
  content: CsvContent;
  units: { [metric: string]: string };
  onUnits: (units: { [metric: string]: string }) => void;
}

/** The unit of each measure whose column or rows say none. */
function UnitFields({ content, units, onUnits }: UnitFieldsProps) {
  if (content.columns.some(({ column }) => column === 'unit')) return null;
  const metrics = new Set<string>();
  for (const { column } of content.columns) {
    if (typeof column === 'object' && column.unit === undefined) metrics.add(column.metric);
  }
  const asked = [...metrics].filter((metric) => (measureOf(metric)?.units.length ?? 0) > 1);
  return (
    <>
      {asked.map((metric) => {
        const choices = measureOf(metric)!.units;
        return (
          <SelectField
            key={metric}
            label={t('transfer.import.unitOf', { name: metricName(metric, t) })}
            value={units[metric] ?? choices[0]}
            options={choices.map((code) => ({ value: code, label: unitSymbol(code) }))}
            onValue={(unit) => onUnits({ ...units, [metric]: unit })}
          />
        );
      })}
    </>
  );
}

function Rows({ title, rows }: { title: string; rows: CsvRow[] }) {
  return (
    <div class="stack">
      <h3>{title}</h3>
      <div class="table-wrap" tabIndex={0} role="region" aria-label={title}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{t('transfer.import.line')}</th>
              <th scope="col">{t('transfer.import.reading')}</th>
              <th scope="col">{t('transfer.import.row')}</th>
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, SHOWN).map(({ line, source, problem, reading }, at) => (
              <tr key={at}>
                <th scope="row">{line}</th>
                <td>
                  {problem ? (
                    <strong>{t(`transfer.rowProblem.${problem}`)}</strong>
                  ) : (
                    reading && readingText(reading)
                  )}
                </td>
                <td class="soft">{source}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > SHOWN && (
        <p class="soft small">{t('transfer.import.firstOf', { shown: SHOWN, count: rows.length })}</p>
      )}
    </div>
  );
}

function readingText({ recordedAt, details }: NonNullable<CsvRow['reading']>): string {
  const { metric, values, unit } = details;
  const when = formatInstant(new Date(recordedAt), language.value);
  return `${metricName(metric, t)} ${valuesText(metric, values, unit, language.value)}, ${when}`;
}
