import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller, Created, IdempotencyKeyDigest, Page, RevisionCondition } from '@app/common';
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
} from '@app/http';
import { CurrentCaller } from '@app/security';
import { CreateMedicationRequest } from './dto/create-medication.request';
import { ListMedicationsQuery } from './dto/list-medications.query';
import { MedicationResponse } from './dto/medication.response';
import { UpdateMedicationRequest } from './dto/update-medication.request';
import { MedicationsService } from './medications.service';

@ApiTags('Medications')
@Controller('medications')
export class MedicationsController {
  constructor(private readonly medications: MedicationsService) {}

  @Get()
  @ApiRoute({
    summary: 'List medications, newest first',
    status: 200,
    body: [MedicationResponse],
    headers: LIST_HEADERS,
    errors: ['validation_failed'],
  })
  list(
    @CurrentCaller() caller: Caller,
    @Query() query: ListMedicationsQuery,
  ): Promise<Page<MedicationResponse>> {
    return this.medications.list(caller, query);
  }

  @Post()
  @ApiIdempotencyKey()
  @ApiRoute({
    summary: 'Add a medication to a profile',
    status: 201,
    body: MedicationResponse,
    headers: ITEM_HEADERS,
    errors: [...CREATE_ERRORS, 'not_found'],
  })
  create(
    @CurrentCaller() caller: Caller,
    @Body() medication: CreateMedicationRequest,
    @IdempotencyKey() requestKey?: IdempotencyKeyDigest,
  ): Promise<Created<MedicationResponse>> {
    return this.medications.create(caller, medication, requestKey);
  }

  @Get(':id')
  @ApiRoute({
    summary: 'Read one medication',
    status: 200,
    body: MedicationResponse,
    headers: ITEM_HEADERS,
    errors: ['not_found'],
  })
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<MedicationResponse> {
    return this.medications.get(caller, id);
  }

  @Post(':id')
  @HttpCode(200)
  @ApiIfMatch()
  @ApiRoute({
    summary: 'Update one medication',
    description: 'Takes any non-empty subset of the create body; a blob replaces the whole stored blob.',
    status: 200,
    body: MedicationResponse,
    headers: ITEM_HEADERS,
    errors: CHANGE_ERRORS,
  })
  update(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() medication: UpdateMedicationRequest,
    @IfMatch() condition?: RevisionCondition,
  ): Promise<MedicationResponse> {
    return this.medications.update(caller, id, medication, condition);
  }

  @Post(':id/delete')
  @HttpCode(204)
  @ApiIfMatch()
  @ApiRoute({ summary: 'Delete one medication and its doses', status: 204, errors: CHANGE_ERRORS })
  delete(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() _body: EmptyBody,
    @IfMatch() condition?: RevisionCondition,
  ): Promise<void> {
    return this.medications.delete(caller, id, condition);
  }
}
