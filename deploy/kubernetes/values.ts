/** What differs between clusters. Write your own file beside those in `values/`. */
export interface Values {
  /** The image, with its tag or digest. */
  image: string;
  /** Pods. With `atMost` above `atLeast`, their number follows the use of CPU. */
  replicas: { atLeast: number; atMost: number };
  /**
   * Name of the secret with the files `database-url`, `jwt-secret`, `decoy-secret` and `second-step-secret`. It ends with a number: a change of it
   * is the secret with the next number. See `secret.ts`.
   */
  secretName: string;
  /** While `JWT_SECRET` is being replaced: the secret also has `jwt-secret-previous`. */
  hasPreviousJwtSecret?: boolean;
  /** The same for `SECOND_STEP_SECRET` and `second-step-secret-previous`. */
  hasPreviousSecondStepSecret?: boolean;
  /** Whether there are reminders: the secret also has `vapid-private-key`. */
  hasVapidKey?: boolean;
  /** Mail to people: the secret also has `smtp-url`. `port` is that of the mail server, for the network policy. */
  mail?: { from: string; port: number; networks?: string[] };
  /** Whether reads use a replica: the secret also has `database-replica-url`. */
  usesReplicaDatabase: boolean;
  /** Who may register. `invite` needs a code of the operator. */
  signups: 'closed' | 'invite' | 'open';
  /** Whether pods migrate the database at their start, or a job does, and they wait for it. */
  migrations: 'at-start' | 'job';
  /** Backups on a volume. Without them your database has backups of its own; see docs/production.md. */
  backups?: {
    /** Name of a claim of `ReadWriteMany`: two of the jobs may run at once. */
    claim: string;
    /** As of cron, in UTC. */
    schedule: string;
    keepDays: number;
    rehearsalSchedule: string;
    /** Room for a copy of the database while a restore is tried. */
    rehearsalSize: string;
  };
  /** Ports of the databases, for the network policy. */
  databasePorts: number[];
  /** Networks of the databases, such as `10.0.7.0/24`. Without them the ports are open to every address. */
  databaseNetworks?: string[];
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
