import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller, Created, IdempotencyKeyDigest, Page } from '@app/common';
import {
  ApiIdempotencyKey,
  ApiRoute,
  BODY_ERRORS,
  CREATE_ERRORS,
  EmptyBody,
  IdempotencyKey,
  LIST_HEADERS,
  ListQuery,
  Weight,
} from '@app/http';
import { CurrentCaller } from '@app/security';
import { DosesService } from './doses.service';
import { AdherenceQuery } from './dto/adherence.query';
import { AdherenceResponse } from './dto/adherence.response';
import { DoseResponse } from './dto/dose.response';
import { LogDoseRequest } from './dto/log-dose.request';

@ApiTags('Doses and adherence')
@Controller('medications/:id')
export class DosesController {
  constructor(private readonly doses: DosesService) {}

  @Post('log')
  @ApiIdempotencyKey()
  @ApiRoute({
    summary: 'Log a dose as taken or skipped',
    status: 201,
    body: DoseResponse,
    errors: [...CREATE_ERRORS, 'not_found'],
    inSpaces: 'carer',
  })
  logDose(
    @CurrentCaller() caller: Caller,
    @Param('id') medicationId: string,
    @Body() dose: LogDoseRequest,
    @IdempotencyKey() requestKey?: IdempotencyKeyDigest,
  ): Promise<Created<DoseResponse>> {
    return this.doses.logDose(caller, medicationId, dose, requestKey);
  }

  @Get('log')
  @ApiRoute({
    summary: 'List the doses of a medication, newest first',
    status: 200,
    body: [DoseResponse],
    headers: LIST_HEADERS,
    errors: ['validation_failed', 'not_found'],
    inSpaces: 'viewer',
  })
  list(
    @CurrentCaller() caller: Caller,
    @Param('id') medicationId: string,
    @Query() query: ListQuery,
  ): Promise<Page<DoseResponse>> {
    return this.doses.list(caller, medicationId, query);
  }

  @Post('log/:dose_id/delete')
  @ApiRoute({
    summary: 'Remove a dose that was logged by mistake',
    description: 'It no longer counts in the adherence. It cannot be restored.',
    status: 204,
    errors: [...BODY_ERRORS, 'not_found'],
    inSpaces: 'carer',
  })
  delete(
    @CurrentCaller() caller: Caller,
    @Param('id') medicationId: string,
    @Param('dose_id') id: string,
    @Body() _body: EmptyBody,
  ): Promise<void> {
    return this.doses.delete(caller, medicationId, id);
  }

  @Weight('adherence')
  @Get('adherence')
  @ApiRoute({
    summary: 'How many of the doses of the last 30 days were taken',
    description: 'With a schedule, missed doses lower the rate; without one it is taken divided by logged.',
    status: 200,
    body: AdherenceResponse,
    errors: ['validation_failed', 'not_found'],
    inSpaces: 'viewer',
  })
  adherence(
    @CurrentCaller() caller: Caller,
    @Param('id') medicationId: string,
    @Query() query: AdherenceQuery,
  ): Promise<AdherenceResponse> {
    return this.doses.adherence(caller, medicationId, query.tz);
  }
}
