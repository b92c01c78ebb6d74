import { Body, Controller, Delete, Get, HttpCode, Param, Post, Put, Query } from '@nestjs/common';
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
  ListQuery,
} from '@app/http';
import { CurrentCaller } from '@app/security';
import { CreateProfileRequest } from './dto/create-profile.request';
import { ProfileResponse } from './dto/profile.response';
import { UpdateProfileRequest } from './dto/update-profile.request';
import { ProfilesService } from './profiles.service';

@ApiTags('Profiles')
@Controller('profiles')
export class ProfilesController {
  constructor(private readonly profiles: ProfilesService) {}

  @Get()
  @ApiRoute({
    summary: 'List your profiles, oldest first',
    status: 200,
    body: [ProfileResponse],
    headers: LIST_HEADERS,
    errors: ['validation_failed'],
  })
  list(@CurrentCaller() caller: Caller, @Query() query: ListQuery): Promise<Page<ProfileResponse>> {
    return this.profiles.list(caller, query);
  }

  @Post()
  @ApiIdempotencyKey()
  @ApiRoute({
    summary: 'Create a profile for a person or a pet',
    status: 201,
    body: ProfileResponse,
    headers: ITEM_HEADERS,
    errors: CREATE_ERRORS,
  })
  create(
    @CurrentCaller() caller: Caller,
    @Body() profile: CreateProfileRequest,
    @IdempotencyKey() requestKey?: IdempotencyKeyDigest,
  ): Promise<Created<ProfileResponse>> {
    return this.profiles.create(caller, profile, requestKey);
  }

  @Get(':id')
  @ApiRoute({
    summary: 'Read one of your profiles',
    status: 200,
    body: ProfileResponse,
    headers: ITEM_HEADERS,
    errors: ['not_found'],
  })
  get(@CurrentCaller() caller: Caller, @Param('id') id: string): Promise<ProfileResponse> {
    return this.profiles.get(caller, id);
  }

  @Put(':id')
  @ApiIfMatch()
  @ApiRoute({
    summary: 'Update one of your profiles',
    description:
      'Takes any subset of the fields. A blob or key needs its IV beside it, unless the stored IV is empty.',
    status: 200,
    body: ProfileResponse,
    headers: ITEM_HEADERS,
    errors: CHANGE_ERRORS,
  })
  update(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() profile: UpdateProfileRequest,
    @IfMatch() condition?: RevisionCondition,
  ): Promise<ProfileResponse> {
    return this.profiles.update(caller, id, profile, condition);
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiIfMatch()
  @ApiRoute({
    summary: 'Delete one of your profiles and everything under it',
    status: 204,
    errors: CHANGE_ERRORS,
  })
  delete(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() _body: EmptyBody,
    @IfMatch() condition?: RevisionCondition,
  ): Promise<void> {
    return this.profiles.delete(caller, id, condition);
  }
}
