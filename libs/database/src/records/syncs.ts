import { DiscoveryService } from '@nestjs/core';
import type { Caller } from '@app/common';
import type { Executor } from '../connection/statement';
import type { EntityClass } from '../schema/tables';

/**
 * Marks the service that provides the records of an entity for `GET /api/sync`; it implements {@link
 * SyncSource}. Every entity of records has one: `@Syncs(AllergyEntity)`.
 */
export const Syncs = DiscoveryService.createDecorator<EntityClass>();

/** Reads the records of one entity for the feed. */
export interface SyncSource {
  /**
   * @param ids of records that the account has changed; deleted records are missing from the result.
   * @param snapshot the transaction that reads the page.
   * @returns the records by id, in the form of their item route.
   */
  findByIds(caller: Caller, ids: string[], snapshot: Executor): Promise<Map<string, object>>;
}
