import { Plus } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { language, t } from '../../../i18n/i18n';
import { metricName, valuesText } from '../../../i18n/measure-words';
import { now } from '../../../platform/model/clock';
import { formatInstant } from '../../../platform/model/dates';
import { shownMembers } from '../../profiles/model/family';
import { notable } from '../../profiles/model/people';
import { MEASURES, type FamilyMember } from '@app/client/documents';
import { gapsOf, lineOf, metricsOf, seriesOf } from '../model/series';
import { statsOf, statsOnDemand } from '../model/stats';
import { Button, ButtonLink } from '../../../ui/button';
import { Loaded } from '../../../ui/loaded';
import { Empty, Screen } from '../../../ui/screen';
import { Sparkline } from '../../../ui/sparkline';
import { MayNot } from '../../../platform/shell/may-not';
import { QuickEntry } from './quick-entry';
import '../../../platform/styles/records.css';
import './measures.css';

const TILE_DAYS = 90;

/** Known measures first, in their order; then own ones by name. */
function sortedMetrics(metrics: Iterable<string>): string[] {
  const known = MEASURES.map(({ metric }) => metric);
  const place = (metric: string) => known.indexOf(metric) + 1 || 99;
  return [...metrics].sort((a, b) => place(a) - place(b) || a.localeCompare(b));
}

function Tile({ member, metric }: { member: FamilyMember; metric: string }) {
  const series = seriesOf(statsOf(member.id), metric);
  const last = series.points.at(-1);
  const since = now.value.getTime() - TILE_DAYS * 86_400_000;
  const recent = series.points.filter(({ at }) => at >= since);
  const gaps = gapsOf(recent);
  // A reload sends the address to the service: it names a reading, and never what is measured.
  const reading = statsOf(member.id).find(({ details }) => details.metric === metric);
  return (
    <li>
      <a class="tile" href={`/app/measures/${reading?.id}?of=${member.id}`}>
        <span class="tile-name">{metricName(metric, t)}</span>
        {last && (
          <>
            <span class="tile-value">{valuesText(metric, last.values, series.unit, language.value)}</span>
            <span class="tile-when">{formatInstant(new Date(last.at), language.value)}</span>
          </>
        )}
        <Sparkline lines={series.components.map((component) => lineOf(recent, component, gaps))} />
      </a>
    </li>
  );
}

function MemberTiles({ member, isAlone }: { member: FamilyMember; isAlone: boolean }) {
  const metrics = sortedMetrics(metricsOf(statsOf(member.id)).keys());
  if (metrics.length === 0) return null;
  return (
    <section class="stack" aria-label={member.details.name}>
      {!isAlone && <h2>{member.details.name}</h2>}
      <ul class="tiles">
        {metrics.map((metric) => (
          <Tile key={metric} member={member} metric={metric} />
        ))}
      </ul>
    </section>
  );
}

function Content({
  isAdding,
  onClose,
  onAdd,
}: {
  isAdding: boolean;
  onClose: () => void;
  onAdd: () => void;
}) {
  const members = shownMembers.value;
  const isEmpty = members.every(({ id }) => statsOf(id).length === 0);
  return (
    <div class="stack-large">
      <MayNot members={members} what="note" />
      {isAdding && notable(members).length > 0 && <QuickEntry onClose={onClose} />}
      {isEmpty && !isAdding && (
        <Empty title={t('measures.empty.title')} text={t('measures.empty.text')}>
          {(members.length === 0 || notable(members).length > 0) && (
            <Button look="primary" icon={Plus} onClick={onAdd}>
              {t('measures.add')}
            </Button>
          )}
          <ButtonLink href="/app/transfer">{t('measures.import')}</ButtonLink>
        </Empty>
      )}
      {members.map((member) => (
        <MemberTiles key={member.id} member={member} isAlone={members.length === 1} />
      ))}
    </div>
  );
}

/** Tiles with the last reading of each measure, and quick entry. */
export function Measures() {
  const [isAdding, setAdding] = useState(false);
  const hasAny =
    statsOnDemand.state.value === 'ready' && shownMembers.value.some(({ id }) => statsOf(id).length > 0);
  return (
    <Screen
      title={t('measures.title')}
      action={
        hasAny &&
        !isAdding &&
        notable(shownMembers.value).length > 0 && (
          <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
            {t('measures.add')}
          </Button>
        )
      }
    >
      <Loaded parts={[statsOnDemand]}>
        {() => <Content isAdding={isAdding} onClose={() => setAdding(false)} onAdd={() => setAdding(true)} />}
      </Loaded>
    </Screen>
  );
}
