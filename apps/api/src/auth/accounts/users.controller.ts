import { Body, Controller, Delete, Get, Param, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller, Page, RevisionCondition } from '@app/common';
import {
  ApiIfMatch,
  ApiRoute,
  BODY_ERRORS,
  EmptyBody,
  IfMatch,
  ITEM_HEADERS,
  LimitByAddress,
  LIST_HEADERS,
  ListQuery,
} from '@app/http';
import { ADDRESS_POLICIES, CurrentCaller } from '@app/security';
import { AccountsService } from './accounts.service';
import { CredentialsService } from './credentials.service';
import { AuthenticationResponse } from '../sessions/dto/authentication.response';
import { DeviceTokensService } from '../devices/device-tokens.service';
import { DeviceTokenResponse } from '../devices/dto/device-token.response';
import { DeleteMeRequest, UpdateMeRequest } from './dto/account.requests';
import { MeResponse } from './dto/me.response';
import { SecurityEventResponse } from '../events/dto/security-event.response';
import { UsageResponse } from './dto/usage.response';
import { SecurityEventsService } from '../events/security-events.service';

@ApiTags('Account')
@Controller('users/me')
export class UsersController {
  constructor(
    private readonly accounts: AccountsService,
    private readonly credentials: CredentialsService,
    private readonly events: SecurityEventsService,
    private readonly devices: DeviceTokensService,
  ) {}

  @Get()
  @ApiRoute({ summary: 'Read your account', status: 200, body: MeResponse, headers: ITEM_HEADERS })
  me(@CurrentCaller() caller: Caller): Promise<MeResponse> {
    return this.accounts.me(caller);
  }

  @Get('usage')
  @ApiRoute({
    summary: 'Read how much your account stores, and may store',
    description: 'A create beyond either limit is refused with `quota_exceeded`.',
    status: 200,
    body: UsageResponse,
    inSpaces: 'viewer',
  })
  usage(@CurrentCaller() caller: Caller): Promise<UsageResponse> {
    return this.accounts.usage(caller);
  }

  // This route has the same rate limit as register, because its answer also shows whether an email is taken.
  @LimitByAddress(ADDRESS_POLICIES.register)
  @Put()
  @ApiIfMatch()
  @ApiRoute({
    summary: 'Change the email, and the secret with it',
    description:
      'The salt of the key derivation belongs to the email. Every older token of the account dies at once.',
    status: 200,
    body: AuthenticationResponse,
    errors: [...BODY_ERRORS, 'current_password_wrong', 'email_taken', 'revision_mismatch'],
  })
  updateMe(
    @CurrentCaller() caller: Caller,
    @Body() request: UpdateMeRequest,
    @IfMatch() condition?: RevisionCondition,
  ): Promise<AuthenticationResponse> {
    return this.credentials.change(caller, request, condition);
  }

  @Post('delete')
  @ApiIfMatch()
  @ApiRoute({
    summary: 'Erase your account and everything that it owns',
    description:
      'At once and for ever. The email can then be registered again. An account that an operator has to keep is erased ' +
      'when that ends: until then the answer is `erasure_held`.',
    status: 204,
    errors: [...BODY_ERRORS, 'current_password_wrong', 'erasure_held', 'sole_owner', 'revision_mismatch'],
  })
  deleteMe(
    @CurrentCaller() caller: Caller,
    @Body() request: DeleteMeRequest,
    @IfMatch() condition?: RevisionCondition,
  ): Promise<void> {
    return this.credentials.erase(caller, request, condition);
  }

  @Get('device-tokens')
  @ApiRoute({
    summary: 'List the devices that have a device token, last used first',
    description: 'Each with the label of the last session that it opened.',
    status: 200,
    body: [DeviceTokenResponse],
  })
  listDeviceTokens(@CurrentCaller() caller: Caller): Promise<DeviceTokenResponse[]> {
    return this.devices.list(caller);
  }

  @Delete('device-tokens/:id')
  @ApiRoute({
    summary: 'End one device token',
    description: 'The device keeps its session. It counts as a stranger at its next sign-in.',
    status: 204,
    errors: [...BODY_ERRORS, 'not_found'],
  })
  endDeviceToken(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() _body: EmptyBody,
  ): Promise<void> {
    return this.devices.end(caller, id);
  }

  @Get('events')
  @ApiRoute({
    summary: 'What happened to the credentials of your account in the last 180 days, newest first',
    description:
      'Sign-ins, changes of the password and the like, so that a person can see what they did not do.',
    status: 200,
    body: [SecurityEventResponse],
    headers: LIST_HEADERS,
    errors: ['validation_failed'],
  })
  listEvents(
    @CurrentCaller() caller: Caller,
    @Query() query: ListQuery,
  ): Promise<Page<SecurityEventResponse>> {
    return this.events.list(caller, query);
  }
}
