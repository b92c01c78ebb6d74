import { useMemo, useState } from 'preact/hooks';
import { language, t } from '../../../i18n/i18n';
import { metricName, valuesText } from '../../../i18n/measure-words';
import { today } from '../../../platform/model/clock';
import { formatAppointment } from '../../../platform/model/dates';
import { memberOf, members } from '../../profiles/model/family';
import { medicines } from '../../medications/model/medicines';
import { type Found, indexOf, search } from '../model/search';
import { stats, statsOnDemand } from '../../health-stats/model/stats';
import { visits, visitsOnDemand } from '../../appointments/model/visits';
import { dayWords, whenWords } from '../../medications/model/words';
import { TextField } from '../../../ui/field';
import { Loaded } from '../../../ui/loaded';
import { Screen } from '../../../ui/screen';

/** Search over all records of the family. It happens on the device: no word of it leaves it. */
export function Search() {
  return (
    <Screen title={t('find.title')} back={{ href: '/app/more', label: t('common.nav.more') }}>
      <Loaded parts={[statsOnDemand, visitsOnDemand]}>{() => <Searching />}</Loaded>
    </Screen>
  );
}

function Searching() {
  const [query, setQuery] = useState('');
  const index = useMemo(
    () =>
      indexOf({
        members: members.value,
        medicines: medicines.value,
        visits: visits.value,
        stats: stats.value,
        nameOf: (metric) => metricName(metric, t),
        valueOf: ({ metric, values, unit }) => valuesText(metric, values, unit, language.value),
      }),
    [members.value, medicines.value, visits.value, stats.value, language.value],
  );
  const { found, count } = search(index, query);
  return (
    <div class="stack">
      <TextField
        label={t('find.label')}
        hint={t('find.hint')}
        type="search"
        autocomplete="off"
        value={query}
        onValue={setQuery}
      />
      <p role="status" class="soft">
        {query.trim() !== '' &&
          (count > found.length
            ? t('find.more', { shown: found.length, count })
            : t('find.count', { count }))}
      </p>
      <ul class="list">
        {found.map((each) => (
          <li key={`${each.kind} ${each.id}`}>
            <a class="list-link" href={hrefOf(each)}>
              <span class="list-main">
                <span class="list-title">{each.title}</span>
                <span class="list-sub">
                  {[
                    t(`find.kind.${each.kind}`),
                    each.kind !== 'person' && memberOf(each.profileId)?.details.name,
                    each.value,
                    whenOf(each),
                  ]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function whenOf({ kind, at }: Found): string | undefined {
  if (!at) return undefined;
  if (kind === 'vaccination') return dayWords(at);
  const when = new Date(at);
  if (kind === 'reading') return whenWords(when, today.value);
  return Number.isNaN(when.getTime()) ? at : formatAppointment(when, language.value);
}

function hrefOf({ kind, id, profileId }: Found): string {
  if (kind === 'person') return `/app/profiles/${id}`;
  if (kind === 'medicine') return `/app/cabinet/${id}`;
  return kind === 'visit' || kind === 'vaccination'
    ? `/app/visits/${id}`
    : `/app/measures/${id}?of=${profileId}`;
}
