import type { ExportedHealthStat } from '../transfer/export-document';
import type { JsonObject } from '../json';
import type { Coding, Observation, Quantity } from 'fhir/r4';
import { measureOf, ownMetric, ownName } from '../documents/measures';
import { readUnit, unitOf, unitSymbol } from '../documents/units';
import {
  COMPONENT_CODES,
  componentOfCodings,
  GLUCOSE_BY_MASS,
  METRIC_CODES,
  metricOfCodings,
  UCUM,
  VITAL_SIGNS,
} from './codes';
import { keep, restore } from './kept';
import { concept, conceptText, fhirText, fullTime, optional, referenceTo } from './text';

export type StatRecord = { recordedAt: string; details: JsonObject };

function quantity(value: number, unit: string): Quantity {
  const known = unitOf(unit);
  return {
    value,
    ...optional('unit', fhirText(unitSymbol(unit))),
    ...(known && { system: UCUM, code: known.code }),
  };
}

function codingOf(metric: string, unit: string): Coding | undefined {
  return metric === 'glucose' && unit === 'mg/dL' ? GLUCOSE_BY_MASS : METRIC_CODES[metric];
}

/** Throws nothing: a statistic of another client may have any shape, and what does not fit is kept as it is. */
export function toObservation(
  { id, recordedAt, details }: ExportedHealthStat,
  patientId: string,
): Observation {
  const metric = typeof details.metric === 'string' ? details.metric : '';
  const unit = typeof details.unit === 'string' ? details.unit : '';
  const values = Object.entries((details.values ?? {}) as JsonObject).filter(
    (each): each is [string, number] => typeof each[1] === 'number',
  );
  const coding = codingOf(metric, unit);
  const isSingle = values.length === 1 && values[0][0] === 'value';
  const resource: Observation = {
    resourceType: 'Observation',
    id,
    status: 'final',
    ...(coding && metric !== 'glucose' && { category: [VITAL_SIGNS] }),
    code: concept(coding?.display ?? ownName(metric), coding),
    subject: referenceTo(patientId),
    effectiveDateTime: recordedAt,
    ...(isSingle && { valueQuantity: quantity(values[0][1], unit) }),
    ...(!isSingle &&
      values.length > 0 && {
        component: values.map(([name, value]) => ({
          code: concept(COMPONENT_CODES[name]?.display ?? name, COMPONENT_CODES[name]),
          valueQuantity: quantity(value, unit),
        })),
      }),
    ...(values.length === 0 && { dataAbsentReason: concept('unknown') }),
    ...(fhirText(details.note) && { note: [{ text: fhirText(details.note)! }] }),
  };
  const readBack = readObservation(resource);
  return keep(resource, { recordedAt, details }, readBack ?? { recordedAt, details: {} });
}

const unitFrom = ({ code, unit }: Quantity) => readUnit(code ?? '') ?? readUnit(unit ?? '');

function readObservation(resource: Observation): StatRecord | undefined {
  const at = fullTime(
    resource.effectiveDateTime ?? resource.effectivePeriod?.start ?? resource.effectiveInstant,
  );
  const metric = metricOfCodings(resource.code?.coding) ?? ownMetricOf(resource);
  if (at === undefined || metric === undefined) return undefined;
  const known = measureOf(metric);
  const values: Record<string, number> = {};
  const units = new Set<string>();
  const take = (name: string, from: Quantity | undefined) => {
    if (typeof from?.value !== 'number' || !Number.isFinite(from.value)) return;
    values[name] = from.value;
    units.add(unitFrom(from)?.code ?? fhirText(from.unit) ?? fhirText(from.code) ?? '');
  };
  take('value', resource.valueQuantity);
  for (const each of resource.component ?? []) {
    const name =
      componentOfCodings(each.code?.coding) ?? (known ? undefined : conceptText(each.code)?.slice(0, 60));
    if (name) take(name, each.valueQuantity);
  }
  const wanted = known?.components.map(({ name }) => name);
  const complete = wanted
    ? wanted.every((name) => values[name] !== undefined)
    : Object.keys(values).length > 0;
  if (!complete || units.size !== 1) return undefined;
  return {
    recordedAt: new Date(at).toISOString(),
    details: {
      metric,
      values,
      unit: [...units][0],
      ...optional('note', fhirText(resource.note?.[0]?.text)),
    },
  };
}

function ownMetricOf({ code }: Observation): string | undefined {
  const words = conceptText(code);
  return words === undefined ? undefined : ownMetric(words);
}

/** The statistic; `undefined` where it has no time, no number, or was entered in error. */
export function fromObservation(resource: Observation): StatRecord | undefined {
  if (/^(entered-in-error|cancelled|registered)$/.test(resource.status ?? '')) return undefined;
  const read = readObservation(resource) ?? { recordedAt: '', details: {} };
  const restored = restore(resource, read);
  return restored.recordedAt === '' || typeof restored.details.metric !== 'string' ? undefined : restored;
}
