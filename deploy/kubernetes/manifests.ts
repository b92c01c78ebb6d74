import type { IServiceMonitor } from '@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1';
import { ApiObject, type ApiObjectProps, App, Chart, Yaml } from 'cdk8s';
import type { IHorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2';
import type { IPodDisruptionBudget } from 'kubernetes-models/policy/v1';
import { LABELS, METRICS_LABELS, NAME } from './names.js';
import { backupJobs, migrationJob, scripts } from './jobs.js';
import { ingress, jobsNetworkPolicy, metricsService, networkPolicy, service } from './network.js';
import { deployment } from './pod.js';
import type { Values } from './values.js';

/** All objects but the secret, as documents of YAML. They name no namespace: `kubectl apply --namespace`. */
export function manifests(values: Values): string {
  const { atLeast, atMost } = values.replicas;
  const objects: ApiObjectProps[] = [
    deployment(values),
    service(),
    disruptionBudget(),
    networkPolicy(values),
    ...(values.migrations === 'job' ? [migrationJob(values)] : []),
    ...(values.backups ? [scripts(), ...backupJobs(values, values.backups)] : []),
    ...(values.backups || values.migrations === 'job' ? [jobsNetworkPolicy(values)] : []),
    ...(values.ingress ? [ingress(values.ingress)] : []),
    ...(atMost > atLeast ? [autoscaler(values)] : []),
    ...(values.usesServiceMonitor ? [metricsService(), serviceMonitor()] : []),
  ] as ApiObjectProps[];
  const chart = new Chart(new App(), NAME, { disableResourceNameHashes: true });
  for (const object of objects) new ApiObject(chart, `${object.kind}/${object.metadata!.name!}`, object);
  return Yaml.stringify(...(chart.toJson() as unknown[]));
}

function disruptionBudget(): IPodDisruptionBudget {
  return {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: NAME, labels: LABELS },
    spec: { selector: { matchLabels: LABELS }, maxUnavailable: 1 },
  };
}

function autoscaler({ replicas }: Values): IHorizontalPodAutoscaler {
  return {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: NAME, labels: LABELS },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: NAME },
      minReplicas: replicas.atLeast,
      maxReplicas: replicas.atMost,
      // Of what is requested. A process uses up to one core, and half of another for hashes.
      metrics: [
        {
          type: 'Resource',
          resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 200 } },
        },
      ],
    },
  };
}

function serviceMonitor(): IServiceMonitor {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'ServiceMonitor',
    metadata: { name: NAME, labels: LABELS },
    spec: {
      selector: { matchLabels: METRICS_LABELS },
      endpoints: [{ port: 'metrics', interval: '30s', scrapeTimeout: '10s' }],
    },
  };
}
