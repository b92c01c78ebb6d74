import {
  allowedTags,
  type Caller,
  Created,
  newId,
  notFound,
  type Page,
  type PageRequest,
  type IdempotencyKeyDigest,
  type RevisionCondition,
  refusedBy,
  ServiceError,
} from '@app/common';
import type { Database } from '../connection/database';
import { isForeignKeyViolation } from '../connection/database-errors';
import { isAllowed } from '../operations/epoch';
import { OwnedLists } from './owned-lists';
import { defined, safeId } from './owned-values';
import { type OwnedShape, OwnedStatements } from './owned-statements';
import { bytesAt } from './quotas';
import { assertLiveSession } from './sessions';
import type { Executor } from '../connection/statement';

/** Limit of attempts of an update that loses against concurrent writes. */
const MAX_MODIFY_ATTEMPTS = 100;
/**
 * Limit of attempts of a write that meets concurrent creates or deletes. A repeated create whose id is really
 * taken makes all of these attempts.
 */
const MAX_WRITE_ATTEMPTS = 3;

interface OwnedRow {
  id: string;
  revision?: number;
  author_id?: string | null;
}

/** A request for part of a list. */
export interface ListRequest extends PageRequest {
  /** Values of the shape's filters. An absent or undefined value does not filter. */
  filters?: Record<string, unknown>;
  updatedSince?: Date;
}

/** The changes of an update, and its condition. */
export interface UpdateRequest<Row> {
  /** New values of the record's own columns. Undefined values change nothing. */
  changes: Partial<Row>;
  condition?: RevisionCondition;
  /** Further assignments in SQL; see `OwnedStatements.update`. */
  derived?: Record<string, string>;
}

/**
 * Data access for the caller. Every statement contains the account and the token version, so no extra round
 * trip is needed.
 *
 * All methods throw ServiceError `token_revoked` if the session has ended, `not_found` if the record is
 * malformed, unknown or another account's, and `database_unavailable` or `overloaded`.
 */
export abstract class OwnedRepository<Row extends OwnedRow> {
  private built: OwnedStatements | undefined;
  private builtLists: OwnedLists<Row> | undefined;

  protected constructor(
    protected readonly database: Database,
    private readonly shape: OwnedShape,
  ) {}

  /**
   * One record of the caller.
   * @param executor the primary, if a write depends on the result.
   * @throws ServiceError `not_found`, `token_revoked`.
   */
  async find(caller: Caller, id: string, executor: Executor = this.database.shortReads): Promise<Row> {
    const rows = await executor.query<Row>(this.statements.find(), [...identity(caller), safeId(id)]);
    return rows[0] ?? this.missing(caller);
  }

  /** Returns the existing records of these ids, by id. */
  async findByIds<T>(
    caller: Caller,
    ids: string[],
    executor: Executor,
    toItem: (row: Row) => T,
  ): Promise<Map<string, T>> {
    const rows = await executor.query<Row>(this.statements.findByIds(), [...identity(caller), ids]);
    return new Map(rows.map((row) => [row.id, toItem(row)]));
  }

  /**
   * Returns records in the shape's order. An empty page always means that there are no records, never that
   * access is denied. A page with a limit has fewer records if they are large. The rest of a whole list is
   * read while it is sent.
   */
  async list(caller: Caller, request: ListRequest = {}): Promise<Page<Row>> {
    const filters = Object.entries(request.filters ?? {}).filter(([, value]) => value !== undefined);
    if (request.updatedSince) filters.push(['updated_since', request.updatedSince.toISOString()]);
    return this.lists.read({
      caller,
      filters: filters.map(([name, value]) => [name, this.parentSafe(name, value)]),
      limit: request.limit,
      after: request.after,
      assertListable: () => this.assertListable(caller, request),
    });
  }

