import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/common';
import { ApiRoute, BODY_ERRORS, Weight } from '@app/http';
import { CurrentCaller } from '@app/security';
import { SpaceResponse } from '../circle/dto/space.response';
import { BeginSpaceRequest, ForgetSpaceRequest } from './dto/begin-space.request';
import { SpaceOverviewResponse } from './dto/space-overview.response';
import { SpacesService } from './spaces.service';

@ApiTags('Shared profiles')
@Controller('spaces')
export class SpacesController {
  constructor(private readonly spaces: SpacesService) {}

  @Weight('list')
  @Get()
  @ApiRoute({
    summary: 'List the shared profiles in which you take part',
    description: 'And those that you have accepted, or that have ended, until you forget them.',
    status: 200,
    body: [SpaceOverviewResponse],
  })
  list(@CurrentCaller() caller: Caller): Promise<SpaceOverviewResponse[]> {
    return this.spaces.list(caller);
  }

  @Weight('download')
  @Post()
  @ApiRoute({
    summary: 'Begin to share a profile',
    description:
      'The profile moves into a space with everything under it: ids, revisions and times stay. A repeat of the same ' +
      'request gets the same answer.',
    status: 201,
    body: SpaceResponse,
    errors: [...BODY_ERRORS, 'not_found', 'id_taken', 'spaces_exceeded', 'profile_too_large', 'storage_low'],
  })
  begin(@CurrentCaller() caller: Caller, @Body() request: BeginSpaceRequest): Promise<SpaceResponse> {
    return this.spaces.begin(caller, request);
  }

  @Post('forget')
  @ApiRoute({
    summary: 'Forget a shared profile in which you take no part any more',
    description: 'It leaves your list. What you have accepted and nobody has confirmed is taken back.',
    status: 204,
    errors: [...BODY_ERRORS, 'already_member'],
  })
  forget(@CurrentCaller() caller: Caller, @Body() { space_id: id }: ForgetSpaceRequest): Promise<void> {
    return this.spaces.forget(caller, id);
  }
}
