import { isAnswer } from '../errors';
import { newId } from '../ids';
import type { HttpAnswer, HttpRequest } from '../http/http-transport';
import { pages } from '../http/paging';
import type { RecordsChanged } from '../offline/offline-host';
import type { CallOptions, PageOptions } from './record-types';
import {
  deleteRequest,
  itemPath,
  type RecordGateway,
  type RecordRoute,
  type WireRecord,
  type WriteOptions,
} from './record-gateway';

/** Every read and write is a request to the service. */
export class HttpRecordGateway implements RecordGateway {
  readonly mergesConflicts = false;
  readonly #baseUrl: string;
  readonly #send: (request: HttpRequest) => Promise<HttpAnswer>;
  readonly #changed: ((change: RecordsChanged) => void) | undefined;

  /** @param changed is told of each write that the service has confirmed. */
  constructor(
    baseUrl: string,
    send: (request: HttpRequest) => Promise<HttpAnswer>,
    changed?: (change: RecordsChanged) => void,
  ) {
    this.#baseUrl = baseUrl;
    this.#send = send;
    this.#changed = changed;
  }

  async *list(
    route: RecordRoute,
    query: Record<string, string | undefined>,
    { pageSize, signal }: PageOptions,
  ): AsyncGenerator<WireRecord[], void, undefined> {
    const request = { method: 'GET', path: route.path, query, ...(signal ? { signal } : {}) } as const;
    let epoch: string | undefined;
    const send = async (each: HttpRequest) => {
      const answer = await this.#send(each);
      epoch = epochOf(answer.headers);
      return answer;
    };
    for await (const page of pages(send, request, this.#baseUrl, pageSize))
      yield page.map((body) => stored(body, epoch));
  }

  async get(route: RecordRoute, id: string, { signal }: CallOptions): Promise<WireRecord> {
    return this.#answer({ method: 'GET', path: itemPath(route, id), ...(signal ? { signal } : {}) });
  }

  async create(route: RecordRoute, body: object, { signal }: CallOptions): Promise<WireRecord> {
    const created = await this.#answer({
      method: 'POST',
      path: route.path,
      body,
      idempotencyKey: newId(),
      replayable: true,
      ...(signal ? { signal } : {}),
    });
    this.#tell(route);
    return created;
  }

  async update(route: RecordRoute, id: string, body: object, options: WriteOptions): Promise<WireRecord> {
    const method = route.updateMethod;
    const path = itemPath(route, id);
    const updated = await this.#answer({ method, path, body, replayable: true, ...options });
    this.#tell(route);
    return updated;
  }

  async delete(route: RecordRoute, id: string, options: WriteOptions): Promise<void> {
    try {
      await this.#send({ ...deleteRequest(route, id), replayable: true, ...options });
    } catch (error) {
      // The first attempt deleted the record, but its answer was lost.
      if (!(isAnswer(error, 404) && error.afterLostAttempt)) throw error;
    }
    this.#tell(route);
  }

  #tell({ kind, parent }: RecordRoute): void {
    const medicationId = parent?.medication_id;
    this.#changed?.({ kinds: [kind], ...(medicationId !== undefined && { dosesOf: [medicationId] }) });
  }

  async #answer(request: HttpRequest): Promise<WireRecord> {
    const { body, headers } = await this.#send(request);
    return stored(body, epochOf(headers));
  }
}

function stored(body: unknown, epoch: string | undefined): WireRecord {
  return { body, isPending: false, ...(epoch === undefined ? {} : { epoch }) };
}

/** The epoch of an answer, which its entity tag names, or its own header for a list. */
function epochOf(headers: Headers): string | undefined {
  const named = headers.get('Records-Epoch') ?? /^(?:W\/)?"\d+-(.*)"$/.exec(headers.get('ETag') ?? '')?.[1];
  return named !== undefined && /^[0-9a-f]{1,32}$/.test(named) ? named : undefined;
}
