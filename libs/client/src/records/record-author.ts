import { isId } from '../ids';
import { isJsonObject, type JsonObject } from '../json';
import type { RecordAuthor } from '../spaces/space-types';
import type { ServiceConnection } from './service-connection';

/** The member of the sealed fields that names who has written a state in a space. */
export const WRITER = 'by';

/** What a write seals of its writer: in a space the account, elsewhere nothing. */
export function writerIn(connection: ServiceConnection, profileId: string): { by?: string } {
  return connection.places.ofProfile(profileId) ? { [WRITER]: connection.accountId() } : {};
}

/** Who has written a state, as it was sealed. */
export function sealedWriter({ meta }: JsonObject): string | undefined {
  const by = isJsonObject(meta) ? meta[WRITER] : undefined;
  return typeof by === 'string' ? by : undefined;
}

/**
 * Who has written the newest state of a record in a space.
 * @param body as the service shows it.
 * @param sealed who has written it, as it was sealed; `null` for a kind that seals nobody.
 * @param isPending whether it waits on this device.
 * @returns nothing outside of spaces, and for what was written before the profile was shared.
 */
export function authorOf(
  connection: ServiceConnection,
  profileId: string,
  body: unknown,
  sealed: string | undefined | null,
  isPending: boolean,
): { author?: RecordAuthor } {
  if (!connection.places.ofProfile(profileId)) return {};
  const said = isJsonObject(body) && isId(body.author_id) ? body.author_id : undefined;
  const isOwn = isPending && said === undefined;
  if (sealed === null) {
    const id = isOwn ? connection.accountId() : said;
    return id === undefined ? {} : { author: { accountId: id, isCertain: false } };
  }
  if (said === undefined && sealed === undefined) return {};
  const isCertain = sealed !== undefined && (isOwn || said === sealed);
  return { author: { accountId: isCertain ? sealed : null, isCertain } };
}

/** Whether what waits on this device names its writer, where it must. */
export function isWrittenHere(
  connection: ServiceConnection,
  profileId: string,
  author: RecordAuthor | undefined,
): boolean {
  return connection.places.ofProfile(profileId) === undefined || author?.accountId === connection.accountId();
}
