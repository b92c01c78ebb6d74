import { isJsonObject } from '../json';
import { isInterrupted, isOwnAnswer, isTemporary, statusOf } from './failures';
import type { LocalCopy } from './local-copy';
import type { OfflineHost } from './offline-host';
import { recordKey, type AsideRecord, type CachedRecord, type WireBody } from './offline-rows';

/** The most records of one page. */
const MAX_DOSES = 1000;

/**
 * Asks the service for one record.
 * @param lists the lists of doses that were asked for already, by their paths.
 * @returns the state that it shows, unchecked; `undefined` for none, `null` where it cannot be asked.
 * @throws all temporary errors.
 */
export async function askFor(
  host: OfflineHost,
  copy: LocalCopy,
  { kind, id, body }: Pick<AsideRecord, 'kind' | 'id' | 'body'>,
  lists = new Map<string, Promise<unknown>>(),
): Promise<WireBody | undefined | null> {
  const known = copy.get<CachedRecord>(recordKey(kind, id))?.body ?? body;
  // The route of a dose follows from its medication.
  if (kind === 'dose' && !known) return null;
  const route = host.kindOf(kind)?.routeOf(known ?? {});
  if (!route) return null;
  if (route.parent) {
    const list = lists.get(route.path) ?? listDoses(host, route.path);
    lists.set(route.path, list);
    return findDose(await list, id);
  }
  try {
    const answer = await host.send({ method: 'GET', path: `${route.path}/${id}` });
    return isJsonObject(answer.body) ? answer.body : null;
  } catch (error) {
    if (isOwnAnswer(error) && statusOf(error) === 404) return undefined;
    if (isTemporary(error) || isInterrupted(error)) throw error;
    return null;
  }
}

/** A dose has no route of its own. */
export async function askForDose(
  host: OfflineHost,
  path: string,
  id: string,
): Promise<WireBody | undefined | null> {
  return findDose(await listDoses(host, path), id);
}

/** @returns `null` where the list does not reach as far as the dose. */
function findDose(list: unknown, id: string): WireBody | undefined | null {
  if (!Array.isArray(list)) return null;
  const found: unknown = list.find((each) => isJsonObject(each) && each.id === id);
  if (isJsonObject(found)) return found;
  return list.length < MAX_DOSES ? undefined : null;
}

/** The newest doses of a medication. */
async function listDoses(host: OfflineHost, path: string): Promise<unknown> {
  try {
    return (await host.send({ method: 'GET', path, query: { limit: MAX_DOSES } })).body;
  } catch (error) {
    if (isTemporary(error) || isInterrupted(error)) throw error;
    return null;
  }
}
