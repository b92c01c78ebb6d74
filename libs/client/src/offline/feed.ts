import { ProtocolError } from '../errors';
import { isId } from '../ids';
import { isJsonObject } from '../json';
import { ObjectReader, readArray } from '../http/object-reader';
import type { Arrival, Gate } from './gate';
import type { LocalCopy, RowValues } from './local-copy';
import { codeOf, isOwnAnswer, statusOf } from './failures';
import type { OfflineHost } from './offline-host';
import { missingKey, recordKey, STATE_KEY, type FeedState } from './offline-rows';

interface FeedPage {
  epoch: string;
  cursor: string;
  hasMore: boolean;
  changes: Arrival[];
}

const CURSOR = /^[\x21-\x7e]{1,200}$/;
const EPOCH = /^[0-9a-f]{1,32}$/;
/** The most changes of one page: the contract of the service. */
const MAX_CHANGES = 1000;
/** More pages in one sync can only come from a service that does not end. The next sync goes on from there. */
const MAX_PAGES = 2000;
/** Pages in a row without a change, of which the service says that more follow. */
const MAX_EMPTY_PAGES = 10;

/** What others must know while the feed is read. */
export interface FeedListener {
  /** The service asked for a new listing. */
  onReset: () => Promise<void>;
  /** Before a page is judged. */
  arrived: (changes: readonly Arrival[]) => Promise<void>;
}

/**
 * Reads all that is new. Each page is stored together with its cursor, so that a stop at any moment skips
 * nothing. The next page is on its way while one is judged, and is opened while one is stored.
 */
export async function pull(
  host: OfflineHost,
  copy: LocalCopy,
  gate: Gate,
  { onReset, arrived }: FeedListener,
): Promise<void> {
  const ahead = new Map<string | undefined, Promise<FeedPage>>();
  const { cursor: stored, epoch: named } = copy.state;
  if ((stored !== undefined && !CURSOR.test(stored)) || (named !== undefined && !EPOCH.test(named))) {
    await beginAnew(copy, stored);
  }
  let [resets, empty] = [0, 0];
  for (let pages = 0; ; pages += 1) {
    if (pages === MAX_PAGES) throw new ProtocolError('The feed of changes has no end.');
    const { cursor, isComplete } = copy.state;
    let page: FeedPage;
    try {
      page = await (ahead.get(cursor) ?? fetchPage(host, cursor, isComplete));
    } catch (error) {
      // Without a cursor there is nothing to reset. A second reset in one sync waits for the next one.
      if (cursor === undefined || !isRefusedCursor(error) || (resets += 1) > 1) throw error;
      await onReset();
      await beginAnew(copy, cursor);
      continue;
    }
    ahead.clear();
    empty = page.changes.length === 0 ? empty + 1 : 0;
    if (page.hasMore && (page.cursor === cursor || empty > MAX_EMPTY_PAGES)) {
      throw new ProtocolError('The feed of changes does not go on.');
    }
    if (page.hasMore) {
      const next = fetchPage(host, page.cursor, isComplete);
      // Its failure counts only where the page is wanted.
      next.catch(() => undefined);
      ahead.set(page.cursor, next);
    }
    await arrived(page.changes);
    const rows = await gate.judge([...page.changes, ...movedAndGone(copy, page)]);
    ahead.get(page.cursor)?.then(
      ({ changes }) => gate.openAhead(changes),
      () => undefined,
    );
    const isStored = await store(copy, page, rows, cursor);
    if (isStored && !page.hasMore) return;
  }
}

/** What came along with a profile into its space, and is not there any more when the first listing ends. */
function movedAndGone(copy: LocalCopy, { hasMore, changes }: FeedPage): Arrival[] {
  const { listing, listingAfter } = copy.state;
  if (hasMore || listingAfter !== 'move') return [];
  const shown = new Set(changes.map(({ kind, id }) => recordKey(kind, id)));
  const rows = copy.kinds.flatMap((kind) => copy.records(kind));
  return rows
    .filter((row) => row.listing < listing && !shown.has(recordKey(row.kind, row.id)))
    .map(({ kind, id }) => ({ kind, id, body: undefined }));
}

