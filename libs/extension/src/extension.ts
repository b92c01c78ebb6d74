import type { DynamicModule, Type } from '@nestjs/common';
import type { AddedSettings } from '@app/config';
import type { EntityClass, MigrationClass } from '@app/database';

/**
 * Replaces the instance of a class wherever it is injected.
 * Security: what replaces a guard or a hasher guards and hashes alone from then on.
 */
// eslint-disable-next-line @typescript-eslint/no-explicit-any
export interface Override<T = any> {
  provide: Type<T>;
  /** Gets the instance of the service, and returns the one that is injected. */
  with: (original: T) => T;
}

/**
 * The contribution of a domain to the service. The service's own domains and those of other teams use the
 * same interface: `createApp(config, extension)`, `run(extension)`.
 *
 * Decorators contain the other facts that the service needs: `@OpaqueBlob()` on a field of a request class,
 * `@ClientBytes()` on a column, `@Public()` on a route. Error codes come from `defineErrors`.
 */
export interface Extension {
  /**
   * Nest modules with the controllers of the new routes. All routes are under `/api` and closed unless marked
   * `@Public()`.
   */
  modules?: readonly (Type | DynamicModule)[];
  /**
   * The entity classes of new tables. Each belongs to an account, or a decorator says otherwise; see
   * `describeTables`.
   */
  entities?: readonly EntityClass[];
  /**
   * The migrations that create the tables: plain SQL and `ownedTableV1`. They run with the service's own, by
   * timestamp.
   */
  migrations?: readonly MigrationClass[];
  /** Created by `defineSettings`; read with the service's own. */
  settings?: AddedSettings;
  /** Headers that a page of another origin may send to the new routes, and may read from their answers. */
  corsHeaders?: { allowed?: readonly string[]; exposed?: readonly string[] };
  /** Parts of the service that are replaced: the public classes that Nest injects, such as `Clock`. */
  overrides?: readonly Override[];
  /** The title of the OpenAPI document (the last one counts), and what the routes of new tags are for. */
  openApi?: { title?: string; tags?: Readonly<Record<string, string>> };
}

/** One extension or several. */
export type Extensions = Extension | readonly Extension[];
