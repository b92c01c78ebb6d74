/** See pgbouncer.js: plain JavaScript, since the global setup needs it too. */
export interface Program {
  executablePath: string;
  env: Record<string, string>;
}

/** Installs it where it is missing; `undefined`, with a sentence on standard error, where that fails outside of CI. */
export function pgBouncerProgram(): Program | undefined;

/** PgBouncer in transaction mode on a port of loopback, in front of every database of one cluster. */
export class PgBouncer {
  /**
   * @param poolSize connections to PostgreSQL for each database.
   * @param waitSeconds how long a statement waits for one of them, 0 for ever; by default 5, where PgBouncer's own is 120.
   */
  static start(
    program: Program,
    clusterUrl: string,
    poolSize: number,
    waitSeconds?: number,
  ): Promise<PgBouncer>;
  /** The same database by way of PgBouncer. */
  urlTo(databaseUrl: string): string;
  /** Starts it again after `kill`, on the same port. */
  start(): Promise<void>;
  /** Ends it at once, with every connection. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}
