import { ifAny, MissingRecordsError, type RecordReference } from '../errors';
import { ObjectReader } from '../http/object-reader';
import type { ListedRecord } from './heads';
import type { PageOptions } from './record-types';
import type { RecordRoute, WireRecord } from './record-gateway';
import type { ServiceConnection } from './service-connection';
import type { Sighting } from './session-ledger';

/** The most missing records that are requested one by one. More requests would not change the verdict. */
const MAX_PROBES = 5;

/** A list and the data to check its completeness. */
export interface ListRequest<T extends { id: string }> {
  kind: string;
  route: RecordRoute;
  /** Query parameters of the service. */
  query: Record<string, string | undefined>;
  options: PageOptions;
  /** Makes a record from an element; `undefined` omits it from the result. */
  read: (element: WireRecord, mark: number) => Promise<{ id: string; record: T | undefined }>;
  /** Whether a known record belongs in this list; `undefined` when the client cannot know it. */
  matches: ((sighting: Readonly<Sighting>) => boolean) | undefined;
  /** Whether a missing record can be requested by its id. */
  canProbe: boolean;
}

/**
 * The records of a list. Pages are fetched during the iteration. After the last record, the list is compared
 * with the sealed heads, and with the records that this session has seen: an event reports those that the service no
 * longer has. If the consumer stops early, there is no such check.
 * @throws MissingRecordsError, IntegrityError, ProtocolError, ApiError
 */
export async function* completeList<T extends { id: string }>(
  connection: ServiceConnection,
  list: ListRequest<T>,
): AsyncGenerator<T, void, undefined> {
  const mark = connection.ledger.mark();
  const listed = new Set<string>();
  for await (const page of connection.records.list(list.route, list.query, list.options)) {
    for (const { id, record } of await Promise.all(page.map((element) => list.read(element, mark)))) {
      listed.add(id);
      if (record) yield record;
    }
  }
  const { signal } = list.options;
  if (list.kind === 'profile' && !connection.records.isDeferred) connection.heads.noteProfiles(listed);
  await connection.heads.rememberNoted((ownerId) => connection.ownerKeyOf(ownerId, signal));
  if (!list.matches) return;
  const withheld = await withheldFrom(connection, list, listed);
  for (const { id } of withheld) listed.add(id);
  const absent = [...withheld, ...connection.ledger.missing(list.kind, listed, mark, list.matches)];
  if (absent.length === 0) return;
  const { missing, proven } = await probe(connection, list, absent);
  if (missing.length === 0) return;
  const forget = () => {
    for (const reference of missing) {
      connection.ledger.forget(reference);
      connection.ledger.forgetChildren(reference.id);
    }
  };
  if (proven || withheld.length > 0) {
    throw new MissingRecordsError(missing, () => {
      forget();
      connection.heads.accept(withheld, !proven);
    });
  }
  // Probably another device has deleted them.
  forget();
  connection.gone(missing);
}

/** The records that a head says exist, and that the list leaves out. Only those that every such list must show. */
async function withheldFrom<T extends { id: string }>(
  connection: ServiceConnection,
  { kind, route, query, options, matches, canProbe }: ListRequest<T>,
  listed: Set<string>,
): Promise<ListedRecord[]> {
  // The copy of a device is compared by its sync. No head lists doses, nor profiles.
  if (connection.records.isDeferred || !canProbe) return [];
  if (!connection.heads.areAllRead) await connection.learnHeads(options);
  const left = () =>
    connection.heads
      .listedOf(kind)
      .filter(
        ({ id, profileId }) =>
          !listed.has(id) && matches!({ revision: 0, fingerprint: '', parent: profileId }),
      );
  if (left().length === 0) return [];
  // Another device may have been at work while the pages were read: both are read again.
  await connection.learnHeads(options);
  for await (const page of connection.records.list(route, query, options)) {
    for (const { body } of page) listed.add(new ObjectReader(body, kind).id('id'));
  }
  return left();
}

/** Requests absent records one by one. If the service returns one of them, the list was not complete. */
async function probe<T extends { id: string }>(
  connection: ServiceConnection,
  list: ListRequest<T>,
  absent: readonly (RecordReference & { revision?: number })[],
): Promise<{ missing: RecordReference[]; proven: boolean }> {
  const missing: RecordReference[] = [];
  let proven = false;
  for (const [at, { kind, id, revision = Infinity }] of absent.entries()) {
    if (list.canProbe && at < MAX_PROBES) {
      const answer = await ifAny(connection.records.get(list.route, id, list.options));
      if (answer) {
        const { [list.route.idField ?? 'id']: shown } = answer.body as Record<string, unknown>;
        // The record changed while the pages were read, so it may no longer belong in this list.
        if (shown === id && new ObjectReader(answer.body, 'record').integer('revision', 1) > revision)
          continue;
        proven = true;
      }
    }
    missing.push({ kind, id });
  }
  return { missing, proven };
}

/** All elements of a list. */
export async function collect<T>(list: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of list) all.push(each);
  return all;
}
