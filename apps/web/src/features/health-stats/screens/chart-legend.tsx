import { t } from '../../../i18n/i18n';
import { componentName, metricName } from '../../../i18n/measure-words';
import type { Series } from '../model/series';
import type { ChartMarks } from './chart-time';

export interface ChartLegendProps {
  series: Series;
  hasAverage: boolean;
  hasTarget: boolean;
  marks: ChartMarks;
}

/** What the lines and marks of the chart are. */
export function ChartLegend({
  series: { metric, components },
  hasAverage,
  hasTarget,
  marks,
}: ChartLegendProps) {
  return (
    <ul class="legend small">
      {components.map((component, at) => (
        <li key={component}>
          <span class={`key key-line-${at + 1}`} aria-hidden="true" />
          {components.length > 1 ? componentName(metric, component, t) : metricName(metric, t)}
        </li>
      ))}
      {hasAverage && (
        <li>
          <span class="key key-average" aria-hidden="true" />
          {t('measures.chart.average')}
        </li>
      )}
      {hasTarget && (
        <li>
          <span class="key key-target" aria-hidden="true" />
          {t('measures.chart.target')}
        </li>
      )}
      {marks.visits.length > 0 && (
        <li>
          <span class="key key-visit" aria-hidden="true" />
          {t('measures.chart.visits')}
        </li>
      )}
    </ul>
  );
}
