import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/common';
import { ApiRoute, BODY_ERRORS, EmptyBody } from '@app/http';
import { CurrentCaller, CurrentPerson } from '@app/security';
import { CircleService } from './circle.service';
import {
  AddMemberRequest,
  DeleteSpaceRequest,
  LeaveRequest,
  RekeyRequest,
  SetKeysRequest,
  SetRoleRequest,
} from './dto/circle.requests';
import { RostersQuery } from './dto/rosters.query';
import { RosterResponse, SpaceResponse } from './dto/space.response';
import { SpaceService } from './space.service';

@ApiTags('Shared profiles')
@Controller('space')
export class SpaceController {
  constructor(
    private readonly space: SpaceService,
    private readonly circle: CircleService,
  ) {}

  @Get()
  @ApiRoute({
    status: 200,
    body: SpaceResponse,
    summary: 'Read who shares the profile, and your key of it',
    description: 'Without a wrap a member has no key yet: an owner has not compared its new keys.',
    inSpaces: { only: 'viewer' },
  })
  get(@CurrentCaller() caller: Caller): Promise<SpaceResponse> {
    return this.space.get(caller);
  }

  @Get('rosters')
  @ApiRoute({
    summary: 'Read the signed lists of members, oldest first',
    description: 'At most 100.',
    status: 200,
    body: [RosterResponse],
    errors: ['validation_failed'],
    inSpaces: { only: 'viewer' },
  })
  rosters(@CurrentCaller() caller: Caller, @Query() { after }: RostersQuery): Promise<RosterResponse[]> {
    return this.space.rosters(caller, after);
  }

  @Post('members')
  @ApiRoute({
    status: 200,
    body: SpaceResponse,
    summary: 'Let somebody in who has accepted an invitation, or give a member the key',
    description: 'The roster is signed by the caller. The service reads its version alone.',
    errors: [...BODY_ERRORS, 'already_member', 'members_exceeded'],
    inSpaces: { only: 'owner' },
  })
  add(@CurrentCaller() caller: Caller, @Body() request: AddMemberRequest): Promise<SpaceResponse> {
    return this.circle.add(caller, request);
  }

  @Post('rekey')
  @ApiRoute({
    status: 200,
    body: SpaceResponse,
    summary: 'Begin a new key, put members out, or lower them',
    description:
      'All or nothing. Another owner stays as it is. Records are then sealed anew by `POST /api/reseal`.',
    errors: [...BODY_ERRORS, 'revision_mismatch'],
    inSpaces: { only: 'owner' },
  })
  rekey(@CurrentCaller() caller: Caller, @Body() request: RekeyRequest): Promise<SpaceResponse> {
    return this.circle.rekey(caller, request);
  }

  @Post('roles')
  @ApiRoute({
    status: 200,
    body: SpaceResponse,
    summary: 'Raise another member, or lower yourself',
    description: 'Lowering another member needs a new key: `POST /api/space/rekey`.',
    errors: [...BODY_ERRORS, 'sole_owner', 'space_role_too_low'],
    inSpaces: { only: 'viewer' },
  })
  setRole(@CurrentCaller() caller: Caller, @Body() request: SetRoleRequest): Promise<SpaceResponse> {
    return this.circle.setRole(caller, request);
  }

  @Post('keys')
  @ApiRoute({
    status: 200,
    body: SpaceResponse,
    summary: 'Store a roster, and new keys of your own',
    description: 'For a roster that changes nobody else, such as one that says that a new key is due.',
    errors: BODY_ERRORS,
    inSpaces: { only: 'viewer' },
  })
  setKeys(@CurrentCaller() caller: Caller, @Body() request: SetKeysRequest): Promise<SpaceResponse> {
    return this.circle.setKeys(caller, request);
  }

  @Post('leave')
  @ApiRoute({
    summary: 'Leave the shared profile',
    description: 'An owner sends a roster without itself.',
    status: 204,
    errors: [...BODY_ERRORS, 'sole_owner'],
    inSpaces: { only: 'viewer' },
  })
  leave(@CurrentCaller() caller: Caller, @Body() { roster }: LeaveRequest): Promise<void> {
    return this.space.leave(caller, roster);
  }

  @Post('keeper')
  @ApiRoute({
    summary: 'Keep the space from now on: it counts among yours',
    description: 'The keeper answers for the space: an account keeps 20 at most.',
    status: 204,
    errors: [...BODY_ERRORS, 'spaces_exceeded'],
    inSpaces: { only: 'owner' },
  })
  keep(
    @CurrentCaller() caller: Caller,
    @CurrentPerson() person: Caller,
    @Body() _body: EmptyBody,
  ): Promise<void> {
    return this.space.keep(caller, person);
  }

  @Post('delete')
  @ApiRoute({
    summary: 'Delete the shared profile and all its records, for all members',
    description: 'Only where no other owner is left.',
    status: 204,
    errors: [...BODY_ERRORS, 'co_owned', 'current_password_wrong'],
    inSpaces: { only: 'owner' },
  })
  delete(
    @CurrentCaller() caller: Caller,
    @CurrentPerson() person: Caller,
    @Body() { current_password: password }: DeleteSpaceRequest,
  ): Promise<void> {
    return this.space.delete(caller, person, password);
  }
}
