import type { Dose, HealthStat } from '@app/client';
import { Plus } from 'lucide-preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { useLocation, useRoute } from 'preact-iso';
import { language, t } from '../../../i18n/i18n';
import { changeText, componentName, metricName, numberText, valuesText } from '../../../i18n/measure-words';
import { now } from '../../../platform/model/clock';
import { dayOf, formatDay, formatInstant } from '../../../platform/model/dates';
import { sentenceOf } from '../../../platform/model/failure';
import { memberOf } from '../../profiles/model/family';
import { mayChange, mayNote } from '../../profiles/model/people';
import { measureOf, targetOf, type FamilyMember, unitOf, unitSymbol } from '@app/client/documents';
import { dosesSince } from '../../medications/model/doses-since';
import { medicines } from '../../medications/model/medicines';
import { gapsOf, type Series, seriesOf, trendOf } from '../model/series';
import { stats, statsOf, statsOnDemand } from '../model/stats';
import { startOf, visits, visitsOnDemand } from '../../appointments/model/visits';
import { Button, ButtonLink } from '../../../ui/button';
import { CheckField, Choice, SelectField } from '../../../ui/field';
import { Loaded } from '../../../ui/loaded';
import { Empty, Note, Screen } from '../../../ui/screen';
import { toast } from '../../../ui/toast';
import { MayNot } from '../../../platform/shell/may-not';
import type { ChartMarks } from './chart-time';
import type { MeasureChart } from './measure-chart';
import { QuickEntry } from './quick-entry';
import { ReadingTable } from './reading-table';
import { TargetForm } from './target-form';
import '../../../platform/styles/records.css';
import './measures.css';

type Range = 'month' | 'quarter' | 'year' | 'all';
const RANGE_DAYS: Record<Range, number> = { month: 31, quarter: 92, year: 366, all: Infinity };
const DAY_SECONDS = 86_400;
const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** One measure of one person: chart, what can be said about it, and the table. The address names one of its readings. */
export function MeasureScreen() {
  const { params } = useRoute();
  const { query } = useLocation();
  const member = memberOf(query.of ?? '');
  const reading = member && statsOf(member.id).find(({ id }) => id === params.reading);
  // The reading of the address may be deleted while its measure is shown.
  const last = useRef<string>();
  last.current = reading?.details.metric ?? last.current;
  const metric = last.current;
  return (
    <Screen
      title={metric === undefined ? t('measures.title') : metricName(metric, t)}
      back={{ href: '/app/measures', label: t('measures.title') }}
    >
      <Loaded parts={[statsOnDemand, visitsOnDemand]}>
        {() =>
          member && metric !== undefined ? (
            <Content key={`${metric} ${member.id}`} metric={metric} member={member} />
          ) : (
            <Empty title={t('measures.empty.title')} text={t('measures.empty.text')}>
              <ButtonLink href="/app/measures">{t('measures.title')}</ButtonLink>
            </Empty>
          )
        }
      </Loaded>
    </Screen>
  );
}

