import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller, Page } from '@app/common';
import { ApiRoute, BODY_ERRORS, EmptyBody, LIST_HEADERS, ListQuery, WorksReadOnly } from '@app/http';
import { CurrentCaller } from '@app/security';
import { DeviceTokensService } from '../devices/device-tokens.service';
import { DeviceTokenRequest } from '../devices/dto/device.requests';
import { IssuedDeviceTokenResponse } from '../devices/dto/device-token.response';
import { SessionResponse } from './dto/session.response';
import { SessionsService } from './sessions.service';

const ACCESS_TOKENS = 'The access tokens of an ended session end within 60 seconds.';

@ApiTags('Sessions')
@Controller('auth')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly devices: DeviceTokensService,
  ) {}

  @Get('sessions')
  @ApiRoute({
    summary: 'List the devices that are signed in, last used first',
    description: 'Each with its label, so that a person can recognise it and end its session.',
    status: 200,
    body: [SessionResponse],
    headers: LIST_HEADERS,
    errors: ['validation_failed'],
  })
  list(@CurrentCaller() caller: Caller, @Query() query: ListQuery): Promise<Page<SessionResponse>> {
    return this.sessions.list(caller, query);
  }

  @WorksReadOnly()
  @Delete('sessions/:id')
  @ApiRoute({
    summary: 'Sign one device out',
    description: `${ACCESS_TOKENS} The token of its device ends, too. To kill every token at once use logout-all.`,
    status: 204,
    errors: [...BODY_ERRORS, 'not_found'],
  })
  end(@CurrentCaller() caller: Caller, @Param('id') id: string, @Body() _body: EmptyBody): Promise<void> {
    return this.sessions.end(caller, id);
  }

  @WorksReadOnly()
  @Post('logout-all')
  @ApiRoute({
    summary: 'Sign every device out and kill every token at once',
    description: 'Device tokens end too.',
    status: 204,
    errors: BODY_ERRORS,
  })
  logoutAll(@CurrentCaller() caller: Caller, @Body() _body: EmptyBody): Promise<void> {
    return this.sessions.logoutAll(caller);
  }

  @Post('device-token')
  @ApiRoute({
    summary: 'Get a token by which the service knows this device',
    description:
      "Send it with login and recovery: strangers' wrong tries then do not shut this device out, on any network. " +
      'Good for 180 days after its last use; an account has at most 10, and the least recently used one gives way. ' +
      'It opens nothing by itself. logout-all ends it, and so does a change of the password on another device, unless ' +
      'the request says otherwise.',
    status: 201,
    body: IssuedDeviceTokenResponse,
    errors: [...BODY_ERRORS, 'current_password_wrong'],
  })
  issueDeviceToken(
    @CurrentCaller() caller: Caller,
    @Body() request: DeviceTokenRequest,
  ): Promise<IssuedDeviceTokenResponse> {
    return this.devices.issue(caller, request.current_password);
  }
}
