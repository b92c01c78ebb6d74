import type { Values } from '../values.js';

/** Three to ten pods over the zones, a replica of the database, TLS, metrics and traces. */
export const values: Values = {
  image: 'registry.example/health-records-service:0.1.0',
  replicas: { atLeast: 3, atMost: 10 },
  secretName: 'health-records-service-1',
  hasVapidKey: true,
  usesReplicaDatabase: true,
  signups: 'invite',
  migrations: 'job',
  backups: {
    claim: 'health-records-service-backups',
    schedule: '17 2 * * *',
    keepDays: 14,
    rehearsalSchedule: '17 4 * * 0',
    rehearsalSize: '50Gi',
  },
  databasePorts: [5432],
  databaseNetworks: ['10.0.7.0/24'],
  privateCa: 'private-ca',
  ingress: {
    host: 'health.example.org',
    className: 'nginx',
    tlsSecret: 'health-records-service-tls',
    annotations: {
      'cert-manager.io/cluster-issuer': 'letsencrypt',
      // The largest body that the service takes is 1 MiB.
      'nginx.ingress.kubernetes.io/proxy-body-size': '2m',
    },
  },
  usesServiceMonitor: true,
  collector: {
    url: 'http://collector.observability:4318',
    port: 4318,
    namespace: { 'kubernetes.io/metadata.name': 'observability' },
  },
  namespaces: {
    ingress: { 'kubernetes.io/metadata.name': 'ingress-nginx' },
    monitoring: { 'kubernetes.io/metadata.name': 'monitoring' },
    dns: { 'kubernetes.io/metadata.name': 'kube-system' },
  },
  dnsPorts: [53],
};
