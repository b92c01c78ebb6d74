import type {
  IIngress,
  INetworkPolicy,
  INetworkPolicyEgressRule,
} from 'kubernetes-models/networking.k8s.io/v1';
import type { IService } from 'kubernetes-models/v1';
import { JOB_LABELS, LABELS, METRICS_LABELS, NAME } from './names.js';
import type { Labels, Values } from './values.js';

export function service(): IService {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: NAME, labels: LABELS },
    spec: { selector: LABELS, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
  };
}

/** Metrics are not part of the service that clients reach. Without an address of its own: Prometheus asks each pod. */
export function metricsService(): IService {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: `${NAME}-metrics`, labels: METRICS_LABELS },
    spec: {
      clusterIP: 'None',
      selector: LABELS,
      ports: [{ name: 'metrics', port: 9464, targetPort: 'metrics' }],
    },
  };
}

export function ingress({
  host,
  className,
  tlsSecret,
  annotations,
}: NonNullable<Values['ingress']>): IIngress {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: { name: NAME, labels: LABELS, ...(annotations && { annotations }) },
    spec: {
      ...(className && { ingressClassName: className }),
      ...(tlsSecret && { tls: [{ hosts: [host], secretName: tlsSecret }] }),
      rules: [
        {
          host,
          http: {
            paths: [
              {
                path: '/',
                pathType: 'Prefix',
                backend: { service: { name: NAME, port: { name: 'http' } } },
              },
            ],
          },
        },
      ],
    },
  };
}

/** The push services of browsers, whose addresses change, by IPv4. Networks of the cluster are none of them. */
const INTERNET: INetworkPolicyEgressRule = {
  to: [
    {
      ipBlock: {
        cidr: '0.0.0.0/0',
        except: ['10.0.0.0/8', '100.64.0.0/10', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16'],
      },
    },
  ],
  ports: [{ port: 443, protocol: 'TCP' }],
};

/**
 * What may reach the pods: the ingress controller the API, Prometheus the metrics. What they may reach: name servers,
 * the databases, the mail server and the collector. The probes come from the node, which no policy stops.
 */
export function networkPolicy(values: Values): INetworkPolicy {
  const { namespaces, dnsPorts, databasePorts, databaseNetworks, collector } = values;
  const from = (labels: Labels, port: string) => ({ from: [of(labels)], ports: [{ port }] });
  const egress: INetworkPolicyEgressRule[] = [
    names(namespaces.dns, dnsPorts),
    servers(databasePorts, databaseNetworks),
  ];
  if (values.hasVapidKey) egress.push(INTERNET);
  if (values.mail) egress.push(servers([values.mail.port], values.mail.networks));
  if (collector)
    egress.push({ to: [of(collector.namespace)], ports: [{ port: collector.port, protocol: 'TCP' }] });
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: NAME, labels: LABELS },
    spec: {
      podSelector: { matchLabels: LABELS },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [from(namespaces.ingress, 'http'), from(namespaces.monitoring, 'metrics')],
      egress,
    },
  };
}

/** Jobs reach name servers and the databases, and nothing reaches them. */
export function jobsNetworkPolicy({ namespaces, dnsPorts, ...values }: Values): INetworkPolicy {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: `${NAME}-jobs`, labels: JOB_LABELS },
    spec: {
      podSelector: { matchLabels: JOB_LABELS },
      policyTypes: ['Ingress', 'Egress'],
      egress: [names(namespaces.dns, dnsPorts), servers(values.databasePorts, values.databaseNetworks)],
    },
  };
}

function names(namespace: Labels, ports: number[]): INetworkPolicyEgressRule {
  return {
    to: [of(namespace)],
    ports: ports.flatMap((port) => (['UDP', 'TCP'] as const).map((protocol) => ({ port, protocol }))),
  };
}

function servers(ports: number[], networks?: string[]): INetworkPolicyEgressRule {
  return {
    ...(networks && { to: networks.map((cidr) => ({ ipBlock: { cidr } })) }),
    ports: ports.map((port) => ({ port, protocol: 'TCP' })),
  };
}

function of(matchLabels: Labels) {
  return { namespaceSelector: { matchLabels } };
}
