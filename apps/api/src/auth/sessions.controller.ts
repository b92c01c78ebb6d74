import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller, Page } from '@app/common';
import { ApiRoute, BODY_ERRORS, EmptyBody, LIST_HEADERS, ListQuery } from '@app/http';
import { CurrentCaller } from '@app/security';
import { SessionResponse } from './dto/session.response';
import { SessionsService } from './sessions.service';

const FIFTEEN_MINUTES = 'The access token of an ended session is good for the rest of its 15 minutes.';

@ApiTags('Sessions')
@Controller('auth')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Get('sessions')
  @ApiRoute({
    summary: 'List the devices that are signed in, last used first',
    status: 200,
    body: [SessionResponse],
    headers: LIST_HEADERS,
    errors: ['validation_failed'],
  })
  list(@CurrentCaller() caller: Caller, @Query() query: ListQuery): Promise<Page<SessionResponse>> {
    return this.sessions.list(caller, query);
  }

  @Delete('sessions/:id')
  @HttpCode(204)
  @ApiRoute({
    summary: 'Sign one device out',
    description: `${FIFTEEN_MINUTES} To kill every token at once use logout-all.`,
    status: 204,
    errors: [...BODY_ERRORS, 'not_found'],
  })
  end(@CurrentCaller() caller: Caller, @Param('id') id: string, @Body() _body: EmptyBody): Promise<void> {
    return this.sessions.end(caller, id);
  }

  @Post('logout-all')
  @HttpCode(204)
  @ApiRoute({
    summary: 'Sign every device out and kill every token at once',
    status: 204,
    errors: BODY_ERRORS,
  })
  logoutAll(@CurrentCaller() caller: Caller, @Body() _body: EmptyBody): Promise<void> {
    return this.sessions.logoutAll(caller);
  }
}
