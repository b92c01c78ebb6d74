import { ProtocolError } from '../errors';
import { isId } from '../ids';
import { isJsonObject } from '../json';
import { ObjectReader, readArray } from '../http/object-reader';
import type { LocalCopy, RowValues } from './local-copy';
import { statusOf } from './failures';
import type { OfflineHost } from './offline-host';
import {
  entryKey,
  lostKey,
  missingKey,
  recordKey,
  STATE_KEY,
  type CachedRecord,
  type FeedState,
  type WireBody,
} from './offline-rows';

interface Change {
  kind: string;
  id: string;
  /** `undefined` for a deletion. */
  body: WireBody | undefined;
}

interface FeedPage {
  epoch: string;
  cursor: string;
  hasMore: boolean;
  changes: Change[];
}

/**
 * Reads all that is new. Each page is stored together with its cursor, so that a stop at any moment skips
 * nothing. The next page is on its way while one is stored.
 */
export async function pull(host: OfflineHost, copy: LocalCopy, onReset: () => void): Promise<void> {
  const ahead = new Map<string | undefined, Promise<FeedPage>>();
  for (;;) {
    const { cursor } = copy.state;
    let page: FeedPage;
    try {
      page = await (ahead.get(cursor) ?? fetchPage(host, cursor));
    } catch (error) {
      // Without a cursor there is nothing to reset: asking again at once would never end.
      if (statusOf(error) !== 410 || cursor === undefined) throw error;
      onReset();
      await beginAnew(copy, cursor);
      continue;
    }
    ahead.clear();
    if (page.hasMore) {
      const next = fetchPage(host, page.cursor);
      // Its failure counts only where the page is wanted.
      next.catch(() => undefined);
      ahead.set(page.cursor, next);
    }
    const isStored = await store(copy, page, cursor);
    if (isStored && !page.hasMore) return;
  }
}

async function fetchPage(host: OfflineHost, cursor: string | undefined): Promise<FeedPage> {
  const query = cursor === undefined ? {} : { cursor };
  return readPage((await host.send({ method: 'GET', path: '/api/sync', query })).body);
}

/** Begins a new listing. Removes nothing: the person decides about each record that the listing does not show. */
function beginAnew(copy: LocalCopy, refused: string | undefined): Promise<void> {
  return copy.change<void>(() => {
    const { cursor, ...state } = copy.state;
    // Another tab was faster.
    const rows: RowValues = {};
    if (cursor !== refused) return { rows, result: undefined };
    const listingAfter = state.isComplete ? ('reset' as const) : ('start' as const);
    const next: FeedState = { ...state, listing: state.listing + 1, listingAfter };
    rows[STATE_KEY] = next;
    return { rows, result: undefined };
  });
}

function store(copy: LocalCopy, page: FeedPage, after: string | undefined): Promise<boolean> {
  return copy.change(() => {
    const state = copy.state;
    if (state.cursor !== after) return { rows: {}, result: false };
    const rows: RowValues = {};
    for (const change of page.changes) Object.assign(rows, rowsOf(copy, change, state.listing));
    const next: FeedState = { ...state, cursor: page.cursor, epoch: page.epoch };
    if (!page.hasMore && state.listingAfter) {
      if (state.listingAfter === 'reset') Object.assign(rows, missingRows(copy, rows, state.listing));
      delete next.listingAfter;
      next.isComplete = true;
    }
    const isNew = page.changes.length > 0 || state.cursor !== page.cursor || state.epoch !== page.epoch;
    return { rows: isNew || state.listingAfter ? { ...rows, [STATE_KEY]: next } : {}, result: true };
  });
}

function rowsOf(copy: LocalCopy, { kind, id, body }: Change, listing: number): RowValues {
  const key = recordKey(kind, id);
  if (body) {
    const record: CachedRecord = { kind, id, body, listing };
    const notes = [lostKey(kind, id), missingKey(kind, id)].filter((note) => copy.get(note));
    return { [key]: record, ...Object.fromEntries(notes.map((note) => [note, null])) };
  }
  const rows: RowValues = { [key]: null };
  if (copy.get(missingKey(kind, id))) rows[missingKey(kind, id)] = null;
  for (const entry of copy.outbox) {
    // The create arrived, its answer was lost, and another device has deleted the record since.
    if (entry.action === 'create' && entry.id === id && entry.wasSent) rows[entryKey(entry.number)] = null;
  }
  const cached = copy.get<CachedRecord>(key);
  if (cached && isNeeded(copy, id)) rows[lostKey(kind, id)] = cached;
  return rows;
}

/** Whether a write in the outbox is for this record or below it. */
function isNeeded(copy: LocalCopy, id: string): boolean {
  return copy.outbox.some(({ id: written, body, base, parent = {} }) => {
    const medication = copy.get<CachedRecord>(recordKey('medication', parent.medication_id));
    const above = [body?.profile_id, base?.profile_id, medication?.body.profile_id];
    return [written, ...above, ...Object.values(parent)].includes(id);
  });
}

/** Records of earlier listings that this complete one did not show. */
function missingRows(copy: LocalCopy, shown: RowValues, listing: number): RowValues {
  const rows: RowValues = {};
  for (const kind of copy.kinds) {
    for (const record of copy.records(kind)) {
      const key = recordKey(kind, record.id);
      if (record.listing < listing && !(key in shown)) {
        rows[missingKey(kind, record.id)] = { kind, id: record.id };
      }
    }
  }
  return rows;
}

function readPage(body: unknown): FeedPage {
  const reader = new ObjectReader(body, 'sync');
  return {
    epoch: reader.text('epoch'),
    cursor: reader.text('cursor'),
    hasMore: reader.boolean('has_more'),
    changes: readArray(reader.raw('changes'), 'changes').map(readChange),
  };
}

function readChange(value: unknown): Change {
  const reader = new ObjectReader(value, 'change');
  const [kind, id, record] = [reader.text('kind'), reader.raw('id'), reader.raw('record')];
  if (!/^[a-z0-9_]{1,64}$/.test(kind) || !isId(id)) throw new ProtocolError('A change has no kind or no id.');
  if (reader.raw('deleted') === true) return { kind, id, body: undefined };
  if (!isJsonObject(record)) throw new ProtocolError('A change has no record.');
  return { kind, id, body: record };
}
