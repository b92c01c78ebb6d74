import {
  allowedRevisions,
  type Caller,
  Created,
  isUuid,
  newId,
  notFound,
  Page,
  type PageRequest,
  type RequestKey,
  type RevisionCondition,
  ServiceError,
} from '@app/common';
import type { Database, Executor } from './database';
import { isForeignKeyViolation } from './database-errors';
import { type OwnedShape, OwnedStatements } from './owned-statements';
import { assertLiveSession } from './sessions';

/** Matches no record: what a malformed id becomes, so that it costs and looks like any other unknown one. */
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** Writes of others that an update may lose against before it gives up: of so many at once one wins each time. */
const MAX_MODIFY_ATTEMPTS = 100;
/** Deletes that a create may meet; each further attempt is paid for by every repeat whose id is really taken. */
const MAX_INSERT_ATTEMPTS = 3;

interface OwnedRow {
  id: string;
  revision?: number;
}

export interface ListRequest extends PageRequest {
  /** Values of the shape's filters; an absent or undefined one does not filter. */
  filters?: Record<string, unknown>;
  updatedSince?: Date;
}

export interface UpdateRequest<Row> {
  /** New values of the record's own columns; undefined ones stay as they are. */
  changes: Partial<Row>;
  condition?: RevisionCondition;
  /** Further assignments in SQL; see `OwnedStatements.update`. */
  derived?: Record<string, string>;
}

/**
 * Data access bound to the caller: every statement names the account and the token version, in one round trip.
 *
 * All methods throw ServiceError `token_revoked` when the session has ended, `not_found` when the record is malformed,
 * unknown or another account's, and `database_unavailable` or `overloaded`.
 */
export abstract class OwnedRepository<Row extends OwnedRow> {
  private built: OwnedStatements | undefined;

  protected constructor(
    protected readonly database: Database,
    private readonly shape: OwnedShape,
  ) {}

  /** @param executor the primary, where what is read decides about a write. */
  async find(caller: Caller, id: string, executor: Executor = this.database.reader): Promise<Row> {
    const rows = await executor.query<Row>(this.statements.find(), [...identity(caller), safeId(id)]);
    return rows[0] ?? this.missing(caller);
  }

  /** In the shape's order; an empty page is "nothing there", never "not yours". */
  async list(caller: Caller, request: ListRequest = {}): Promise<Page<Row>> {
    const filters = Object.entries(request.filters ?? {}).filter(([, value]) => value !== undefined);
    if (request.updatedSince) filters.push(['updated_since', request.updatedSince.toISOString()]);
    const values = [...identity(caller), ...filters.map(([name, value]) => this.parentSafe(name, value))];
    if (request.after) values.push(request.after.at, request.after.id);
    if (request.limit) values.push(request.limit + 1);
    const names = filters.map(([name]) => name);
    const statement = this.statements.list(names, request.after !== undefined, request.limit !== undefined);
    const rows = await this.database.reader.query<Row>(statement, values);
    if (rows.length === 0) await this.assertListable(caller, request);
    if (!request.limit || rows.length <= request.limit) return new Page(rows);
    const items = rows.slice(0, request.limit);
    const last = items[items.length - 1] as Row & Record<string, string>;
    return new Page(items, { at: last[this.shape.orderBy], id: last.id });
  }

  /**
   * @param values the record's own columns; `id` is made here where the client sent none.
   * @throws ServiceError `id_taken`, `idempotency_conflict`, and `not_found` for a parent that is not the caller's.
   */
  async insert(
    caller: Caller,
    values: Partial<Row>,
    request?: RequestKey,
    executor: Executor = this.database.writer,
  ): Promise<Created<Row>> {
    const row: Record<string, unknown> = { id: newId(), ...defined(values) };
    for (const column in row) row[column] = this.parentSafe(column, row[column]);
    if (request) Object.assign(row, { idempotency_key: request.key, idempotency_body: request.body });
    const statement = this.statements.insert(Object.keys(row));
    for (let attempt = 1; ; attempt++) {
      const rows = await this.guarded(
        executor.query<Row>(statement, [...identity(caller), ...Object.values(row)]),
      );
      if (rows[0]) return new Created(rows[0], false);
      const earlier = request && (await this.replay(caller, request));
      if (earlier === 'released') continue;
      if (earlier) return new Created(earlier, true);
      await this.assertInsertable(caller, row);
      // What was in the way is the client's id, or has gone meanwhile: a record of the same key, or one too many.
      if ((request || values.id === undefined) && attempt < MAX_INSERT_ATTEMPTS) continue;
      if (values.id !== undefined) throw new ServiceError('id_taken');
      throw new ServiceError('overloaded', { retryAfterSeconds: 1 });
    }
  }

  /** @throws ServiceError `revision_mismatch` where the condition does not hold; `not_found` for a parent that is not the caller's. */
  async update(caller: Caller, id: string, request: UpdateRequest<Row>): Promise<Row> {
    const changes = defined(request.changes);
    const statement = this.statements.update(Object.keys(changes), request.derived);
    const allowed = allowedRevisions(request.condition);
    const values = [...identity(caller), safeId(id), allowed, ...Object.values(changes)];
    const rows = await this.guarded(this.database.writer.query<Row>(statement, values));
    if (rows[0]) return rows[0];
    const current = await this.find(caller, id, this.database);
    if (!allowed || allowed.includes(current.revision!)) await this.assertQuotas(caller);
    throw new ServiceError('revision_mismatch');
  }

