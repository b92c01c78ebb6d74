import type { CallOptions, PageOptions, RecordDoubt } from './record-types';

/** Where and how the records of one kind are stored on the service. */
export interface RecordRoute {
  /** The kind in the feed of changes, for example `health_stat`. */
  kind: string;
  /** The path of the list, for example `/api/health-stats`. */
  path: string;
  /** The member of a record that holds its id; default `id`. */
  idField?: string;
  /** The member by which lists are ordered; default `created_at`. */
  orderBy?: string;
  /** Default: newest first. */
  isOldestFirst?: boolean;
  updateMethod: 'POST' | 'PUT';
  /** `POST <path>/:id/delete` or `DELETE <path>/:id`. */
  deleteMethod: 'POST' | 'DELETE';
  /** Members that every record of this route has. They follow from the path. */
  parent?: Record<string, string>;
}

/** A record as the service shows it. It is encrypted, and nothing in it has been checked. */
export interface WireRecord {
  body: unknown;
  /** Whether it contains a write that the service has not yet confirmed. */
  isPending: boolean;
  /**
   * The epoch of its revision, as an answer or the feed names it. Absent for an answer of the first epoch,
   * which names none.
   */
  epoch?: string;
  /** Why the newest state that the service shows is not this one. */
  doubt?: RecordDoubt;
  /** A dose that no device has proved: it is shown, and not counted. */
  isUnproven?: true;
}

/** A condition of a write. */
export interface WriteOptions extends CallOptions {
  /** The revision or the entity tag that the stored record must have; see `tagOf`. */
  ifMatch?: number | string;
}

/** The entity tag of a record. A revision of another epoch is another state of the record. */
export function tagOf({ revision, epoch }: { revision: number; epoch?: string }): number | string {
  return epoch === undefined ? revision : `${revision}-${epoch}`;
}

/**
 * The place where collections read and write encrypted records: the service, or the cache and the outbox of
 * this device.
 * Security: a gateway never has a key and never sees plaintext.
 */
export interface RecordGateway {
  /** Whether a write may wait on this device. It then proves nothing until it is read as confirmed. */
  readonly isDeferred?: boolean;
  /** Whether a write over a version that is no longer the newest should be merged with it. */
  readonly mergesConflicts: boolean;
  /** The pages of a list. `query` has the names of the query parameters of the service. */
  list(
    route: RecordRoute,
    query: Record<string, string | undefined>,
    options: PageOptions,
  ): AsyncGenerator<WireRecord[], void, undefined>;
  /** @throws ApiError `not_found` */
  get(route: RecordRoute, id: string, options: CallOptions): Promise<WireRecord>;
  /** Stores a new record once, also when an answer is lost. `body` contains the id. */
  create(route: RecordRoute, body: object, options: CallOptions): Promise<WireRecord>;
  /** @throws ApiError `revision_mismatch`, `not_found` */
  update(route: RecordRoute, id: string, body: object, options: WriteOptions): Promise<WireRecord>;
  /** @throws ApiError `revision_mismatch`, `not_found` */
  delete(route: RecordRoute, id: string, options: WriteOptions): Promise<void>;
}

/** The path of one record. */
export function itemPath(route: RecordRoute, id: string): string {
  return `${route.path}/${id}`;
}

/** The method and path of a delete. */
export function deleteRequest(route: RecordRoute, id: string): { method: 'POST' | 'DELETE'; path: string } {
  const path = itemPath(route, id);
  return { method: route.deleteMethod, path: route.deleteMethod === 'POST' ? `${path}/delete` : path };
}
