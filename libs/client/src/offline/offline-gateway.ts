import { newId } from '../ids';
import type { JsonObject } from '../json';
import type { CallOptions, PageOptions } from '../records/record-types';
import {
  deleteRequest,
  itemPath,
  tagOf,
  type RecordGateway,
  type RecordRoute,
  type WireRecord,
  type WriteOptions,
} from '../records/record-gateway';
import type { LocalCopy } from './local-copy';
import { entryKey, STATE_KEY, textOf, type OutboxEntry, type WireBody } from './offline-rows';
import { Overlay, type Shown } from './overlay';

const DEFAULT_PAGE_SIZE = 200;

/** The parts of the engine that the gateway needs. */
export interface GatewayHost {
  /** The copy of the open account, or of one of its spaces. @throws LockedError */
  copy(): Promise<LocalCopy>;
  /** Resolves when the cache is complete. @throws TransportError when it is not, and there is no network. */
  complete(copy: LocalCopy): Promise<void>;
  /** The outbox has a new entry. */
  wrote(): void;
  refuse(status: number, code: string, message: string): Error;
}

/** Reads come from the cache, with the writes of the outbox applied. Writes go to the outbox. */
export class OfflineGateway implements RecordGateway {
  readonly isDeferred = true;
  readonly mergesConflicts = true;

  constructor(private readonly host: GatewayHost) {}

  async *list(
    route: RecordRoute,
    query: Record<string, string | undefined>,
    options: PageOptions,
  ): AsyncGenerator<WireRecord[], void, undefined> {
    const copy = await this.#ready(options);
    const { kind, parent } = route;
    const listed = new Overlay(copy).list(kind, parent?.medication_id);
    const isWanted = filterOf(route, query);
    const matching = listed.filter(({ body }) => isWanted(body));
    const sorted = sort(matching, route);
    const size = options.pageSize ?? DEFAULT_PAGE_SIZE;
    for (let from = 0; from < sorted.length; from += size) {
      options.signal?.throwIfAborted();
      yield sorted.slice(from, from + size).map((record) => withEpoch(copy, record));
    }
  }

  async get(route: RecordRoute, id: string, options: CallOptions): Promise<WireRecord> {
    return this.#shown(await this.#ready(options), route, id);
  }

  async create(route: RecordRoute, body: object, options: CallOptions): Promise<WireRecord> {
    const id = textOf(body as WireBody, route.idField ?? 'id');
    const complete = { ...defaultsOf(route), ...(body as WireBody) };
    const copy = await this.#ready(options);
    await this.#append(copy, () => {
      if (new Overlay(copy).show(route.kind, id)) throw this.host.refuse(409, 'id_taken', 'The id is taken.');
      return {
        ...entryOf(route, id, 'create'),
        method: 'POST',
        path: route.path,
        body: complete,
        idempotencyKey: newId(),
      };
    });
    return this.#shown(copy, route, id);
  }

  async update(route: RecordRoute, id: string, body: object, options: WriteOptions): Promise<WireRecord> {
    const copy = await this.#ready(options);
    await this.#append(copy, () => ({
      ...entryOf(route, id, 'update'),
      ...this.#conditionOf(copy, route, id, options),
      method: route.updateMethod,
      path: itemPath(route, id),
      body: body as WireBody,
    }));
    return this.#shown(copy, route, id);
  }

  async delete(route: RecordRoute, id: string, options: WriteOptions): Promise<void> {
    const copy = await this.#ready(options);
    await this.#append(copy, () => ({
      ...entryOf(route, id, 'delete'),
      ...this.#conditionOf(copy, route, id, options),
      ...deleteRequest(route, id),
    }));
  }

  async #ready(options: CallOptions): Promise<LocalCopy> {
    options.signal?.throwIfAborted();
    const copy = await this.host.copy();
    await copy.catchUpIfTold();
    await this.host.complete(copy);
    return copy;
  }

  #shown(copy: LocalCopy, route: RecordRoute, id: string): Shown & { epoch?: string } {
    const shown = new Overlay(copy).show(route.kind, id);
    if (!shown) throw this.host.refuse(404, 'not_found', 'The record does not exist.');
    return withEpoch(copy, shown);
  }

  /** @throws ApiError `not_found`, `revision_mismatch` */
  #conditionOf(copy: LocalCopy, route: RecordRoute, id: string, { ifMatch }: WriteOptions) {
    const shown = this.#shown(copy, route, id);
    if (ifMatch === undefined) return {};
    const revision = Number(shown.body.revision);
    if (ifMatch !== revision && ifMatch !== tagOf({ ...shown, revision })) {
      throw this.host.refuse(412, 'revision_mismatch', 'The record was changed in the meantime.');
    }
    const { body: base, epoch } = shown;
    return { base, revision, ...(epoch === undefined ? {} : { epoch }) };
  }

  async #append(copy: LocalCopy, make: () => Omit<OutboxEntry, 'number' | 'at'>): Promise<void> {
    await copy.change(() => {
      const number = copy.nextNumber;
      const entry: OutboxEntry = { ...make(), number, at: new Date().toISOString() };
      const state = { ...copy.state, nextNumber: number + 1 };
      return { rows: { [entryKey(number)]: entry, [STATE_KEY]: state }, result: undefined };
    }, true);
    this.host.wrote();
  }
}

/** The revisions of the cache are those of the newest epoch that the feed has named. */
function withEpoch(copy: LocalCopy, shown: Shown): Shown & { epoch?: string } {
  const { epoch } = copy.state;
  return epoch === undefined ? shown : { ...shown, epoch };
}

function entryOf(route: RecordRoute, id: string, action: OutboxEntry['action']) {
  const { kind, parent } = route;
  // A dose has no route of its own to read.
  const item = parent ? {} : { itemPath: itemPath(route, id) };
  return { action, kind, id, ...item, ...(parent && { parent }) };
}

/** The time of the call. The service would use the time at which the dose arrives. */
function defaultsOf({ kind }: RecordRoute): JsonObject {
  return kind === 'dose' ? { loggedAt: new Date().toISOString() } : {};
}

/** As the service filters: by equal members, and `recorded_from` and `recorded_to` by `recorded_at`. */
function filterOf(
  route: RecordRoute,
  query: Record<string, string | undefined>,
): (body: WireBody) => boolean {
  const tests = Object.entries({ ...route.parent, ...query }).flatMap(([name, wanted]) => {
    if (wanted === undefined) return [];
    const [, field, bound] = /^(.+)_(from|to)$/.exec(name) ?? [];
    if (field === undefined) return [(body: WireBody) => body[name] === wanted];
    const limit = Date.parse(wanted);
    const at = (body: WireBody) => Date.parse(textOf(body, `${field}_at`));
    return [bound === 'from' ? (body: WireBody) => at(body) >= limit : (body: WireBody) => at(body) <= limit];
  });
  return (body) => tests.every((test) => test(body));
}

function sort(
  records: Shown[],
  { orderBy = 'created_at', idField = 'id', isOldestFirst }: RecordRoute,
): Shown[] {
  const keyed = records.map((record) => {
    const { body } = record;
    return { record, at: Date.parse(textOf(body, orderBy)), id: textOf(body, idField) };
  });
  keyed.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  if (!isOldestFirst) keyed.reverse();
  return keyed.map(({ record }) => record);
}