  /**
   * An update that depends on what is stored: `decide` gets the current row and returns the changes, or throws. Where
   * another write comes between, it is asked again.
   */
  async modify(
    caller: Caller,
    id: string,
    condition: RevisionCondition | undefined,
    decide: (current: Row) => Promise<UpdateRequest<Row>> | UpdateRequest<Row>,
  ): Promise<Row> {
    for (let attempt = 1; attempt <= MAX_MODIFY_ATTEMPTS; attempt++) {
      const current = await this.find(caller, id, this.database);
      const allowed = allowedRevisions(condition);
      if (allowed && !allowed.includes(current.revision!)) throw new ServiceError('revision_mismatch');
      const request = await decide(current);
      try {
        return await this.update(caller, id, { ...request, condition: [current.revision!] });
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'revision_mismatch') throw error;
      }
    }
    throw new ServiceError('overloaded', { retryAfterSeconds: 1 });
  }

  /**
   * @param parentId where given, the record must hang under this parent.
   * @throws ServiceError `revision_mismatch`.
   */
  async delete(caller: Caller, id: string, condition?: RevisionCondition, parentId?: string): Promise<void> {
    const allowed = allowedRevisions(condition);
    const values: unknown[] = [...identity(caller), safeId(id)];
    if (allowed) values.push(allowed);
    if (parentId !== undefined) values.push(safeId(parentId));
    const statement = this.statements.delete(allowed !== null, parentId !== undefined);
    const rows = await this.database.query(statement, values);
    if (rows.length > 0) return;
    if (!allowed) return this.missing(caller);
    await this.find(caller, id, this.database);
    throw new ServiceError('revision_mismatch');
  }

  /** Whether the parent is the caller's. */
  async ownsParent(caller: Caller, parentId: string): Promise<boolean> {
    const rows = await this.database.query(this.statements.findParent(), [
      ...identity(caller),
      safeId(parentId),
    ]);
    return rows.length > 0;
  }

  /** Called for an empty list: throws where it is empty because the caller may not see it. */
  protected async assertListable(caller: Caller, _request: ListRequest): Promise<void> {
    await assertLiveSession(this.database, caller);
  }

  /** The answer to an empty result: 401 or 404. */
  protected async missing(caller: Caller): Promise<never> {
    await assertLiveSession(this.database, caller);
    throw notFound();
  }

  /** Built at the first use: the metadata is complete once the data source is. */
  protected get statements(): OwnedStatements {
    return (this.built ??= new OwnedStatements(
      this.database.metadata,
      this.shape,
      this.database.settings.quotas,
    ));
  }

  /** A parent's id may come from a path, where anything can stand. */
  private parentSafe(column: string, value: unknown): unknown {
    return column === this.shape.parent?.column ? safeId(value as string) : value;
  }

  /** A parent that went away between check and write is simply not there. */
  private async guarded(rows: Promise<Row[]>): Promise<Row[]> {
    try {
      return await rows;
    } catch (error) {
      if (isForeignKeyViolation(error)) throw notFound();
      throw error;
    }
  }

  private async replay(caller: Caller, request: RequestKey): Promise<Row | 'released' | undefined> {
    const values = [...identity(caller), request.key];
    const [earlier] = await this.database.query<Row & { idempotency_body: Buffer; fresh: boolean }>(
      this.statements.findByRequestKey(),
      values,
    );
    if (!earlier) return undefined;
    const { idempotency_body: body, fresh, ...row } = earlier;
    if (!fresh) {
      await this.database.query(this.statements.releaseRequestKey(), values);
      return 'released';
    }
    if (!body.equals(request.body)) throw new ServiceError('idempotency_conflict');
    return row as unknown as Row;
  }

  /** @throws ServiceError `quota_exceeded`. */
  private async assertQuotas(caller: Caller): Promise<void> {
    const [reached] = await this.database.query<{ records: boolean; bytes: boolean }>(
      this.statements.reachedQuota(),
      identity(caller),
    );
    if (!reached?.records && !reached?.bytes) return;
    const { records, bytes } = this.database.settings.quotas;
    const limit = reached.records ? `${records} records` : `${bytes} bytes of data`;
    throw new ServiceError('quota_exceeded', {
      sentence: `This account stores ${limit} or more, which is all that it may: delete something first.`,
    });
  }

  /** Throws where an insert was refused for the session, the parent or a quota. */
  private async assertInsertable(caller: Caller, row: Record<string, unknown>): Promise<void> {
    await assertLiveSession(this.database, caller);
    const parent = this.shape.parent;
    if (parent && !(await this.ownsParent(caller, row[parent.column] as string))) throw notFound();
    await this.assertQuotas(caller);
  }
}

function identity(caller: Caller): [string, number] {
  return [caller.accountId, caller.tokenVersion];
}

/** An id that PostgreSQL takes: what is malformed is asked for by the same statement, and not found. */
export function safeId(id: string): string {
  return isUuid(id) ? id : NO_ID;
}

/** Named fields only: a DTO's absent fields are own properties with the value `undefined`. */
function defined(values: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