  /**
   * @param values the record's own columns; `id` is generated if the client sent none.
   * @throws ServiceError `id_taken`, `idempotency_conflict`, and `not_found` for a parent that does not
   *   belong to the caller.
   */
  async insert(
    caller: Caller,
    values: Partial<Row>,
    request?: IdempotencyKeyDigest,
    executor: Executor = this.database,
  ): Promise<Created<Row>> {
    const row: Record<string, unknown> = { id: newId(), ...defined(values), ...authorship(caller) };
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
      // The client's id is taken, or the conflict is gone: a record with the same key, or a record over the
      // quota, was deleted.
      if ((request || values.id === undefined) && attempt < MAX_WRITE_ATTEMPTS) continue;
      if (values.id !== undefined) throw new ServiceError('id_taken');
      throw refusedBy('conflicts', 'overloaded');
    }
  }

  /**
   * @param executor a transaction, if the change depends on other records that it has locked.
   * @throws ServiceError `revision_mismatch` if the condition is false; `not_found` for a parent that does
   *   not belong to the caller; `space_role_too_low` for what another member has written.
   */
  async update(
    caller: Caller,
    id: string,
    request: UpdateRequest<Row>,
    executor: Executor = this.database,
  ): Promise<Row> {
    const changes = { ...defined(request.changes), ...authorship(caller) };
    const statement = this.statements.update(Object.keys(changes), request.derived, changesOwnOnly(caller));
    const allowed = allowedTags(request.condition);
    const values = [...identity(caller), safeId(id), allowed, ...Object.values(changes)];
    for (let attempt = 1; attempt <= MAX_WRITE_ATTEMPTS; attempt++) {
      const rows = await this.guarded(executor.query<Row>(statement, values));
      if (rows[0]) return rows[0];
      const current = await this.findChangeable(caller, id, executor);
      if (allowed && !isAllowed(allowed, current.revision!, await this.database.epochs.ask()))
        throw new ServiceError('revision_mismatch');
      await this.assertQuotas(caller);
      // The reason is gone: the record was created, or another one was deleted, after the statement.
    }
    throw refusedBy('conflicts', 'overloaded');
  }

  /** An update as a request asks for it. {@link assertChange} is asked first, if a kind has it. */
  updateRecord(caller: Caller, id: string, request: UpdateRequest<Row>, executor?: Executor): Promise<Row> {
    if (!this.assertChange) return this.update(caller, id, request, executor);
    const decide = async (current: Row) => {
      await this.assertChange!(current, request.changes, caller);
      return request;
    };
    return this.modify(caller, id, request.condition, decide, executor);
  }

  /**
   * A rule of a kind over the stored record: it throws where the change is not allowed. After a concurrent write it is asked
   * again, so the rule holds in the statement that writes.
   */
  protected assertChange?(current: Row, changes: Partial<Row>, caller: Caller): Promise<void> | void;

  /**
   * An update that depends on the stored record. `decide` gets the current row and returns the changes, or
   * throws. After a concurrent write, it is called again.
   */
  async modify(
    caller: Caller,
    id: string,
    condition: RevisionCondition | undefined,
    decide: (current: Row) => Promise<UpdateRequest<Row>> | UpdateRequest<Row>,
    executor: Executor = this.database,
  ): Promise<Row> {
    const allowed = allowedTags(condition);
    for (let attempt = 1; attempt <= MAX_MODIFY_ATTEMPTS; attempt++) {
      const current = await this.find(caller, id, executor);
      // If this epoch has ended, the update finds it out, and the next attempt knows the new one.
      const epoch = await this.database.epochs.last();
      if (allowed && !isAllowed(allowed, current.revision!, epoch))
        throw new ServiceError('revision_mismatch');
      const request = await decide(current);
      try {
        const condition = [`${current.revision!}-${epoch.id}`];
        return await this.update(caller, id, { ...request, condition }, executor);
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'revision_mismatch') throw error;
      }
    }
    throw refusedBy('conflicts', 'overloaded');
  }

  /**
   * @param parentId if given, the record must belong to this parent.
   * @throws ServiceError `revision_mismatch`; `space_role_too_low` for what another member has written.
   */
  async delete(caller: Caller, id: string, condition?: RevisionCondition, parentId?: string): Promise<void> {
    const allowed = allowedTags(condition);
    const values: unknown[] = [...identity(caller), safeId(id)];
    if (allowed) values.push(allowed);
    if (parentId !== undefined) values.push(safeId(parentId));
    const ofAuthor = changesOwnOnly(caller);
    if (ofAuthor) values.push(caller.member!.id);
    const statement = this.statements.delete({
      conditional: allowed !== null,
      ofParent: parentId !== undefined,
      ofAuthor,
    });
    const rows = await this.database.query(statement, values);
    if (rows.length > 0) return;
    if (ofAuthor) await this.findChangeable(caller, id);
    if (!allowed) return this.missing(caller);
    await this.find(caller, id, this.database);
    await this.database.epochs.ask();
    throw new ServiceError('revision_mismatch');
  }

  /** Why a statement changed nothing. @throws ServiceError `not_found`, `space_role_too_low`. */
  private async findChangeable(caller: Caller, id: string, executor: Executor = this.database): Promise<Row> {
    const current = await this.find(caller, id, executor);
    if (changesOwnOnly(caller) && current.author_id !== caller.member!.id)
      throw new ServiceError('space_role_too_low');
    return current;
  }

  /** Whether the parent belongs to the caller. */
  async ownsParent(caller: Caller, parentId: string): Promise<boolean> {
    const rows = await this.database.query(this.statements.findParent(), [
      ...identity(caller),
      safeId(parentId),
    ]);
    return rows.length > 0;
  }

  /** Called for an empty list of a live session. It throws if the list is empty because the parent is missing. */
  protected async assertListable(_caller: Caller, _request: ListRequest): Promise<void> {}

  /** The answer to an empty result: 401 or 404. */
  protected async missing(caller: Caller): Promise<never> {
    await assertLiveSession(this.database, caller);
    throw notFound();
  }

  /** Built at the first use: the metadata is complete after the data source is initialised. @internal */
  protected get statements(): OwnedStatements {
    return (this.built ??= new OwnedStatements(
      this.database.metadata,
      this.shape,
      this.database.settings.quotas,
    ));
  }

  private get lists(): OwnedLists<Row> {
    return (this.builtLists ??= new OwnedLists(this.database, this.statements, this.shape.orderBy));
  }

  /** A parent's id may come from a path and may be malformed. */
  private parentSafe(column: string, value: unknown): unknown {
    return column === this.shape.parent?.column ? safeId(value as string) : value;
  }

  /** A parent that was deleted between check and write is not found. */
  private async guarded(rows: Promise<Row[]>): Promise<Row[]> {
    try {
      return await rows;
    } catch (error) {
      if (isForeignKeyViolation(error)) throw notFound();
      throw error;
    }
  }

  private async replay(caller: Caller, request: IdempotencyKeyDigest): Promise<Row | 'released' | undefined> {
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
    const [reached] = await this.database.query<{ records: boolean; bytes: boolean; age: number }>(
      this.statements.reachedQuota(),
      identity(caller),
    );
    if (!reached?.records && !reached?.bytes) return;
    const { quotas } = this.database.settings;
    const bytes = bytesAt(quotas, reached.age);
    const limit = reached.records ? `${quotas.records} records` : `${bytes} bytes of data`;
    const way =
      reached.records || bytes === quotas.bytes
        ? 'which is all that it may: delete something first'
        : `which is all that a new account may. The limit grows to ${quotas.bytes} bytes in its first ${quotas.days} days`;
    throw new ServiceError('quota_exceeded', {
      sentence: `This account stores ${limit} or more, ${way}.`,
    });
  }

  /** Throws if the session, the parent or a quota prevents the insert. */
  private async assertInsertable(caller: Caller, row: Record<string, unknown>): Promise<void> {
    await assertLiveSession(this.database, caller);
    const parent = this.shape.parent;
    if (parent && !(await this.ownsParent(caller, row[parent.column] as string))) throw notFound();
    await this.assertQuotas(caller);
  }
}

/** What a write in a space says of its author. */
function authorship({ member }: Caller): { author_id?: string } {
  return member ? { author_id: member.id } : {};
}

/** A carer may change what is theirs. */
function changesOwnOnly({ member }: Caller): boolean {
  return member?.role === 'carer';
}

function identity(caller: Caller): [string, number] {
  return [caller.accountId, caller.tokenVersion];
}
