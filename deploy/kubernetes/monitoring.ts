import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IPrometheusRule } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { Yaml } from 'cdk8s';
import type { IConfigMap } from 'kubernetes-models/v1';
import { LABELS, NAME } from './names.js';

/** From `deploy/dist/kubernetes`. */
const FOLDER = join(__dirname, '../../monitoring');

/** The alert rules for the operator of Prometheus, and the dashboard as the sidecar of Grafana's chart finds it. */
export function monitoring(): string {
  const { groups } = (Yaml.load(join(FOLDER, 'alerts.yaml')) as Pick<IPrometheusRule, 'spec'>['spec'][])[0]!;
  const rules: IPrometheusRule = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: NAME, labels: LABELS },
    spec: { groups },
  };
  const dashboard: IConfigMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: `${NAME}-dashboard`, labels: { ...LABELS, grafana_dashboard: '1' } },
    data: { [`${NAME}.json`]: readFileSync(join(FOLDER, 'dashboard.json'), 'utf8') },
  };
  return Yaml.stringify(rules, dashboard);
}
