import type { HealthStat } from '@app/client';
import { Pencil, Trash2 } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { language, t } from '../../../i18n/i18n';
import { componentName, numberText } from '../../../i18n/measure-words';
import { formatInstant } from '../../../platform/model/dates';
import { sentenceOf } from '../../../platform/model/failure';
import { authorOf, authorWords, mayChangeEntry } from '../../profiles/model/people';
import { componentsOf, unitSymbol } from '@app/client/documents';
import { putBackReading, removeReading } from '../model/stats';
import { ShowMore } from '../../../ui/show-more';
import { toast } from '../../../ui/toast';

const PAGE = 50;

export interface ReadingTableProps {
  /** Newest first, in the units in which they were entered. */
  readings: readonly HealthStat[];
  onEdit: (reading: HealthStat) => void;
}

/** Every number of the chart, as it was entered. */
export function ReadingTable({ readings, onEdit }: ReadingTableProps) {
  const [shown, setShown] = useState(PAGE);
  if (readings.length === 0) return null;
  const { metric, values } = readings[0].details;
  const components = componentsOf(metric, values);
  const hasNotes = readings.some(({ details }) => details.note);
  const hasAuthors = readings.some((reading) => authorOf(reading));
  return (
    <div class="stack">
      <h2>{t('measures.table.title')}</h2>
      <div class="table-wrap" tabIndex={0} role="region" aria-label={t('measures.table.title')}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{t('measures.table.when')}</th>
              {components.map((component) => (
                <th key={component} scope="col" class="number">
                  {componentName(metric, component, t)}
                </th>
              ))}
              <th scope="col">{t('measures.entry.unit')}</th>
              {hasNotes && <th scope="col">{t('measures.table.note')}</th>}
              {hasAuthors && <th scope="col">{t('common.share.by')}</th>}
              <th scope="col">
                <span class="visually-hidden">{t('measures.table.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {readings.slice(0, shown).map((reading) => (
              <Row
                key={reading.id}
                reading={reading}
                components={components}
                hasNotes={hasNotes}
                hasAuthors={hasAuthors}
                onEdit={onEdit}
              />
            ))}
          </tbody>
        </table>
      </div>
      <div class="row">
        <p class="soft small">
          {t('measures.table.shown', { shown: Math.min(shown, readings.length), count: readings.length })}
        </p>
        <ShowMore shown={shown} count={readings.length} page={PAGE} onShow={setShown} />
      </div>
    </div>
  );
}

interface RowProps extends Pick<ReadingTableProps, 'onEdit'> {
  reading: HealthStat;
  components: string[];
  hasNotes: boolean;
  hasAuthors: boolean;
}

function Row({ reading, components, hasNotes, hasAuthors, onEdit }: RowProps) {
  const { details, recordedAt } = reading;
  const when = formatInstant(new Date(recordedAt), language.value);
  return (
    <tr>
      <th scope="row" class="when-cell">
        {when}
      </th>
      {components.map((component) => (
        <td key={component} class="number">
          {details.values[component] === undefined
            ? '–'
            : numberText(details.values[component], details.unit, language.value)}
        </td>
      ))}
      <td>{unitSymbol(details.unit)}</td>
      {hasNotes && <td class="note-cell">{details.note}</td>}
      {hasAuthors && <td class="soft">{authorWords(authorOf(reading))}</td>}
      <td class="row-actions">
        {mayChangeEntry(reading.profileId, reading) && (
          <>
            <button type="button" class="icon-button" onClick={() => onEdit(reading)}>
              <Pencil size={20} aria-hidden="true" />
              <span class="visually-hidden">{t('measures.table.edit', { when })}</span>
            </button>
            <button type="button" class="icon-button" onClick={() => void remove(reading, when)}>
              <Trash2 size={20} aria-hidden="true" />
              <span class="visually-hidden">{t('measures.table.remove', { when })}</span>
            </button>
          </>
        )}
      </td>
    </tr>
  );
}

/** Moves it to the trash at once, and offers to put it back. */
async function remove(reading: HealthStat, when: string): Promise<void> {
  try {
    await removeReading(reading.id);
    toast({
      text: t('measures.entry.removed', { value: when }),
      action: { label: t('common.action.undo'), run: () => void putBack(reading) },
    });
  } catch (error) {
    toast({ text: sentenceOf(error) });
  }
}

async function putBack(reading: HealthStat): Promise<void> {
  try {
    await putBackReading(reading);
    toast({ text: t('common.state.saved') });
  } catch (error) {
    toast({ text: sentenceOf(error) });
  }
}
