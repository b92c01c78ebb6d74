import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ServiceError } from '@app/common';
import { PUSH_MESSAGES } from '@app/common/observation';
import { type Secrets, SECRETS, ServiceConfig, vapidPublicKeyOf } from '@app/config';
import type { RequestDetails } from 'web-push';
import type { PushSubscriptionEntity } from './entities/push-subscription.entity';
import { isPushEndpoint, lookupPublic } from './push-endpoints.rule';

export type PushTarget = Pick<PushSubscriptionEntity, 'endpoint' | 'p256dh' | 'auth'>;

/** `gone`: the browser takes no more messages. `delayed`: try again. `refused`: another try makes no difference. */
export type PushResult =
  { result: 'sent' | 'gone' | 'refused' } | { result: 'delayed'; retryAfterSeconds: number };

export interface PushMessage {
  /** For the service worker of the page. */
  payload: object;
  /** How long the push service keeps it for a device that is not connected. */
  ttlSeconds: number;
  /** A message replaces an earlier one with the same topic that has not arrived. At most 32 characters. */
  topic?: string;
}

/** Of one push service: for a connection, and for its answer. */
const TIMEOUT_MS = 10_000;
const CONNECTIONS = 8;
/** After a failure of a push service no message goes there for this time. It doubles with each further failure. */
const PAUSE_SECONDS = 15;
/** After a failure that concerns one browser. */
const RETRY_SECONDS = 30;
const MAX_PAUSE_SECONDS = 600;

interface Pause {
  seconds: number;
  until: number;
}

/**
 * Sends messages by the push services of browsers. Source: RFC 8030, RFC 8291, RFC 8292.
 *
 * Security: a message is encrypted for the browser, and what it holds of records was sealed by the device before.
 */
@Injectable()
export class PushSender implements OnApplicationShutdown {
  /** `undefined` if there are no messages. For `applicationServerKey` of a browser: base64url. */
  readonly publicKey: string | undefined;
  private readonly agents = {
    known: new Agent({ keepAlive: true, maxSockets: CONNECTIONS, lookup: lookupPublic }),
    /** The operator trusts a service of the own network. */
    added: new Agent({ keepAlive: true, maxSockets: CONNECTIONS }),
  };
  /** By the origin of the push service. There are few, because all are known. */
  private readonly pauses = new Map<string, Pause>();

  constructor(
    private readonly config: ServiceConfig,
    @Inject(SECRETS) private readonly secrets: Secrets,
  ) {
    const { vapidPrivateKey } = secrets;
    if (config.push && config.webOrigin !== undefined && vapidPrivateKey !== undefined)
      this.publicKey = vapidPublicKeyOf(vapidPrivateKey);
  }

  onApplicationShutdown(): void {
    for (const agent of Object.values(this.agents)) agent.destroy();
  }

  /** @throws ServiceError `push_off`. */
  assertOn(): string {
    if (this.publicKey === undefined) throw new ServiceError('push_off');
    return this.publicKey;
  }

  accepts(endpoint: string): boolean {
    return isPushEndpoint(endpoint, this.config.pushServices);
  }

  async send(target: PushTarget, message: PushMessage): Promise<PushResult> {
    const result = await this.trySend(target, message);
    PUSH_MESSAGES.tell({ result: result.result });
    return result;
  }

  private async trySend(target: PushTarget, message: PushMessage): Promise<PushResult> {
    // The operator may have taken a service away since.
    if (!this.accepts(target.endpoint)) return { result: 'refused' };
    const { host, origin } = new URL(target.endpoint);
    const pause = this.pauses.get(origin);
    if (pause && pause.until > Date.now()) return delayed(Math.ceil((pause.until - Date.now()) / 1000));
    const agent = this.config.pushServices.includes(host) ? this.agents.added : this.agents.known;
    try {
      const answer = await post(await this.detailsOf(target, message), agent);
      if (answer.status === 503) return this.pause(origin, answer.retryAfterSeconds);
      this.pauses.delete(origin);
      return resultOf(answer);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPRIVATE'
        ? { result: 'refused' }
        : this.pause(origin);
    }
  }

  private async detailsOf({ endpoint, ...keys }: PushTarget, message: PushMessage): Promise<RequestDetails> {
    // Loaded with the first message: most processes of a small service send none.
    const { default: webPush } = await import('web-push');
    return webPush.generateRequestDetails({ endpoint, keys }, JSON.stringify(message.payload), {
      vapidDetails: {
        subject: subjectOf(this.config.webOrigin!),
        publicKey: this.publicKey!,
        privateKey: this.secrets.vapidPrivateKey!,
      },
      TTL: message.ttlSeconds,
      urgency: 'high',
      ...(message.topic === undefined ? {} : { topic: message.topic }),
    });
  }

  private pause(origin: string, askedSeconds?: number): PushResult {
    const before = this.pauses.get(origin)?.seconds ?? PAUSE_SECONDS / 2;
    const seconds = Math.min(MAX_PAUSE_SECONDS, askedSeconds ?? before * 2);
    this.pauses.set(origin, { seconds, until: Date.now() + seconds * 1000 });
    return delayed(seconds);
  }
}

interface PushAnswer {
  status: number;
  retryAfterSeconds?: number;
}

/**
 * Sends the request that web-push has made. Its own sending has no limit for the time and the size of an answer.
 *
 * @throws the errors of the connection.
 */
async function post({ endpoint, method, headers, body }: RequestDetails, agent: Agent): Promise<PushAnswer> {
  const sent = request(endpoint, { method, headers, agent, signal: AbortSignal.timeout(TIMEOUT_MS) });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  // The rest of the answer says nothing. A connection that is not read to its end is not used again.
  answer.on('error', ignore).resume();
  const asked = Number(answer.headers['retry-after']);
  return { status: answer.statusCode!, ...(asked > 0 && { retryAfterSeconds: Math.ceil(asked) }) };
}

function ignore(): void {
  // The status is known already.
}

/** What concerns one browser only. */
function resultOf({ status, retryAfterSeconds }: PushAnswer): PushResult {
  if (status >= 200 && status < 300) return { result: 'sent' };
  if (status === 404 || status === 410) return { result: 'gone' };
  const isTemporary = status === 408 || status === 429 || status >= 500;
  return isTemporary ? delayed(retryAfterSeconds ?? RETRY_SECONDS) : { result: 'refused' };
}

function delayed(seconds: number): PushResult {
  return { result: 'delayed', retryAfterSeconds: Math.min(MAX_PAUSE_SECONDS, seconds) };
}

/** Where a push service finds the operator. No push service takes the origin of a developer's machine. */
function subjectOf(webOrigin: string): string {
  return webOrigin.startsWith('https:') ? webOrigin : 'mailto:operator@localhost';
}
