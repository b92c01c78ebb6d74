import { FakeService, type FakeAnswer } from '../testing/fake-service';
import { HttpTransport, type HttpTransportOptions } from './http-transport';
import { pauseBefore, readRetryAfter, waitFor, DEFAULT_RETRY_POLICY } from './retry-policy';

const get = { method: 'GET', path: '/api/x' } as const;
let service: FakeService;
let waits: number[];

const transport = (options: Partial<HttpTransportOptions> = {}) =>
  new HttpTransport({
    baseUrl: 'https://health.example',
    fetch: service.fetch,
    wait: (ms) => {
      waits.push(ms);
      return Promise.resolve();
    },
    ...options,
  });

/** Returns the answers in turn, then repeats the last one. `null` is a broken connection. */
const answers = (...list: (FakeAnswer | null)[]) => {
  service.intercept = () => {
    const next = list.length > 1 ? list.shift()! : list[0]!;
    if (next === null) throw new TypeError('fetch failed');
    return next;
  };
};
const busy: FakeAnswer = {
  status: 503,
  body: { error: 'busy', code: 'database_unavailable' },
  headers: { 'Retry-After': '2' },
};
const fine: FakeAnswer = { status: 200, body: { ok: true } };

beforeEach(() => {
  service = new FakeService();
  waits = [];
});

describe('a request for a space', () => {
  const inSpace = { ...get, space: '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c33' };
  const refused = { error: 'There is nothing here.', code: 'not_found', request_id: 'r' };

  it.each([200, 404, 409, 410, 412])(
    'takes no answer %s of a process that does not know spaces',
    async (status) => {
      const body = status === 200 ? { ok: true } : refused;
      answers({ status, body });
      const send = (request: typeof get | typeof inSpace) =>
        transport({ retry: { attempts: 1 } }).send(request);
      await expect(send(inSpace)).rejects.toMatchObject({ code: 'service_outdated' });
      answers({ status, body, headers: { 'Health-Space': '1' } });
      const outcome = status === 200 ? { status } : { code: 'not_found', status };
      expect(await send(inSpace).catch((error: unknown) => error)).toMatchObject(outcome);
      answers({ status, body });
      expect(await send(get).catch((error: unknown) => error)).toMatchObject(outcome);
    },
  );

  it('takes what is refused before the space is looked at', async () => {
    answers({ status: 401, body: { ...refused, code: 'token_invalid' } });
    await expect(transport().send(inSpace)).rejects.toMatchObject({ code: 'token_invalid' });
  });
});

describe('repeating', () => {
  it('waits as long as a 429 or 503 asks, plus jitter, and then succeeds', async () => {
    answers(busy, { status: 429, headers: { 'Retry-After': '5' } }, fine);
    expect((await transport().send(get)).body).toEqual({ ok: true });
    expect(waits).toHaveLength(2);
    expect(waits[0]).toBeGreaterThanOrEqual(2000);
    expect(waits[0]).toBeLessThan(2300);
    expect(waits[1]).toBeGreaterThanOrEqual(5000);
  });

  it('gives up after four attempts, with the last error', async () => {
    answers(busy);
    await expect(transport().send(get)).rejects.toMatchObject({ status: 503, retryAfterSeconds: 2 });
    expect(service.requests).toHaveLength(4);
  });

  it('leaves a long wait to the caller', async () => {
    answers({
      status: 429,
      body: { error: 'No.', code: 'rate_limited' },
      headers: { 'Retry-After': '3600' },
    });
    await expect(transport().send(get)).rejects.toMatchObject({
      code: 'rate_limited',
      retryAfterSeconds: 3600,
    });
    expect(service.requests).toHaveLength(1);
  });

  it('repeats a lost create with the same body and key, and says that an attempt was lost', async () => {
    answers(null, { status: 404, body: { error: 'No.', code: 'not_found' } });
    const create = {
      method: 'POST',
      path: '/api/x',
      body: { a: 1 },
      idempotencyKey: 'k',
      replayable: true,
    } as const;
    await expect(transport().send(create)).rejects.toMatchObject({
      code: 'not_found',
      afterLostAttempt: true,
    });
    expect(new Set(service.requests.map((each) => each.text + each.headers.get('Idempotency-Key')))).toEqual(
      new Set(['{"a":1}k']),
    );
    expect(service.requests).toHaveLength(2);
  });

  it('does not repeat a login that may have been carried out, but one that was refused', async () => {
    const login = { method: 'POST', path: '/api/auth/login', body: {} } as const;
    answers(null, fine);
    await expect(transport().send(login)).rejects.toMatchObject({ code: 'network_failed' });
    answers(busy, fine);
    await expect(transport().send(login)).rejects.toMatchObject({ status: 503 });
    answers({ status: 503, body: { error: 'No.', code: 'overloaded' } }, { status: 429 }, fine);
    expect((await transport().send(login)).status).toBe(200);
  });

  it.each([400, 401, 404, 409, 412, 500])('does not repeat after %d', async (status) => {
    answers({ status, body: { error: 'no', code: 'some_code' } });
    await expect(transport().send(get)).rejects.toMatchObject({ status, code: 'some_code' });
    expect(service.requests).toHaveLength(1);
  });

  it('computes pauses with full jitter, doubling up to the cap', () => {
    const pauses = [1, 2, 3].map((attempt) => pauseBefore(DEFAULT_RETRY_POLICY, attempt, undefined, () => 1));
    expect(pauses).toEqual([300, 600, 1200]);
    expect(pauseBefore(DEFAULT_RETRY_POLICY, 1, undefined, () => 0)).toBe(0);
    expect(pauseBefore({ ...DEFAULT_RETRY_POLICY, attempts: 99 }, 20, undefined, () => 1)).toBe(10_000);
    expect(pauseBefore(DEFAULT_RETRY_POLICY, 4, undefined)).toBeUndefined();
  });

  it.each([
    ['7', 7],
    ['Wed, 01 Jan 2025 00:00:10 GMT', 10],
    ['Wed, 01 Jan 2020 00:00:00 GMT', 0],
    ['soon', undefined],
    ['-1', 0],
    ['3000000', 3600],
    ['9'.repeat(400), 3600],
    ['Fri, 31 Dec 9999 23:59:59 GMT', 3600],
  ])('reads Retry-After %p as %p', (header, seconds) => {
    expect(readRetryAfter(header, Date.UTC(2025, 0, 1))).toBe(seconds);
  });
});

