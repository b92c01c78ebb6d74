import { isAnswer } from '../errors';
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
  readonly mergesConflicts = false;
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
      if (!(isAnswer(error, 404) && error.afterLostAttempt)) throw error;
    }
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
