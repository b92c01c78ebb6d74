import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { ChangesRepository } from './changes.repository';
import { SyncController } from './sync.controller';
import { SyncService } from './sync.service';
import { SyncSourcesService } from './sync-sources.service';

@Module({
  imports: [DiscoveryModule],
  controllers: [SyncController],
  providers: [SyncService, SyncSourcesService, ChangesRepository],
})
export class SyncModule {}
