import { channel } from 'node:diagnostics_channel';

/**
 * What the service tells about its own work while it runs. Metrics and traces listen. Without a listener,
 * telling costs one comparison.
 *
 * Source: Node's `diagnostics_channel`. The channels have the names `health-records-service:<name>`.
 *
 * Security: a message holds names from the source code, numbers and booleans, and never a value of a request.
 */
export class Observation<Message extends object> {
  private readonly channel;

  constructor(name: string) {
    this.channel = channel(`health-records-service:${name}`);
  }

  get isObserved(): boolean {
    return this.channel.hasSubscribers;
  }

  tell(message: Message): void {
    if (this.channel.hasSubscribers) this.channel.publish(message);
  }

  /** @returns ends the subscription. */
  listen(listener: (message: Message) => void): () => void {
    const receive = (message: unknown) => listener(message as Message);
    this.channel.subscribe(receive);
    return () => void this.channel.unsubscribe(receive);
  }
}

/** One run of a statement on a connection. Times are milliseconds of `performance.now()`. */
export interface StatementRun {
  /** The name of the statement in the source code. */
  name: string;
  startedAt: number;
  endedAt: number;
  isFailed: boolean;
}

/** One hash of a secret. Times are milliseconds of `performance.now()`. */
export interface HashRun {
  askedAt: number;
  /** Absent if the hash was refused, because too many waited or it waited for too long. */
  startedAt: number | undefined;
  endedAt: number;
}

export interface LimitDecision {
  /** The name of a policy or of a queue; see docs/limits.md. */
  limit: string;
  isRefused: boolean;
}

/** One read that could use the replica. */
export interface ReplicaRead {
  /** Who answered. The primary also answers what the replica does not find. */
  from: 'replica' | 'primary';
}

/** One try to send a mail. */
export interface MailAttempt {
  /** `delayed`: it is tried again. `refused` by the mail server. `dropped`: too many waited, or one for too long. */
  result: 'sent' | 'delayed' | 'refused' | 'dropped';
}

/** One try to send a message by a push service, or a message that came too late to be sent. */
export interface PushTry {
  /** `delayed`: it is tried again. `gone`: the browser takes no more. `refused` by the push service. `missed`: too late. */
  result: 'sent' | 'delayed' | 'gone' | 'refused' | 'missed';
}

/** A try of a secret that has to wait, because strangers have tried many wrong ones. */
export interface SlowedSecret {
  seconds: number;
}

export const STATEMENT_RUNS = new Observation<StatementRun>('statement');
export const HASH_RUNS = new Observation<HashRun>('hash');
export const LIMIT_DECISIONS = new Observation<LimitDecision>('limit');
export const REPLICA_READS = new Observation<ReplicaRead>('replica-read');

export const SLOWED_SECRETS = new Observation<SlowedSecret>('slowed-secret');
export const MAIL_ATTEMPTS = new Observation<MailAttempt>('mail');
export const PUSH_MESSAGES = new Observation<PushTry>('push');

/** Runs `work`, which sends a statement, and tells of it. It rejects with the errors of `work`. */
export function observedStatement<T>(name: string, work: () => Promise<T>): Promise<T> {
  return STATEMENT_RUNS.isObserved ? toldStatement(name, work) : work();
}

async function toldStatement<T>(name: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  let isFailed = true;
  try {
    const result = await work();
    isFailed = false;
    return result;
  } finally {
    STATEMENT_RUNS.tell({ name, startedAt, endedAt: performance.now(), isFailed });
  }
}
