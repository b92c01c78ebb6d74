import { ProtocolError } from '../errors';
import { readArray } from './object-reader';
import type { HttpAnswer, HttpRequest } from './http-transport';
import { PacedLoop } from './paced-loop';

/** The default number of records on a page. */
export const DEFAULT_PAGE_SIZE = 200;

/**
 * The cursor of the next page in a Link header; `undefined` on the last page. Only the cursor is used: an
 * address from an answer could send the token to another host. Source: RFC 8288.
 */
export function nextCursor(link: string | null, baseUrl: string): string | undefined {
  if (link === null) return undefined;
  for (const [, target, parameters] of link.matchAll(/<([^>]*)>((?:\s*;\s*[^,;"]*(?:"[^"]*")?)*)/g)) {
    if (!/;\s*rel\s*=\s*(?:next(?=$|[\s;,])|"(?:[^"]*\s)?next(?:\s[^"]*)?")/i.test(parameters ?? ''))
      continue;
    let cursor: string | null | undefined;
    try {
      cursor = new URL(target, `${baseUrl}/`).searchParams.get('cursor');
    } catch {
      // It is not a URL, so it has none.
    }
    if (!cursor) throw new ProtocolError('The link to the next page has no cursor.');
    return cursor;
  }
  return undefined;
}

/**
 * The elements of a list. Pages are fetched during the iteration.
 * @throws ProtocolError for an answer that is not a list, or for pages that have no end.
 */
export async function* pages(
  send: (request: HttpRequest) => Promise<HttpAnswer>,
  request: HttpRequest,
  baseUrl: string,
  pageSize: number = DEFAULT_PAGE_SIZE,
): AsyncGenerator<unknown[], void, undefined> {
  const seen = new Set<string>();
  const loop = new PacedLoop();
  let cursor: string | undefined;
  do {
    const answer = await send({ ...request, query: { ...request.query, limit: pageSize, cursor } });
    const next = nextCursor(answer.headers.get('Link'), baseUrl);
    const page = readArray(answer.body, 'list');
    yield page;
    if (next !== undefined && seen.has(next)) throw new ProtocolError('The pages of a list go in a circle.');
    if (next !== undefined) seen.add(next);
    if (next !== undefined) await loop.again(page.length > 0, request.signal);
    cursor = next;
  } while (cursor !== undefined);
}
