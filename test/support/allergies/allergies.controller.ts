import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import type { Caller, Created, Page, IdempotencyKeyDigest } from '@app/common';
import {
  ApiIdempotencyKey,
  ApiRoute,
  CHANGE_ERRORS,
  CREATE_ERRORS,
  EmptyBody,
  IdempotencyKey,
  LIST_HEADERS,
} from '@app/http';
import { CurrentCaller } from '@app/security';
import { AllergiesService } from './allergies.service';
import { ALLERGY_ERRORS } from './allergies.settings';
import {
  AllergyResponse,
  CreateAllergyRequest,
  ListAllergiesQuery,
  UpdateAllergyRequest,
} from './allergy.requests';

@Controller('allergies')
export class AllergiesController {
  constructor(private readonly allergies: AllergiesService) {}

  @Get()
  @ApiRoute({ summary: 'List allergies', status: 200, body: [AllergyResponse], headers: LIST_HEADERS })
  list(@CurrentCaller() caller: Caller, @Query() query: ListAllergiesQuery): Promise<Page<AllergyResponse>> {
    return this.allergies.list(caller, query);
  }

  @Post()
  @ApiIdempotencyKey()
  @ApiRoute({
    summary: 'Add an allergy',
    status: 201,
    body: AllergyResponse,
    errors: [...CREATE_ERRORS, 'not_found', ALLERGY_ERRORS.too_many_allergies],
  })
  create(
    @CurrentCaller() caller: Caller,
    @Body() allergy: CreateAllergyRequest,
    @IdempotencyKey() key?: IdempotencyKeyDigest,
  ): Promise<Created<AllergyResponse>> {
    return this.allergies.create(caller, allergy, key);
  }

  @Get(':id')
  @ApiRoute({ summary: 'Read an allergy', status: 200, body: AllergyResponse, errors: ['not_found'] })
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<AllergyResponse> {
    return this.allergies.get(caller, id);
  }

  @Put(':id')
  @ApiRoute({ summary: 'Update an allergy', status: 200, body: AllergyResponse, errors: CHANGE_ERRORS })
  update(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() allergy: UpdateAllergyRequest,
  ): Promise<AllergyResponse> {
    return this.allergies.update(caller, id, allergy);
  }

  @Delete(':id')
  @ApiRoute({ summary: 'Delete an allergy', status: 204, errors: CHANGE_ERRORS })
  delete(@CurrentCaller() caller: Caller, @Param('id') id: string, @Body() _body: EmptyBody): Promise<void> {
    return this.allergies.delete(caller, id);
  }
}
