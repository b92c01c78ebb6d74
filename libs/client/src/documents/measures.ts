import type { HealthStatDetails } from './schemas/health-stat';
import type { MeasureTarget } from './schemas/profile';
import { convert, unitOf } from './units';

/** One number of a measure. The limits are those of a typing error, not of health; in the first unit of the measure. */
export interface MeasureComponent {
  name: string;
  least: number;
  most: number;
}

/** A measure that the page knows. Its name is in the catalogues. */
export interface Measure {
  metric: string;
  /** UCUM codes; the first is the one to start with. */
  units: readonly [string, ...string[]];
  components: readonly MeasureComponent[];
}

const single = (least: number, most: number): MeasureComponent[] => [{ name: 'value', least, most }];

/** In the order of the screen. */
export const MEASURES: readonly Measure[] = [
  { metric: 'weight', units: ['kg', '[lb_av]', 'g'], components: single(0.005, 700) },
  {
    metric: 'blood_pressure',
    units: ['mm[Hg]', 'kPa'],
    components: [
      { name: 'systolic', least: 40, most: 320 },
      { name: 'diastolic', least: 20, most: 220 },
    ],
  },
  { metric: 'pulse', units: ['/min'], components: single(10, 600) },
  { metric: 'temperature', units: ['Cel', '[degF]'], components: single(20, 46) },
  { metric: 'glucose', units: ['mmol/L', 'mg/dL'], components: single(0.3, 90) },
  { metric: 'oxygen_saturation', units: ['%'], components: single(30, 100) },
  { metric: 'respiratory_rate', units: ['/min'], components: single(2, 300) },
  { metric: 'height', units: ['cm', '[in_i]', 'm'], components: single(1, 280) },
];

const byMetric = new Map(MEASURES.map((each) => [each.metric, each]));

/** Metrics of measures that a person named. The name follows the prefix. */
const OWN = 'own:';
/** A metric has at most 64 characters. */
export const OWN_NAME_LENGTH = 60;

/** The known measure of a metric; `undefined` for an own one or one of another client. */
export function measureOf(metric: string): Measure | undefined {
  return byMetric.get(metric);
}

/** The metric of an own measure, or of a known one where the name is that of its metric. */
export function ownMetric(name: string): string {
  return `${OWN}${name.trim().replace(/\s+/g, ' ').slice(0, OWN_NAME_LENGTH)}`;
}

/** The name of a metric that is in no catalogue. */
export function ownName(metric: string): string {
  return metric.startsWith(OWN) ? metric.slice(OWN.length) : metric.replaceAll('_', ' ');
}

/** The names of the numbers of a reading, in the order of the screen. */
export function componentsOf(metric: string, values?: HealthStatDetails['values']): string[] {
  const known = measureOf(metric)?.components.map(({ name }) => name);
  return known ?? Object.keys(values ?? { value: 0 }).sort();
}

/** What is wrong with a number. Each has a sentence in the catalogues. */
export type ValueProblem = 'not_a_number' | 'too_low' | 'too_high' | 'unit_unknown' | 'pressure_order';

/** The first problem of a reading; `undefined` where there is none. */
export function valueProblem(
  metric: string,
  values: { [component: string]: number | undefined },
  unit: string,
): { component: string; problem: ValueProblem } | undefined {
  const measure = measureOf(metric);
  for (const component of componentsOf(metric, values as HealthStatDetails['values'])) {
    const value = values[component];
    if (value === undefined || !Number.isFinite(value)) return { component, problem: 'not_a_number' };
    const limits = measure?.components.find(({ name }) => name === component);
    if (!measure || !limits) continue;
    const inFirst = convert(value, unit, measure.units[0]);
    if (inFirst === undefined || !unitOf(unit)) return { component, problem: 'unit_unknown' };
    // The conversion of a limit itself must not fail by its last digit.
    if (inFirst < limits.least * (1 - 1e-9)) return { component, problem: 'too_low' };
    if (inFirst > limits.most * (1 + 1e-9)) return { component, problem: 'too_high' };
  }
  if (metric === 'blood_pressure' && values.diastolic! >= values.systolic!) {
    return { component: 'diastolic', problem: 'pressure_order' };
  }
  return undefined;
}

/** The key of a target in the details of a profile: the metric, with the component where there are several. */
export function targetKey(metric: string, component: string): string {
  return component === 'value' ? metric : `${metric}.${component}`;
}

/** The target of a component in a unit; `undefined` where there is none or it cannot be read. */
export function targetOf(
  targets: unknown,
  metric: string,
  component: string,
  unit: string,
): { low?: number; high?: number } | undefined {
  if (typeof targets !== 'object' || targets === null) return undefined;
  const stored = (targets as Record<string, Partial<MeasureTarget> | undefined>)[
    targetKey(metric, component)
  ];
  if (typeof stored?.unit !== 'string') return undefined;
  const end = (value: unknown) =>
    typeof value === 'number' && Number.isFinite(value) ? convert(value, stored.unit!, unit) : undefined;
  const [low, high] = [end(stored.low), end(stored.high)];
  if (low === undefined && high === undefined) return undefined;
  return { ...(low !== undefined && { low }), ...(high !== undefined && { high }) };
}
