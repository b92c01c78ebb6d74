import { LIMITS } from './options.mjs';

/** What no two writes share. */
const OWN = /"(id|created_at|updated_at|recorded_at)":"[^"]*"|"revision":\d+/g;

/**
 * Asks every server for the first of a row's requests, before anything is timed.
 *
 * @throws Error where one fails, lists another number of records, or where the limit's answer is not the service's, byte
 *   for byte (but for ids and times of a write).
 */
export async function assertSameAnswer(row, service, servers, requestsOf) {
  const expected = await answerOf(service, await requestsOf(service));
  for (const server of servers) {
    const answer = await answerOf(server, await requestsOf(server));
    if (row.items) assertItems(row, server, answer);
    if (!LIMITS.includes(server.name)) continue;
    const [theirs, ours] = [answer, expected].map((text) => (row.writes ? text.replace(OWN, '$1') : text));
    if (theirs !== ours)
      throw new Error(
        `${row.id}: the ${server.name} limit answers\n${theirs}\nwhere the service answers\n${ours}`,
      );
  }
}

async function answerOf(server, requests) {
  const { path, refreshToken: _, ...request } = requests[0];
  const response = await fetch(server.url + path, request);
  const text = await response.text();
  if (!response.ok) throw new Error(`${server.name} answered ${path} with ${response.status}: ${text}`);
  return text;
}

function assertItems(row, server, text) {
  const body = JSON.parse(text);
  const count = (body.results ?? body).length;
  if (count !== row.items)
    throw new Error(`${row.id}: ${server.name} listed ${count} records, not ${row.items}.`);
}
