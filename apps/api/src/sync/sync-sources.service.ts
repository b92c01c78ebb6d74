import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DiscoveryService } from '@nestjs/core';
import { ExtensionError } from '@app/common';
import { Database, describeTable, Syncs, type SyncSource, tablesOf } from '@app/database';

/** The service of each kind in the feed, found by its {@link Syncs} in any module. */
@Injectable()
export class SyncSourcesService implements OnModuleInit {
  private readonly sources = new Map<string, SyncSource>();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly database: Database,
  ) {}

  /** @throws ExtensionError if a record has no service, or more than one. */
  onModuleInit(): void {
    for (const provider of this.discovery.getProviders({ metadataKey: Syncs.KEY })) {
      const entity = this.discovery.getMetadataByDecorator(Syncs, provider)!;
      const { kind } = describeTable(entity);
      if (kind === undefined || this.sources.has(kind))
        throw new ExtensionError(`@Syncs(${entity.name}) must mark one service, for an entity with records.`);
      this.sources.set(kind, provider.instance as SyncSource);
    }
    for (const { entity, kind } of tablesOf(this.database.dataSource))
      if (kind !== undefined && !this.sources.has(kind))
        throw new ExtensionError(
          `The records of ${entity.name} need a service marked with @Syncs(${entity.name}).`,
        );
  }

  of(kind: string): SyncSource {
    return this.sources.get(kind)!;
  }
}