it('keeps every timer in the range of the platform: a longer one would fire at once', async () => {
  const armed = jest.spyOn(globalThis, 'setTimeout');
  answers(fine);
  await transport({ timeoutMs: 3e12 }).send(get);
  const leaving = new AbortController();
  const waiting = waitFor(Number.POSITIVE_INFINITY, leaving.signal);
  const longest = Math.max(...armed.mock.calls.map(([, ms]) => ms ?? 0));
  armed.mockRestore();
  leaving.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  expect(longest).toBe(2 ** 31 - 1);
});

describe('ending', () => {
  it('times out an attempt, also while the body is read', async () => {
    service.intercept = () => new Promise(() => undefined);
    const hanging = ((_url: string, init: RequestInit) =>
      new Promise((_resolve, reject) => {
        init.signal!.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      })) as never;
    const call = transport({ fetch: hanging, timeoutMs: 10, retry: { attempts: 1 } }).send(get);
    await expect(call).rejects.toMatchObject({ code: 'timed_out' });
  });

  it('rejects with the reason of the signal, before, during and between attempts', async () => {
    const reason = new Error('the person left');
    await expect(transport().send({ ...get, signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(service.requests).toHaveLength(0);

    const during = new AbortController();
    service.intercept = () => {
      during.abort(reason);
      return fine;
    };
    await expect(transport().send({ ...get, signal: during.signal })).rejects.toBe(reason);

    const between = new AbortController();
    answers(busy);
    const waiting = transport({
      wait: (ms, signal) => {
        const waited = waitFor(ms, signal);
        between.abort(reason);
        return waited;
      },
    }).send({ ...get, signal: between.signal });
    await expect(waiting).rejects.toBe(reason);
  });
});

describe('answers', () => {
  it('gives an error answer with all its parts', async () => {
    answers({
      status: 400,
      body: {
        error: 'No.',
        code: 'validation_failed',
        details: [{ field: 'route', message: 'too long', more: 1 }, 'junk', { field: 1 }],
        request_id: 'r-7',
      },
    });
    await expect(transport().send(get)).rejects.toMatchObject({
      name: 'ApiError',
      code: 'validation_failed',
      message: 'No.',
      details: [{ field: 'route', message: 'too long' }],
      requestId: 'r-7',
    });
  });

  it.each([
    ['a page of a proxy', { status: 404, raw: '<html>' }],
    ['an empty body', { status: 410 }],
    ['an array', { status: 400, body: [1] }],
    ['members of wrong types', { status: 400, body: { error: 1, code: {}, details: 'x' } }],
    ['a code that is none', { status: 400, body: { error: 'No.', code: '<script>' } }],
    ['a code without a sentence', { status: 404, body: { code: 'not_found' } }],
    ['a sentence without a code', { status: 409, body: { error: 'No.', message: 'Old style.' } }],
    ['half of a body with 200', { status: 200, raw: '{"a":' }],
    ['a page with 200', { status: 200, raw: '<html>Log in to the wifi</html>' }],
    ['a bare value with 200', { status: 200, raw: 'true' }],
    ['null with 200', { status: 200, raw: 'null' }],
  ])('takes %s for no answer of the service', async (_what, answer) => {
    answers(answer);
    const once = transport({ retry: { attempts: 1 } });
    await expect(once.send(get)).rejects.toMatchObject({ name: 'TransportError', code: 'not_the_service' });
  });

  it.each([500, 502, 503, 504, 429, 408])('takes a bare %d for a failure that may pass', async (status) => {
    answers({ status, raw: '<html>', headers: { 'Retry-After': '3000000' } });
    const once = transport({ retry: { attempts: 1 } });
    const error = { name: 'ApiError', code: `http_${status}`, retryAfterSeconds: 3600 };
    await expect(once.send(get)).rejects.toMatchObject(error);
  });

  it('takes an empty body', async () => {
    answers({ status: 204 });
    expect((await transport().send(get)).body).toBeUndefined();
  });

  it('takes no prototype from an answer', async () => {
    answers({ status: 200, raw: '{"__proto__":{"admin":true},"a":1}' });
    const { body } = await transport().send(get);
    expect(Object.keys(body as object)).toEqual(['a']);
    expect((body as { admin?: boolean }).admin).toBeUndefined();
  });
});

it.each(['http://health.example', 'ftp://x', 'x', 'https://a:b@c', 'https://c?q'])(
  'refuses the base URL %s',
  (baseUrl) => {
    expect(() => transport({ baseUrl })).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
  },
);

it('keeps a path of the base URL', async () => {
  answers(fine);
  await transport({ baseUrl: 'http://localhost:3000/prefix/' }).send({
    ...get,
    query: { a: 'b c', d: undefined },
  });
  expect(service.requests[0].path).toBe('/prefix/api/x');
  expect(service.requests[0].query.toString()).toBe('a=b+c');
});
