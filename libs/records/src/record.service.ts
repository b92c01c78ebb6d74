import {
  type Caller,
  type Created,
  type IdempotencyKeyDigest,
  invalidField,
  type Page,
  type RevisionCondition,
} from '@app/common';
import type { Executor, OwnedRepository, SyncSource } from '@app/database';
import { type ListQuery, toListRequest } from '@app/http';
import { withAuthor } from './with-author';

/**
 * The service of one kind of record, for its routes and for the feed. A kind tells how a request becomes a row and a
 * row an answer, and overrides what else differs. It is marked with `@Syncs(…)`.
 */
export abstract class RecordService<
  Row extends { id: string; revision?: number; author_id?: string | null },
  CreateRequest extends object,
  UpdateRequest extends object,
  Response extends object,
> implements SyncSource {
  /** @param kind one word for an error: "at least one field of the appointment". */
  protected constructor(
    protected readonly records: OwnedRepository<Row>,
    private readonly kind: string,
  ) {}

  /** The columns that a request sets, without the id. Undefined values set nothing. */
  protected abstract toRow(request: CreateRequest | UpdateRequest): Partial<Row>;

  /** The answer that shows a row. */
  protected abstract toResponse(row: Row, caller: Caller): Response;

  /** The response with its author, in a space. */
  protected answer(row: Row, caller: Caller): Response {
    return withAuthor(this.toResponse(row, caller), row);
  }

  /** Every field of the query beside those of `ListQuery` is a filter of the repository. */
  async list(caller: Caller, query: ListQuery): Promise<Page<Response>> {
    const { limit, cursor, updated_since, ...filters } = query;
    const page = await this.records.list(caller, toListRequest({ limit, cursor, updated_since }, filters));
    return page.map((row) => this.answer(row, caller));
  }

  /** One record of the caller. @throws ServiceError `not_found`. */
  async get(caller: Caller, id: string): Promise<Response> {
    return this.answer(await this.records.find(caller, id), caller);
  }

  /** Stores a new record, once for each key. */
  async create(
    caller: Caller,
    request: CreateRequest & { id?: string },
    requestKey?: IdempotencyKeyDigest,
  ): Promise<Created<Response>> {
    const row = { ...this.toRow(request), id: request.id } as Partial<Row>;
    return (await this.records.insert(caller, row, requestKey)).map((made) => this.answer(made, caller));
  }

  /** Changes a record. @throws ServiceError `not_found`, `revision_mismatch`. */
  async update(
    caller: Caller,
    id: string,
    request: UpdateRequest,
    condition?: RevisionCondition,
  ): Promise<Response> {
    const changes = this.toRow(request);
    if (Object.values(changes).every((value) => value === undefined)) throw changesNothing(this.kind);
    return this.answer(await this.records.updateRecord(caller, id, { changes, condition }), caller);
  }

  /** Deletes a record. @throws ServiceError `not_found`, `revision_mismatch`. */
  async delete(caller: Caller, id: string, condition?: RevisionCondition): Promise<void> {
    await this.records.delete(caller, id, condition);
  }

  async findByIds(caller: Caller, ids: string[], snapshot: Executor): Promise<Map<string, object>> {
    return this.records.findByIds(caller, ids, snapshot, (row) => this.answer(row, caller));
  }
}

function changesNothing(kind: string) {
  return invalidField('body', `the request must change at least one field of the ${kind}`);
}
