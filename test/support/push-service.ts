import { createECDH, createPublicKey, type ECDH, randomBytes, randomUUID, verify } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { decrypt } from 'http_ece';
import { generate } from 'selfsigned';
import { until } from './until';

/** A message as a browser reads it. */
export interface ReceivedMessage {
  payload: any;
  headers: IncomingMessage['headers'];
  at: number;
}

/** A browser that has subscribed at the push service. */
export interface PushBrowser {
  /** The body of `PUT /api/push/subscriptions/:id`. */
  subscription: { endpoint: string; p256dh: string; auth: string; label: string };
  received: ReceivedMessage[];
  /** The messages so far, and at least so many. */
  messages(atLeast?: number): Promise<any[]>;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

export interface PushService {
  /** For `PUSH_SERVICES`. */
  host: string;
  /** Its certificate, which nobody has signed. */
  certificate: string;
  subscribe(label?: string): PushBrowser;
  /** Requests that came, delivered or not. */
  requests: number;
  /** Answers in this way from now on; without it, as a push service does. */
  answer: Answer | undefined;
  close(): Promise<void>;
}

/**
 * A push service on a free port of loopback: it checks who sends (RFC 8292) and opens each message with the keys of the
 * browser (RFC 8291).
 */
export async function openPushService(): Promise<PushService> {
  const hour = 60 * 60 * 1000;
  const { cert, private: key } = await generate([{ name: 'commonName', value: '127.0.0.1' }], {
    notBeforeDate: new Date(Date.now() - hour),
    notAfterDate: new Date(Date.now() + 24 * hour),
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  });
  const browsers = new Map<string, { keys: ECDH; auth: Buffer; received: ReceivedMessage[] }>();
  const service = {
    requests: 0,
    answer: undefined as Answer | undefined,
  };
  const server = createServer({ cert, key }, (request, response) => {
    service.requests++;
    void receive(request, response).catch((error: Error) => response.writeHead(400).end(error.message));
  });

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request);
    if (service.answer) return service.answer(request, response);
    const browser = browsers.get(request.url!);
    if (!browser) return void response.writeHead(410).end();
    assertSender(request.headers.authorization ?? '', `https://${host}`);
    const opened = decrypt(body, {
      version: request.headers['content-encoding'],
      privateKey: browser.keys,
      authSecret: browser.auth.toString('base64url'),
    });
    const payload = JSON.parse(opened.toString());
    browser.received.push({ payload, headers: request.headers, at: Date.now() });
    response.writeHead(201).end();
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const subscribe = (label = 'A browser'): PushBrowser => {
    const keys = createECDH('prime256v1');
    const p256dh = keys.generateKeys().toString('base64url');
    const browser = { keys, auth: randomBytes(16), received: [] as ReceivedMessage[] };
    const path = `/${randomUUID()}`;
    browsers.set(path, browser);
    const { received } = browser;
    return {
      subscription: {
        endpoint: `https://${host}${path}`,
        p256dh,
        auth: browser.auth.toString('base64url'),
        label,
      },
      received,
      messages: async (atLeast = 0) => {
        await until(`${atLeast} messages`, async () => received.length >= atLeast);
        return received.map(({ payload }) => payload);
      },
    };
  };
  return Object.assign(service, {
    host,
    certificate: cert,
    subscribe,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

/** @throws Error unless the sender has signed for this push service with the key that it names. */
function assertSender(authorization: string, audience: string): void {
  const [, header, payload, signature, key] =
    /^vapid t=([\w-]+)\.([\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(authorization) ?? [];
  if (key === undefined) throw new Error('no VAPID header');
  const point = Buffer.from(key, 'base64url');
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  };
  const publicKey = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  const isSigned = verify(
    'sha256',
    Buffer.from(`${header}.${payload}`),
    publicKey,
    Buffer.from(signature, 'base64url'),
  );
  const { aud, exp, sub } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, any>;
  const isTimely = exp * 1000 > Date.now() && exp * 1000 < Date.now() + 24 * 60 * 60 * 1000;
  if (!isSigned || aud !== audience || !isTimely || !/^(https:|mailto:)/.test(sub))
    throw new Error('wrong VAPID token');
}
