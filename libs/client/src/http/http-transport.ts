import { ApiError, InvalidArgumentError, TransportError, type ApiErrorDetail } from '../errors';
import { isJsonObject, parseJson, type Json } from '../json';
import {
  DEFAULT_RETRY_POLICY,
  pauseBefore,
  readRetryAfter,
  timerMs,
  waitFor,
  type RetryPolicy,
} from './retry-policy';

/** One call of the service. */
export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below the base URL, with a leading slash. The ids in it are already checked. */
  path: string;
  query?: Record<string, string | number | undefined>;
  body?: object;
  accessToken?: string;
  idempotencyKey?: string;
  /** The revision or the entity tag, without quotes, that the stored record must have. */
  ifMatch?: number | string;
  ifNoneMatch?: string;
  acceptLanguage?: string;
  /** Of the header `Health-Space`: the id of a space, for a write with its version: `<id>;<version>`. */
  space?: string;
  signal?: AbortSignal;
  /** In milliseconds, for each attempt. */
  timeoutMs?: number;
  /**
   * Whether the request may be sent again when the service may already have executed it. Default: only GET.
   */
  replayable?: boolean;
}

/** A successful answer. */
export interface HttpAnswer {
  status: number;
  headers: Headers;
  /** `undefined` for an empty body. */
  body: Json | undefined;
  /** Whether the service may already have executed an earlier attempt, whose answer was lost. */
  afterLostAttempt: boolean;
}

/** Where the service is, and how requests are sent and repeated. */
export interface HttpTransportOptions {
  /** `https://host[:port][/prefix]`, without `/api`. */
  baseUrl: string;
  /** Default: `fetch` of the platform. */
  fetch?: typeof globalThis.fetch;
  /** In milliseconds, for each attempt; default 30,000. */
  timeoutMs?: number;
  retry?: Partial<RetryPolicy>;
  /** For tests. */
  wait?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/**
 * Sends requests, repeats those that are safe to repeat, and turns every failure into a typed error. Has no
 * session.
 */
export class HttpTransport {
  readonly baseUrl: string;
  readonly #fetch: typeof globalThis.fetch;
  readonly #timeoutMs: number;
  readonly #retry: RetryPolicy;
  readonly #wait: (ms: number, signal?: AbortSignal) => Promise<void>;

  constructor(options: HttpTransportOptions) {
    this.baseUrl = checkBaseUrl(options.baseUrl);
    // Browsers refuse a `fetch` that is called as a method of another object.
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.#timeoutMs = options.timeoutMs ?? 30_000;
    this.#retry = { ...DEFAULT_RETRY_POLICY, ...options.retry };
    this.#wait = options.wait ?? waitFor;
  }

  /**
   * @throws ApiError for an error answer, TransportError without an answer of the service; the reason of the
   * signal when aborted.
   */
  async send(request: HttpRequest): Promise<HttpAnswer> {
    // Serialised once: the service recognises a repeated create only if its body has the same bytes.
    const body = request.body === undefined ? undefined : JSON.stringify(request.body);
    const replayable = request.replayable ?? request.method === 'GET';
    let lost = false;
    for (let attempt = 1; ; attempt += 1) {
      let failure: ApiError | TransportError;
      try {
        return await this.#attempt(request, body, lost);
      } catch (error) {
        if (!(error instanceof ApiError || error instanceof TransportError)) throw error;
        failure = error;
      }
      const fate = fateOf(failure);
      if (fate === 'answered' || (fate === 'lost' && !replayable)) throw failure;
      lost ||= fate === 'lost';
      const asked = failure instanceof ApiError ? failure.retryAfterSeconds : undefined;
      const pauseMs = pauseBefore(this.#retry, attempt, asked);
      if (pauseMs === undefined) throw failure;
      await this.#wait(pauseMs, request.signal);
    }
  }

  async #attempt(request: HttpRequest, body: string | undefined, lost: boolean): Promise<HttpAnswer> {
    request.signal?.throwIfAborted();
    // AbortSignal.any is missing in some browsers that this library supports.
    const controller = new AbortController();
    const abort = () => controller.abort();
    request.signal?.addEventListener('abort', abort, { once: true });
    let timedOut = false;
    const timer = setTimeout(
      () => {
        timedOut = true;
        controller.abort();
      },
      timerMs(request.timeoutMs ?? this.#timeoutMs),
    );
    try {
      const init = {
        method: request.method,
        headers: headersOf(request, body !== undefined),
        ...(body === undefined ? {} : { body }),
        signal: controller.signal,
        cache: 'no-store' as const,
        credentials: 'omit' as const,
        redirect: 'error' as const,
        referrerPolicy: 'no-referrer' as const,
      };
      const response = await this.#fetch(this.#urlOf(request), init);
      if (request.space !== undefined && !isOfSpace(response)) throw outdated();
      const text = await response.text();
      return readAnswer(response, text, lost);
    } catch (cause) {
      if (cause instanceof ApiError || cause instanceof TransportError) throw cause;
      if (timedOut) throw new TransportError('timed_out', 'The service did not answer in time.', { cause });
      request.signal?.throwIfAborted();
      throw new TransportError('network_failed', 'The service could not be reached.', { cause });
    } finally {
      clearTimeout(timer);
      request.signal?.removeEventListener('abort', abort);
    }
  }

  #urlOf(request: HttpRequest): string {
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) query.set(name, String(value));
    }
    const text = query.toString();
    return `${this.baseUrl}${request.path}${text === '' ? '' : `?${text}`}`;
  }
}

