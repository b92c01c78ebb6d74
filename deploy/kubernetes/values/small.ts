import type { Values } from '../values.js';

/** One pod, for a trial or a family. An ingress controller in front, no operator of Prometheus. */
export const values: Values = {
  image: 'registry.example/health-records-service:0.1.0',
  replicas: { atLeast: 1, atMost: 1 },
  secretName: 'health-records-service-1',
  hasVapidKey: true,
  usesReplicaDatabase: false,
  signups: 'invite',
  migrations: 'at-start',
  databasePorts: [5432],
  ingress: { host: 'health.example.org' },
  usesServiceMonitor: false,
  namespaces: {
    ingress: { 'kubernetes.io/metadata.name': 'ingress-nginx' },
    monitoring: { 'kubernetes.io/metadata.name': 'monitoring' },
    dns: { 'kubernetes.io/metadata.name': 'kube-system' },
  },
  dnsPorts: [53],
};