function Content({ metric, member }: { metric: string; member: FamilyMember }) {
  const [range, setRange] = useState<Range>('quarter');
  const [unit, setUnit] = useState<string | undefined>(undefined);
  const [entry, setEntry] = useState<'none' | 'new' | HealthStat>('none');
  const all = useMemo(
    () => statsOf(member.id).filter(({ details }) => details.metric === metric),
    [stats.value, member.id, metric],
  );
  const days = RANGE_DAYS[range];
  const from = days === Infinity ? -Infinity : now.value.getTime() - days * 86_400_000;
  const inRange = useMemo(() => all.filter(({ recordedAt }) => Date.parse(recordedAt) >= from), [all, range]);
  const series = useMemo(() => seriesOf(inRange, metric, unit ?? all[0]?.details.unit), [inRange, unit]);
  return (
    <div class="stack-large">
      <div class="screen-head">
        <p class="measure-owner">{member.details.name}</p>
        {entry === 'none' && mayNote(member.id) && (
          <Button look="primary" icon={Plus} onClick={() => setEntry('new')}>
            {t('measures.add')}
          </Button>
        )}
      </div>
      <MayNot members={[member]} what="note" />
      {entry !== 'none' && (
        <QuickEntry
          key={entry === 'new' ? 'new' : entry.id}
          profileId={member.id}
          metric={metric}
          {...(entry !== 'new' && { reading: entry })}
          onClose={() => setEntry('none')}
        />
      )}
      {all.length === 0 ? (
        <Empty title={t('measures.empty.title')} text={t('measures.empty.text')} />
      ) : (
        <>
          <div class="row">
            <Choice
              legend={t('measures.range.label')}
              value={range}
              options={(Object.keys(RANGE_DAYS) as Range[]).map((value) => ({
                value,
                label: t(`measures.range.${value}`),
              }))}
              onValue={setRange}
            />
            <UnitChoice metric={metric} unit={series.unit} onUnit={setUnit} />
          </div>
          <ChartPart series={series} member={member} range={range} />
          <Sentences series={series} />
          <TargetForm
            member={member}
            metric={metric}
            unit={series.unit}
            components={series.components}
            canChange={mayChange(member.id)}
          />
          <ReadingTable readings={inRange} onEdit={setEntry} />
        </>
      )}
    </div>
  );
}

function UnitChoice({
  metric,
  unit,
  onUnit,
}: {
  metric: string;
  unit: string;
  onUnit: (unit: string) => void;
}) {
  const units = measureOf(metric)?.units ?? [];
  if (units.length < 2 || !unitOf(unit)) return null;
  return (
    <SelectField
      label={t('measures.entry.unit')}
      value={unit}
      options={units.map((code) => ({ value: code, label: unitSymbol(code) }))}
      onValue={onUnit}
    />
  );
}

/** The chart is a download of its own: the table and the sentences do not wait for it. */
function LazyChart(props: Parameters<typeof MeasureChart>[0]) {
  const [Chart, setChart] = useState<typeof MeasureChart | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  useEffect(() => {
    import('./measure-chart').then((loaded) => setChart(() => loaded.MeasureChart), setFailure);
  }, []);
  if (failure !== undefined) return <Note look="error">{sentenceOf(failure)}</Note>;
  return Chart ? <Chart {...props} /> : <div class="chart-place" aria-busy="true" />;
}

/** The doses of a medicine since a time in seconds; undefined until they are loaded. */
function useDoses(medicineId: string, since: number): readonly Dose[] | undefined {
  const [doses, setDoses] = useState<readonly Dose[] | undefined>(undefined);
  useEffect(() => {
    setDoses(undefined);
    if (medicineId === '') return;
    const controller = new AbortController();
    const { signal } = controller;
    dosesSince(medicineId, new Date(since * 1000), signal)
      .then((loaded) => signal.aborted || setDoses(loaded))
      .catch((error: unknown) => signal.aborted || toast({ text: sentenceOf(error) }));
    return () => controller.abort();
  }, [medicineId, since]);
  return doses;
}

