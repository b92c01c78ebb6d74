import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type {
  Caller,
  Created,
  IdempotencyKeyDigest,
  Page,
  RevisionCondition,
} from 'health-records-service/common';
import {
  ApiIdempotencyKey,
  ApiIfMatch,
  ApiRoute,
  EmptyBody,
  IdempotencyKey,
} from 'health-records-service/http';
import {
  CHANGE_ERRORS,
  CREATE_ERRORS,
  IfMatch,
  ITEM_HEADERS,
  LIST_HEADERS,
} from 'health-records-service/http';
import { CurrentCaller } from 'health-records-service/security';
import { ALLERGY_ERRORS } from './allergies.errors';
import { AllergiesService } from './allergies.service';
import { CreateAllergyRequest, ListAllergiesQuery, UpdateAllergyRequest } from './dto/allergy.requests';
import { AllergyResponse } from './dto/allergy.response';

const LIST = { status: 200, body: [AllergyResponse] as [typeof AllergyResponse], headers: LIST_HEADERS };
const ITEM = { status: 200, body: AllergyResponse, headers: ITEM_HEADERS };
const { allergy_status_unknown } = ALLERGY_ERRORS;

@ApiTags('Allergies')
@Controller('allergies')
export class AllergiesController {
  constructor(private readonly allergies: AllergiesService) {}

  @Get()
  @ApiRoute({ ...LIST, summary: 'List allergies, newest first', errors: ['validation_failed'] })
  list(@CurrentCaller() caller: Caller, @Query() query: ListAllergiesQuery): Promise<Page<AllergyResponse>> {
    return this.allergies.list(caller, query);
  }

  @Post()
  @ApiIdempotencyKey()
  @ApiRoute({
    ...ITEM,
    status: 201,
    summary: 'Add an allergy to a profile',
    errors: [...CREATE_ERRORS, 'not_found', allergy_status_unknown],
  })
  create(
    @CurrentCaller() caller: Caller,
    @Body() allergy: CreateAllergyRequest,
    @IdempotencyKey() key?: IdempotencyKeyDigest,
  ): Promise<Created<AllergyResponse>> {
    return this.allergies.create(caller, allergy, key);
  }

  @Get(':id')
  @ApiRoute({ ...ITEM, summary: 'Read one allergy', errors: ['not_found'] })
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<AllergyResponse> {
    return this.allergies.get(caller, id);
  }

  @Put(':id')
  @ApiIfMatch()
  @ApiRoute({ ...ITEM, summary: 'Update one allergy', errors: [...CHANGE_ERRORS, allergy_status_unknown] })
  update(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() allergy: UpdateAllergyRequest,
    @IfMatch() condition?: RevisionCondition,
  ): Promise<AllergyResponse> {
    return this.allergies.update(caller, id, allergy, condition);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiIfMatch()
  @ApiRoute({ summary: 'Delete one allergy', status: 204, errors: CHANGE_ERRORS })
  delete(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() _body: EmptyBody,
    @IfMatch() condition?: RevisionCondition,
  ): Promise<void> {
    return this.allergies.delete(caller, id, condition);
  }
}
