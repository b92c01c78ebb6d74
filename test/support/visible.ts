import type { Answer } from './api';

/** All that a caller sees of an answer, but for what differs between any two: two answers that are equal tell nothing. */
export function visible({ status, headers, body }: Answer): object {
  const { request_id: requestId, ...rest } = (body ?? {}) as Record<string, unknown>;
  if (status >= 400) expect(requestId).toBe(headers.get('x-request-id'));
  const own = ['x-request-id', 'date'];
  return { status, body: rest, headers: [...headers].filter(([name]) => !own.includes(name)) };
}
