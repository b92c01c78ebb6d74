import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/common';
import { ApiRoute, Weight } from '@app/http';
import { CurrentCaller } from '@app/security';
import { SyncQuery } from './dto/sync.query';
import { SyncResponse } from './dto/sync.response';
import { SyncService } from './sync.service';

@ApiTags('Sync')
@Controller('sync')
export class SyncController {
  constructor(private readonly sync: SyncService) {}

  @Weight('sync')
  @Get()
  @ApiRoute({
    summary: 'Read what has changed since the last time',
    description:
      'Each record once, in its newest state, in the order of the commits; deletions are told for 180 days. No change is ' +
      'skipped. On `sync_reset` begin again without a cursor, and delete nothing on the device without asking.',
    status: 200,
    body: SyncResponse,
    errors: ['validation_failed', 'sync_reset'],
    inSpaces: 'viewer',
  })
  page(@CurrentCaller() caller: Caller, @Query() query: SyncQuery): Promise<SyncResponse> {
    return this.sync.page(caller, query);
  }
}
