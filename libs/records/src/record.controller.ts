import { Body, Get, Param, Post, Query, RequestMapping, RequestMethod, type Type } from '@nestjs/common';
import type { Caller, Created, ErrorCode, IdempotencyKeyDigest, Page, RevisionCondition } from '@app/common';
import {
  ApiIdempotencyKey,
  ApiIfMatch,
  ApiRoute,
  CHANGE_ERRORS,
  CREATE_ERRORS,
  EmptyBody,
  IdempotencyKey,
  IfMatch,
  ITEM_HEADERS,
  LIST_HEADERS,
  type ListQuery,
  type SpaceAccess,
} from '@app/http';
import { CurrentCaller } from '@app/security';
import type { RecordService } from './record.service';

/** What the routes of one kind of record do not have in common with others. */
export interface RecordRoutes<CreateRequest, UpdateRequest, Response> {
  /** The class of one record in an answer. */
  response: Type<Response>;
  list: { summary: string; query: Type<ListQuery> };
  /** `errors`: further codes. Default: `not_found`, for the profile of the record. */
  create: { summary: string; body: Type<CreateRequest>; errors?: readonly ErrorCode[] };
  get: { summary: string };
  update: {
    summary: string;
    body: Type<UpdateRequest>;
    description?: string;
    errors?: readonly ErrorCode[];
  };
  delete: { summary: string };
  /** With `PUT`: `PUT :id` and `DELETE :id`. With `POST`: `POST :id` and `POST :id/delete`. */
  changes: 'PUT' | 'POST';
  /**
   * What a member of a space needs for a write, if it is not an editor. A carer changes and deletes only what is theirs.
   * Every member may read.
   */
  inSpaces?: Partial<Record<'create' | 'update' | 'delete', SpaceAccess>>;
}

const UPDATE = 'Takes any non-empty subset of the create body; a blob replaces the whole stored blob.';

/**
 * The five routes of one kind of record: list, create, get, update, delete. A controller extends the class that is
 * returned, and passes the service of its kind to it.
 */
export function RecordController<
  CreateRequest extends object,
  UpdateRequest extends object,
  Response extends object,
>(routes: RecordRoutes<CreateRequest, UpdateRequest, Response>) {
  const { response, list, create, get, update, changes, inSpaces = {} } = routes;
  const item = { body: response, headers: ITEM_HEADERS };
  const updating = { method: RequestMethod[changes], path: ':id' };
  const deleting =
    changes === 'PUT'
      ? { method: RequestMethod.DELETE, path: ':id' }
      : { method: RequestMethod.POST, path: ':id/delete' };

  abstract class RoutesOfKind {
    constructor(
      readonly records: Pick<
        RecordService<{ id: string }, CreateRequest, UpdateRequest, Response>,
        'list' | 'create' | 'get' | 'update' | 'delete'
      >,
    ) {}

    @Get()
    @ApiRoute({
      summary: list.summary,
      status: 200,
      body: [response],
      headers: LIST_HEADERS,
      errors: ['validation_failed'],
      inSpaces: 'viewer',
    })
    list(@CurrentCaller() caller: Caller, @Query() query: ListQuery): Promise<Page<Response>> {
      return this.records.list(caller, query);
    }

    @Post()
    @ApiIdempotencyKey()
    @ApiRoute({
      ...item,
      summary: create.summary,
      status: 201,
      errors: [...CREATE_ERRORS, ...(create.errors ?? ['not_found'])],
      inSpaces: inSpaces.create ?? 'editor',
    })
    create(
      @CurrentCaller() caller: Caller,
      @Body() record: CreateRequest,
      @IdempotencyKey() requestKey?: IdempotencyKeyDigest,
    ): Promise<Created<Response>> {
      return this.records.create(caller, record, requestKey);
    }

    @Get(':id')
    @ApiRoute({ ...item, summary: get.summary, status: 200, errors: ['not_found'], inSpaces: 'viewer' })
    get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<Response> {
      return this.records.get(caller, id);
    }

    @RequestMapping(updating)
    @ApiIfMatch()
    @ApiRoute({
      ...item,
      summary: update.summary,
      description: update.description ?? UPDATE,
      status: 200,
      errors: [...CHANGE_ERRORS, ...(update.errors ?? [])],
      inSpaces: inSpaces.update ?? 'editor',
    })
    update(
      @CurrentCaller() caller: Caller,
      @Param('id') id: string,
      @Body() record: UpdateRequest,
      @IfMatch() condition?: RevisionCondition,
    ): Promise<Response> {
      return this.records.update(caller, id, record, condition);
    }

    @RequestMapping(deleting)
    @ApiIfMatch()
    @ApiRoute({
      summary: routes.delete.summary,
      status: 204,
      errors: CHANGE_ERRORS,
      inSpaces: inSpaces.delete ?? 'editor',
    })
    delete(
      @CurrentCaller() caller: Caller,
      @Param('id') id: string,
      @Body() _body: EmptyBody,
      @IfMatch() condition?: RevisionCondition,
    ): Promise<void> {
      return this.records.delete(caller, id, condition);
    }
  }
  // What the compiler cannot tell Nest and Swagger, because the classes differ from kind to kind.
  const classes = {
    list: [Object, list.query],
    create: [Object, create.body, Object],
    update: [Object, String, update.body, Object],
  };
  for (const [method, types] of Object.entries(classes))
    Reflect.defineMetadata('design:paramtypes', types, RoutesOfKind.prototype, method);
  return RoutesOfKind;
}
