import { ApiError } from '../errors';
import { newId } from '../ids';
import type { HttpAnswer, HttpRequest } from '../http/http-transport';
import { pages } from '../http/paging';
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
  readonly #baseUrl: string;
  readonly #send: (request: HttpRequest) => Promise<HttpAnswer>;

  constructor(baseUrl: string, send: (request: HttpRequest) => Promise<HttpAnswer>) {
    this.#baseUrl = baseUrl;
    this.#send = send;
  }

  async *list(
    route: RecordRoute,
    query: Record<string, string | undefined>,
    { pageSize, signal }: PageOptions,
  ): AsyncGenerator<WireRecord[], void, undefined> {
    const request = { method: 'GET', path: route.path, query, ...(signal ? { signal } : {}) } as const;
    for await (const page of pages(this.#send, request, this.#baseUrl, pageSize)) yield page.map(stored);
  }

  async get(route: RecordRoute, id: string, { signal }: CallOptions): Promise<WireRecord> {
    return this.#answer({ method: 'GET', path: itemPath(route, id), ...(signal ? { signal } : {}) });
  }

  async create(route: RecordRoute, body: object, { signal }: CallOptions): Promise<WireRecord> {
    return this.#answer({
      method: 'POST',
      path: route.path,
      body,
      idempotencyKey: newId(),
      replayable: true,
      ...(signal ? { signal } : {}),
    });
  }

  async update(route: RecordRoute, id: string, body: object, options: WriteOptions): Promise<WireRecord> {
    const method = route.updateMethod;
    return this.#answer({ method, path: itemPath(route, id), body, replayable: true, ...options });
  }

  async delete(route: RecordRoute, id: string, options: WriteOptions): Promise<void> {
    try {
      await this.#send({ ...deleteRequest(route, id), replayable: true, ...options });
    } catch (error) {
      // The first attempt deleted the record, but its answer was lost.
      if (!(error instanceof ApiError && error.status === 404 && error.afterLostAttempt)) throw error;
    }
  }

  async #answer(request: HttpRequest): Promise<WireRecord> {
    return stored((await this.#send(request)).body);
  }
}

function stored(body: unknown): WireRecord {
  return { body, isPending: false };
}
