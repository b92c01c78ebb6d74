import type { TOptions } from 'i18next';
import { formatNumber } from '../platform/model/dates';
import { componentsOf, measureOf, ownName, roundFor, unitOf, unitSymbol } from '@app/client/documents';
import type { TextKey } from './i18n';

/** A lookup of texts in one language: `t`, or one of `textsIn`. */
export type Texts = (key: TextKey, values?: TOptions) => string;

/** The name of a measure, as the catalogue or the person has it. */
export function metricName(metric: string, text: Texts): string {
  return measureOf(metric) ? text(`measures.name.${metric}` as TextKey) : ownName(metric);
}

/** The name of one number of a measure. */
export function componentName(metric: string, component: string, text: Texts): string {
  const known = measureOf(metric)?.components.some(({ name }) => name === component);
  return known || component === 'value' ? text(`measures.component.${component}` as TextKey) : component;
}

/** A number in its unit, rounded as the unit is read: `72.5`. */
export function numberText(value: number, unit: string, language: string): string {
  return formatNumber(roundFor(value, unit), language, unitOf(unit)?.decimals ?? 3);
}

/** All numbers of a reading with their unit: `72.5 kg`, `132/84 mmHg`. */
export function valuesText(
  metric: string,
  values: { [component: string]: number },
  unit: string,
  language: string,
): string {
  const numbers = componentsOf(metric, values)
    .map((component) => values[component])
    .filter((value) => value !== undefined)
    .map((value) => numberText(value, unit, language));
  const symbol = unitSymbol(unit);
  return `${numbers.join('/')}${symbol && (symbol === '%' ? '\u202f%' : `\u00a0${symbol}`)}`;
}

/** A change with its unit: `0.3 kg`. It has one digit more than a reading, and no sign. */
export function changeText(change: number, unit: string, language: string): string {
  const digits = (unitOf(unit)?.decimals ?? 1) + 1;
  return `${formatNumber(Math.abs(change), language, digits)}\u00a0${unitSymbol(unit)}`.trim();
}
