import { Body, Controller, Get, HttpCode, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/common';
import { ApiRoute, BODY_ERRORS, ITEM_HEADERS } from '@app/http';
import { CurrentCaller } from '@app/security';
import { AuthService } from './auth.service';
import { AuthenticationResponse } from './dto/authentication.response';
import { DeleteMeRequest } from './dto/delete-me.request';
import { MeResponse } from './dto/me.response';
import { UpdateMeRequest } from './dto/update-me.request';
import { UsersService } from './users.service';

@ApiTags('Account')
@Controller('users/me')
export class UsersController {
  constructor(
    private readonly users: UsersService,
    private readonly auth: AuthService,
  ) {}

  @Get()
  @ApiRoute({ summary: 'Read your account', status: 200, body: MeResponse, headers: ITEM_HEADERS })
  me(@CurrentCaller() caller: Caller): Promise<MeResponse> {
    return this.users.me(caller);
  }

  @Put()
  @ApiRoute({
    summary: 'Change the email, and the secret with it',
    description:
      'The salt of the key derivation belongs to the email. Every older token of the account dies at once.',
    status: 200,
    body: AuthenticationResponse,
    errors: [...BODY_ERRORS, 'current_password_wrong', 'email_taken'],
  })
  updateMe(
    @CurrentCaller() caller: Caller,
    @Body() request: UpdateMeRequest,
  ): Promise<AuthenticationResponse> {
    return this.auth.changePassword(caller, request);
  }

  @Post('delete')
  @HttpCode(204)
  @ApiRoute({
    summary: 'Erase your account and everything that it owns',
    status: 204,
    errors: [...BODY_ERRORS, 'current_password_wrong'],
  })
  deleteMe(@CurrentCaller() caller: Caller, @Body() request: DeleteMeRequest): Promise<void> {
    return this.users.deleteMe(caller, request.current_password);
  }
}
