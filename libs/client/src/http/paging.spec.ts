import { nextCursor, pages } from './paging';
import type { HttpRequest } from './http-transport';

const base = 'https://health.example/prefix';

it.each([
  ['</api/x?cursor=abc&limit=2>; rel="next"', 'abc'],
  ['<https://elsewhere.example/steal?cursor=abc>; rel=next', 'abc'],
  ['</a?cursor=1>; rel="prev", </a?cursor=2>; rel="last next"; title="a, b"', '2'],
  ['</a?cursor=1>; rel="nextish"', undefined],
  ['</a?cursor=1>; rel="prev"', undefined],
  ['', undefined],
  [null, undefined],
])('reads %p as %p', (link, cursor) => {
  expect(nextCursor(link, base)).toBe(cursor);
});

it('refuses a link without a cursor', () => {
  expect(() => nextCursor('</a>; rel="next"', base)).toThrow(
    expect.objectContaining({ code: 'protocol_violation' }),
  );
});

const service = (links: (string | null)[], bodies: unknown[]) => {
  const requests: HttpRequest[] = [];
  const send = (request: HttpRequest) => {
    const at = requests.push(request) - 1;
    const headers = new Headers(links[at] ? { Link: links[at] } : {});
    return Promise.resolve({ status: 200, headers, body: bodies[at] as never, afterLostAttempt: false });
  };
  return { requests, send };
};
const request: HttpRequest = { method: 'GET', path: '/api/x', query: { profile_id: 'p' } };

it('fetches pages as they are consumed, always from our own path', async () => {
  const { requests, send } = service(['<https://evil.example/?cursor=c1>; rel="next"', null], [[1, 2], [3]]);
  const all: unknown[] = [];
  for await (const page of pages(send, request, base, 2)) {
    expect(requests).toHaveLength(all.length === 0 ? 1 : 2);
    all.push(...page);
  }
  expect(all).toEqual([1, 2, 3]);
  expect(requests[1]).toEqual({ ...request, query: { profile_id: 'p', limit: 2, cursor: 'c1' } });
});

it('refuses pages in a circle and a list that is none', async () => {
  const circle = service(Array(99).fill('</a?cursor=c>; rel="next"'), Array(99).fill([]));
  const consume = async (send: typeof circle.send) => {
    for await (const page of pages(send, request, base)) void page;
  };
  await expect(consume(circle.send)).rejects.toMatchObject({ code: 'protocol_violation' });
  expect(circle.requests).toHaveLength(2);
  await expect(consume(service([null], [{ length: 1 }]).send)).rejects.toMatchObject({
    code: 'protocol_violation',
  });
});

it('ends a list that never ends, soon where its pages bring nothing', async () => {
  const links = Array.from({ length: 99 }, (_, at) => `</a?cursor=${at}>; rel="next"`);
  const endless = service(links, Array(99).fill([]));
  jest.useFakeTimers();
  const consume = (async () => {
    for await (const page of pages(endless.send, request, base)) void page;
  })();
  const ended = expect(consume).rejects.toMatchObject({ code: 'protocol_violation' });
  await jest.advanceTimersByTimeAsync(120_000);
  await ended;
  jest.useRealTimers();
  expect(endless.requests.length).toBeLessThan(12);
});
