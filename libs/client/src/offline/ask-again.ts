import { isJsonObject } from '../json';
import { isInterrupted, isOwnAnswer, isTemporary, statusOf } from './failures';
import type { LocalCopy } from './local-copy';
import type { OfflineHost } from './offline-host';
import { recordKey, type AsideRecord, type CachedRecord, type WireBody } from './offline-rows';

/**
 * Asks the service for one record.
 * @returns the state that it shows, unchecked; `undefined` for none, `null` where it cannot be asked.
 * @throws all temporary errors.
 */
export async function askFor(
  host: OfflineHost,
  copy: LocalCopy,
  { kind, id, body }: Pick<AsideRecord, 'kind' | 'id' | 'body'>,
): Promise<WireBody | undefined | null> {
  const known = copy.get<CachedRecord>(recordKey(kind, id))?.body ?? body;
  // The route of a dose follows from its medication.
  if (kind === 'dose' && !known) return null;
  const route = host.kindOf(kind)?.routeOf(known ?? {});
  if (!route) return null;
  if (route.parent) return askForDose(host, route.path, id);
  try {
    const answer = await host.send({ method: 'GET', path: `${route.path}/${id}` });
    return isJsonObject(answer.body) ? answer.body : null;
  } catch (error) {
    if (isOwnAnswer(error) && statusOf(error) === 404) return undefined;
    if (isTemporary(error) || isInterrupted(error)) throw error;
    return null;
  }
}

/** A dose has no route of its own: its list shows the newest first. @returns `null` where it is not there. */
export async function askForDose(host: OfflineHost, path: string, id: string): Promise<WireBody | null> {
  try {
    const { body } = await host.send({ method: 'GET', path, query: { limit: 1000 } });
    const found = Array.isArray(body) ? body.find((each) => isJsonObject(each) && each.id === id) : null;
    return isJsonObject(found) ? found : null;
  } catch (error) {
    if (isTemporary(error) || isInterrupted(error)) throw error;
    return null;
  }
}
