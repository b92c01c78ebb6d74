/** What differs between clusters. Write your own file beside those in `values/`. */
export interface Values {
  /** The image, with its tag or digest. */
  image: string;
  /** Pods. With `atMost` above `atLeast`, their number follows the use of CPU. */
  replicas: { atLeast: number; atMost: number };
  /** Name of the secret with the files `database-url`, `jwt-secret` and `decoy-secret`. See `secret.ts`. */
  secretName: string;
  /** While `JWT_SECRET` is being replaced: the secret also has `jwt-secret-previous`. */
  hasPreviousJwtSecret?: boolean;
  /** Whether reads use a replica: the secret also has `database-replica-url`. */
  usesReplicaDatabase: boolean;
  /** Who may register. `invite` needs a code of the operator. */
  signups: 'closed' | 'invite' | 'open';
  /** Ports of the databases, for the network policy. */
  databasePorts: number[];
  /** Name of a config map whose `ca.crt` signs the certificates of the databases and of the collector. */
  privateCa?: string;
  /** How clients come in. Without it there is only the service inside of the cluster. */
  ingress?: {
    host: string;
    className?: string;
    /** Name of the secret with the certificate. */
    tlsSecret?: string;
    annotations?: Record<string, string>;
  };
  /** Whether Prometheus finds the metrics by a ServiceMonitor of its operator, else by annotations of the pods. */
  usesServiceMonitor: boolean;
  /** An OpenTelemetry collector in the cluster. */
  collector?: { url: string; port: number; namespace: Labels };
  /** Labels of the namespaces that may reach the pods, or be reached. */
  namespaces: { ingress: Labels; monitoring: Labels; dns: Labels };
  /** Ports of the name servers. */
  dnsPorts: number[];
}

export type Labels = Record<string, string>;