function ChartPart({ series, member, range }: { series: Series; member: FamilyMember; range: Range }) {
  const [withVisits, setWithVisits] = useState(true);
  const [medicine, setMedicine] = useState('');
  const own = medicines.value.filter(({ profileId }) => profileId === member.id);
  const { points } = series;
  const end = Math.max(now.value.getTime(), points.at(-1)?.at ?? 0) / 1000;
  const first = (points[0]?.at ?? 0) / 1000;
  const start = range === 'all' ? first - DAY_SECONDS : end - RANGE_DAYS[range] * DAY_SECONDS;
  // The end moves on with the clock; the chart is drawn anew only once a day.
  const whole = useMemo(
    () => ({ min: start, max: end + DAY_SECONDS / 2 }),
    [series, range, dayOf(now.value)],
  );
  const ownVisits = visits.value.filter(
    ({ profileId, status }) => profileId === member.id && status !== 'cancelled',
  );
  const doses = useDoses(medicine, whole.min);
  const marks = useMemo<ChartMarks>(() => {
    const isIn = (at: number) => at >= whole.min && at <= whole.max;
    const shown = withVisits ? ownVisits : [];
    return {
      visits: shown
        .map((visit) => ({ at: startOf(visit) / 1000, title: visit.details.title }))
        .filter(({ at }) => isIn(at)),
      doses: (doses ?? [])
        .map(({ loggedAt, taken }) => ({ at: Date.parse(loggedAt) / 1000, taken }))
        .filter(({ at }) => isIn(at)),
    };
  }, [withVisits, doses, visits.value, whole]);
  const targets = useMemo(
    () =>
      series.components.map((component) =>
        targetOf(member.details.targets, series.metric, component, series.unit),
      ),
    [member, series],
  );
  if (points.length === 0) return <p class="soft">{t('measures.chart.none')}</p>;
  return (
    <div class="stack">
      <LazyChart
        series={series}
        targets={targets}
        marks={marks}
        whole={whole}
        range={range}
        timeZone={timeZone}
      />
      <div class="row">
        {ownVisits.length > 0 && (
          <CheckField label={t('measures.chart.visits')} checked={withVisits} onValue={setWithVisits} />
        )}
        {own.length > 0 && (
          <SelectField
            label={t('measures.chart.doses')}
            value={medicine}
            options={[
              { value: '', label: t('measures.chart.noDoses') },
              ...own.map(({ id, details }) => ({ value: id, label: details.name })),
            ]}
            onValue={setMedicine}
          />
        )}
      </div>
    </div>
  );
}

/** What the chart shows, in sentences: last reading, lowest, highest, direction, gaps. */
function Sentences({ series }: { series: Series }) {
  const { metric, unit, components, points, leftOut } = series;
  const spoken = language.value;
  const last = points.at(-1);
  const gaps = useMemo(() => gapsOf(points), [points]);
  const trends = useMemo(
    () => components.map((component) => trendOf(points, component, timeZone)),
    [components, points],
  );
  const latestGap = gaps.at(-1);
  const day = (at: number) => formatDay(dayOf(new Date(at)), spoken);
  const nameOf = (component: string) =>
    components.length > 1 ? componentName(metric, component, t) : metricName(metric, t);
  return (
    <div class="stack">
      {last && (
        <p>
          {t('measures.last')}: <strong>{valuesText(metric, last.values, unit, spoken)}</strong>{' '}
          <span class="soft">{formatInstant(new Date(last.at), spoken)}</span>
        </p>
      )}
      {components.map((component, at) => {
        const trend = trends[at];
        if (trend.count === 0) return null;
        const change = trend.perWeek === null ? '' : changeText(trend.perWeek, unit, spoken);
        return (
          <div key={component}>
            <p>
              {t(`measures.trend.${trend.direction}`, {
                name: nameOf(component),
                change,
                days: trend.spanDays,
              })}
            </p>
            <p class="soft small">
              {t('measures.sum.least')} {numberText(trend.minimum!, unit, spoken)} · {t('measures.sum.mean')}{' '}
              {numberText(trend.mean!, unit, spoken)} · {t('measures.sum.most')}{' '}
              {numberText(trend.maximum!, unit, spoken)} · {t('measures.sum.count')} {trend.count}
            </p>
          </div>
        );
      })}
      {latestGap && (
        <p>
          {t('measures.chart.gap', {
            count: gaps.length,
            list: `${day(latestGap.from)} – ${day(latestGap.to)}`,
          })}
        </p>
      )}
      {leftOut > 0 && <p>{t('measures.chart.leftOut', { count: leftOut })}</p>}
    </div>
  );
}