/**
 * Whether the service executed the call: `refused` (certainly not, may be repeated), `lost` (unknown),
 * `answered` (a repeat changes nothing).
 */
function fateOf(failure: ApiError | TransportError): 'refused' | 'lost' | 'answered' {
  if (failure instanceof TransportError) return 'lost';
  if (failure.status === 429 || (failure.status === 503 && failure.code === 'overloaded')) return 'refused';
  // A gateway time-out, or a database connection that was lost, perhaps after the commit.
  return failure.status === 502 || failure.status === 503 || failure.status === 504 ? 'lost' : 'answered';
}

function checkBaseUrl(baseUrl: string): string {
  let url: URL;
  try {
    url = new URL(baseUrl);
  } catch {
    throw new InvalidArgumentError('The base URL is not a URL.');
  }
  const local = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (!(url.protocol === 'https:' || (url.protocol === 'http:' && local))) {
    throw new InvalidArgumentError('The base URL must be https (http only on this machine).');
  }
  if (url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') {
    throw new InvalidArgumentError('The base URL must be an origin with an optional path.');
  }
  return url.href.replace(/\/+$/, '');
}

function headersOf(request: HttpRequest, hasBody: boolean): Record<string, string> {
  return {
    Accept: 'application/json',
    ...(hasBody ? { 'Content-Type': 'application/json' } : {}),
    ...(request.accessToken === undefined ? {} : { Authorization: `Bearer ${request.accessToken}` }),
    ...(request.idempotencyKey === undefined ? {} : { 'Idempotency-Key': request.idempotencyKey }),
    ...(request.ifMatch === undefined ? {} : { 'If-Match': `"${request.ifMatch}"` }),
    ...(request.ifNoneMatch === undefined ? {} : { 'If-None-Match': request.ifNoneMatch }),
    ...(request.acceptLanguage === undefined ? {} : { 'Accept-Language': request.acceptLanguage }),
    ...(request.space === undefined ? {} : { 'Health-Space': request.space }),
  };
}

function readAnswer(response: Response, text: string, lost: boolean): HttpAnswer {
  const { status, headers } = response;
  if (!response.ok && status !== 304) throw readApiError(response, text, lost);
  let body: Json | undefined;
  try {
    body = text === '' ? undefined : parseJson(text);
  } catch (cause) {
    throw notTheService({ cause });
  }
  // Every body of the service is an object or a list.
  if (body !== undefined && (typeof body !== 'object' || body === null)) throw notTheService();
  return { status, headers, body, afterLostAttempt: lost };
}

/** What the service answers after it has looked for the space. Other failures may come before. */
const SPACE_STATUSES = [304, 404, 409, 410, 412];

/** Whether an answer is for the space of the request. A process that does not know spaces answers for the account. */
function isOfSpace({ ok, status, headers }: Response): boolean {
  return headers.has('Health-Space') || !(ok || SPACE_STATUSES.includes(status));
}

/** A process of before shared profiles has answered. Behind a balancer the next one may be another. */
export function outdated(): TransportError {
  const message = 'A process of the service does not know shared profiles yet.';
  return new TransportError('service_outdated', message);
}

function notTheService(options?: { cause?: unknown }): TransportError {
  return new TransportError('not_the_service', 'Something else answered in place of the service.', options);
}

/** Failures that say nothing of the request, whoever sends them. */
const LATER_STATUSES = [408, 425, 429];

/**
 * The service gives each error a code and a sentence. Without them, the answer comes from a portal or a proxy: it says
 * nothing of the request, whose record may well exist. Only a status that asks to come again counts then.
 */
function readApiError(response: Response, text: string, lost: boolean): ApiError | TransportError {
  let body: Json = null;
  try {
    body = parseJson(text);
  } catch {
    // The body is a page of a proxy. The status is enough.
  }
  const member = (name: string) =>
    isJsonObject(body) && typeof body[name] === 'string' ? body[name] : undefined;
  const listed = isJsonObject(body) && Array.isArray(body.details) ? body.details : [];
  const details = listed.flatMap((detail): ApiErrorDetail[] =>
    isJsonObject(detail) && typeof detail.field === 'string' && typeof detail.message === 'string'
      ? [{ field: detail.field, message: detail.message }]
      : [],
  );
  const { status } = response;
  const [code, message] = [member('code'), member('error')];
  const isOwn = code !== undefined && /^[a-z0-9_]{1,64}$/.test(code) && message !== undefined;
  if (!isOwn && status < 500 && !LATER_STATUSES.includes(status)) return notTheService();
  const requestId = member('request_id');
  const retryAfterSeconds = readRetryAfter(response.headers.get('Retry-After'));
  return new ApiError({
    status,
    code: isOwn ? code : `http_${status}`,
    message: isOwn ? message : `The service answered ${status}.`,
    details,
    ...(requestId === undefined ? {} : { requestId }),
    ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    afterLostAttempt: lost,
    body,
  });
}
