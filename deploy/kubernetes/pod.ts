import type { IDeployment } from 'kubernetes-models/apps/v1';
import type {
  IContainer,
  IEnvVar,
  IPodSpec,
  ISecurityContext,
  IVolume,
  IVolumeMount,
} from 'kubernetes-models/v1';
import { LABELS, NAME } from './names.js';
import type { Values } from './values.js';

const SECRETS = '/run/secrets/health-records-service';
const CA = '/etc/health-records-service/ca';
const METRICS_PORT = 9464;

/** What every pod of the service may not do. No fixed user: the image has one by number, and OpenShift gives another. */
export const POD_LIMITS = {
  automountServiceAccountToken: false,
  // Otherwise a Service named "metrics" in the namespace would set METRICS_PORT.
  enableServiceLinks: false,
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
} as const satisfies Partial<IPodSpec>;

export const CONTAINER_LIMITS = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ['ALL'] },
} satisfies ISecurityContext;

/** The deployment. A pod migrates the database at its start, under a lock, or waits for the job that does. */
export function deployment(values: Values): IDeployment {
  const { atLeast, atMost } = values.replicas;
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: NAME, labels: LABELS },
    spec: {
      // With an autoscaler the number is its own.
      ...(atMost === atLeast && { replicas: atLeast }),
      selector: { matchLabels: LABELS },
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      template: {
        metadata: {
          labels: LABELS,
          ...(!values.usesServiceMonitor && {
            annotations: { 'prometheus.io/scrape': 'true', 'prometheus.io/port': String(METRICS_PORT) },
          }),
        },
        spec: {
          ...POD_LIMITS,
          // The delay of the shutdown, then a request that has just begun, then the connections to the database.
          terminationGracePeriodSeconds: 60,
          topologySpreadConstraints: ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map(
            (topologyKey) => ({
              maxSkew: 1,
              topologyKey,
              whenUnsatisfiable: 'ScheduleAnyway',
              labelSelector: { matchLabels: LABELS },
            }),
          ),
          containers: [container(values)],
          volumes: volumes(values),
        },
      },
    },
  };
}

function container(values: Values): IContainer {
  return {
    name: 'api',
    image: values.image,
    ports: [
      { name: 'http', containerPort: 3000 },
      { name: 'metrics', containerPort: METRICS_PORT },
    ],
    env: environment(values),
    // A migration of a large database may take long; until then the process does not listen.
    startupProbe: { httpGet: { path: '/healthz', port: 'http' }, periodSeconds: 2, failureThreshold: 450 },
    // Does not ask the database: a restart would not bring it back.
    livenessProbe: {
      httpGet: { path: '/healthz', port: 'http' },
      periodSeconds: 10,
      timeoutSeconds: 3,
      failureThreshold: 3,
    },
    readinessProbe: {
      httpGet: { path: '/readyz', port: 'http' },
      periodSeconds: 5,
      timeoutSeconds: 6,
      failureThreshold: 2,
    },
    resources: {
      requests: { cpu: '250m', memory: '192Mi' },
      // For one process; each worker of WEB_CONCURRENCY needs as much again. No limit of CPU: hashing would be
      // throttled and hold up everything else.
      limits: { memory: '512Mi' },
    },
    securityContext: CONTAINER_LIMITS,
    volumeMounts: mounts(values),
  };
}

export function environment(values: Values): IEnvVar[] {
  const settings: Record<string, string | false | undefined> = {
    DATABASE_URL_FILE: `${SECRETS}/database-url`,
    DATABASE_REPLICA_URL_FILE: values.usesReplicaDatabase && `${SECRETS}/database-replica-url`,
    JWT_SECRET_FILE: `${SECRETS}/jwt-secret`,
    JWT_SECRET_PREVIOUS_FILE: values.hasPreviousJwtSecret && `${SECRETS}/jwt-secret-previous`,
    DECOY_SECRET_FILE: `${SECRETS}/decoy-secret`,
    MIGRATE_AT_START: values.migrations === 'job' && 'off',
    SECOND_STEP_SECRET_FILE: `${SECRETS}/second-step-secret`,
    SECOND_STEP_SECRET_PREVIOUS_FILE:
      values.hasPreviousSecondStepSecret && `${SECRETS}/second-step-secret-previous`,
    SMTP_URL_FILE: values.mail && `${SECRETS}/smtp-url`,
    MAIL_FROM: values.mail?.from,
    VAPID_PRIVATE_KEY_FILE: values.hasVapidKey && `${SECRETS}/vapid-private-key`,
    SIGNUPS: values.signups,
    WEB_ORIGIN: values.ingress && `https://${values.ingress.host}`,
    METRICS_PORT: String(METRICS_PORT),
    // The ingress controller. One more for each further proxy; 0 where clients come directly.
    TRUST_PROXY_HOPS: values.ingress ? '1' : '0',
    // Until every proxy has heard that this pod is leaving.
    SHUTDOWN_DELAY_SECONDS: '5',
    OTEL_EXPORTER_OTLP_ENDPOINT: values.collector?.url,
    // Read by Node.js, beside the authorities that it brings.
    NODE_EXTRA_CA_CERTS: values.privateCa && `${CA}/ca.crt`,
  };
  return Object.entries(settings).flatMap(([name, value]) => (value ? [{ name, value }] : []));
}

export function mounts({ privateCa }: Values): IVolumeMount[] {
  const secrets: IVolumeMount = { name: 'secrets', mountPath: SECRETS, readOnly: true };
  const ca: IVolumeMount = { name: 'private-ca', mountPath: CA, readOnly: true };
  return [secrets, ...(privateCa ? [ca] : []), { name: 'tmp', mountPath: '/tmp' }];
}

export function volumes({ secretName, privateCa }: Values): IVolume[] {
  return [
    // 0444: the number of the user is not known. Nobody else is in the pod.
    { name: 'secrets', secret: { secretName, defaultMode: 0o444 } },
    ...(privateCa ? [{ name: 'private-ca', configMap: { name: privateCa } }] : []),
    { name: 'tmp', emptyDir: { sizeLimit: '16Mi' } },
  ];
}