/** Only the service itself refuses a cursor. A cursor that it cannot read is no better than one that is too old. */
function isRefusedCursor(error: unknown): boolean {
  if (!isOwnAnswer(error)) return false;
  const is = (status: number, code: string) => statusOf(error) === status && codeOf(error) === code;
  return is(410, 'sync_reset') || is(400, 'validation_failed');
}

async function fetchPage(
  host: OfflineHost,
  cursor: string | undefined,
  isComplete: boolean,
): Promise<FeedPage> {
  // The first listing is long: each page less is a request and a transaction less.
  const query = {
    ...(cursor !== undefined && { cursor }),
    ...(!isComplete && { limit: String(MAX_CHANGES) }),
  };
  return readPage((await host.send({ method: 'GET', path: '/api/sync', query })).body);
}

/** Begins a new listing. Removes nothing: the person decides about each record that the listing does not show. */
function beginAnew(copy: LocalCopy, refused: string | undefined): Promise<void> {
  return copy.change<void>(() => {
    const { cursor, epoch, ...state } = copy.state;
    // Another tab was faster.
    const rows: RowValues = {};
    if (cursor !== refused) return { rows, result: undefined };
    const listingAfter = state.isComplete ? ('reset' as const) : ('start' as const);
    const next: FeedState = { ...state, listing: state.listing + 1, listingAfter };
    if (epoch !== undefined && EPOCH.test(epoch)) next.epoch = epoch;
    rows[STATE_KEY] = next;
    return { rows, result: undefined };
  });
}

function store(
  copy: LocalCopy,
  page: FeedPage,
  judged: RowValues,
  after: string | undefined,
): Promise<boolean> {
  const isAsBefore = ({ cursor, epoch, listingAfter }: FeedState) =>
    !listingAfter && page.changes.length === 0 && cursor === page.cursor && epoch === page.epoch;
  // Mostly there is nothing new, and nothing to write.
  if (isAsBefore(copy.state)) return Promise.resolve(copy.state.cursor === after);
  return copy.change(() => {
    const state = copy.state;
    if (state.cursor !== after) return { rows: {}, result: false };
    const rows: RowValues = { ...judged };
    const next: FeedState = { ...state, cursor: page.cursor, epoch: page.epoch };
    if (!page.hasMore && state.listingAfter) {
      if (state.listingAfter === 'reset') Object.assign(rows, missingRows(copy, rows, state.listing));
      delete next.listingAfter;
      next.isComplete = true;
    }
    return { rows: isAsBefore(state) ? {} : { ...rows, [STATE_KEY]: next }, result: true };
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
  const [epoch, cursor] = [reader.text('epoch'), reader.text('cursor')];
  if (!EPOCH.test(epoch) || !CURSOR.test(cursor)) {
    throw new ProtocolError('The feed names no epoch, or no cursor, that the service can have given.');
  }
  const changes = readArray(reader.raw('changes'), 'changes');
  if (changes.length > MAX_CHANGES) throw new ProtocolError('A page of the feed has too many changes.');
  // Each record once: the last mention counts.
  const newest = new Map(
    changes.map(readChange).map((change) => [recordKey(change.kind, change.id), change]),
  );
  return { epoch, cursor, hasMore: reader.boolean('has_more'), changes: [...newest.values()] };
}

function readChange(value: unknown): Arrival {
  const reader = new ObjectReader(value, 'change');
  const [kind, id, record] = [reader.text('kind'), reader.raw('id'), reader.raw('record')];
  if (!/^[a-z0-9_]{1,64}$/.test(kind) || !isId(id)) throw new ProtocolError('A change has no kind or no id.');
  if (reader.raw('deleted') === true) return { kind, id, body: undefined };
  if (!isJsonObject(record)) throw new ProtocolError('A change has no record.');
  return { kind, id, body: record };
}
