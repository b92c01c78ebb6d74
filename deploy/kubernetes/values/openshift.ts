import type { Values } from '../values.js';

/** OpenShift, which gives each namespace a user of its own and makes a route of the ingress. */
export const values: Values = {
  image: 'registry.example/health-records-service:0.1.0',
  replicas: { atLeast: 2, atMost: 6 },
  secretName: 'health-records-service-1',
  hasVapidKey: true,
  usesReplicaDatabase: false,
  signups: 'invite',
  migrations: 'at-start',
  databasePorts: [5432],
  privateCa: 'private-ca',
  ingress: {
    host: 'health.apps.example.org',
    className: 'openshift-default',
    annotations: { 'route.openshift.io/termination': 'edge' },
  },
  usesServiceMonitor: true,
  namespaces: {
    ingress: { 'policy-group.network.openshift.io/ingress': '' },
    monitoring: { 'network.openshift.io/policy-group': 'monitoring' },
    dns: { 'kubernetes.io/metadata.name': 'openshift-dns' },
  },
  dnsPorts: [5353],
};
