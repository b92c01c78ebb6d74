import { Body, Controller, Get, Param, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/common';
import { ApiRoute, BODY_ERRORS, EmptyBody, LimitByAddress, Public, WorksReadOnly } from '@app/http';
import { ADDRESS_POLICIES, ClientAddress, CurrentCaller } from '@app/security';
import {
  AddPasskeyRequest,
  PasskeyLoginRequest,
  PasskeyStepUpRequest,
  UpdatePasskeyRequest,
} from './dto/passkey.requests';
import {
  NewPasskeyOptionsResponse,
  PasskeyLoginOptionsResponse,
  PasskeyLoginResponse,
  PasskeyResponse,
} from './dto/passkey.responses';
import { PasskeysService } from './passkeys.service';

@ApiTags('Passkeys')
@Controller()
export class PasskeysController {
  constructor(private readonly passkeys: PasskeysService) {}

  @Post('passkeys/options')
  @ApiRoute({
    summary: 'Ask how to make a passkey',
    description: 'Needs `WEB_ORIGIN`. The ticket holds the challenge; the service stores none.',
    status: 200,
    body: NewPasskeyOptionsResponse,
    errors: [...BODY_ERRORS, 'current_password_wrong', 'passkeys_off', 'passkeys_exceeded'],
  })
  newPasskeyOptions(
    @CurrentCaller() caller: Caller,
    @Body() request: PasskeyStepUpRequest,
  ): Promise<NewPasskeyOptionsResponse> {
    return this.passkeys.newPasskeyOptions(caller, request.current_password);
  }

  @Post('passkeys')
  @ApiRoute({
    summary: 'Add a passkey',
    description:
      'With a wrap of the account key it unlocks, too. Delete `clientExtensionResults.prf` before sending: it is the key ' +
      'that unlocks, and the service refuses it. A repeat gets the same answer.',
    status: 201,
    body: PasskeyResponse,
    errors: [...BODY_ERRORS, 'invalid_credentials', 'passkeys_off', 'passkeys_exceeded'],
  })
  add(@CurrentCaller() caller: Caller, @Body() request: AddPasskeyRequest): Promise<PasskeyResponse> {
    return this.passkeys.add(caller, request);
  }

  @Get('passkeys')
  @ApiRoute({
    summary: 'List your passkeys, oldest first',
    description: 'At most ten, each with its wrap of the account key.',
    status: 200,
    body: [PasskeyResponse],
  })
  list(@CurrentCaller() caller: Caller): Promise<PasskeyResponse[]> {
    return this.passkeys.list(caller);
  }

  @Put('passkeys/:id')
  @ApiRoute({
    summary: 'Rename a passkey, or replace its wrap of the account key',
    description: 'The three fields of the wrap together, or none of them.',
    status: 200,
    body: PasskeyResponse,
    errors: [...BODY_ERRORS, 'not_found'],
  })
  update(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() request: UpdatePasskeyRequest,
  ): Promise<PasskeyResponse> {
    return this.passkeys.update(caller, id, request);
  }

  @WorksReadOnly()
  @Post('passkeys/:id/delete')
  @ApiRoute({
    summary: 'Remove a passkey',
    description: 'It signs in no more. Sessions that it opened stay: end them in the list of sessions.',
    status: 204,
    errors: [...BODY_ERRORS, 'current_password_wrong', 'not_found', 'second_step_unsafe'],
  })
  remove(
    @CurrentCaller() caller: Caller,
    @Param('id') id: string,
    @Body() request: PasskeyStepUpRequest,
  ): Promise<void> {
    return this.passkeys.remove(caller, id, request.current_password);
  }

  @Public()
  @LimitByAddress(ADDRESS_POLICIES.passkey)
  @WorksReadOnly()
  @Post('auth/passkey/options')
  @ApiRoute({
    summary: 'Ask how to sign in with a passkey',
    description: 'Names no account and no passkey. The ticket holds the challenge; the service stores none.',
    status: 200,
    body: PasskeyLoginOptionsResponse,
    errors: [...BODY_ERRORS, 'passkeys_off'],
    isPublic: true,
  })
  loginOptions(@Body() _body: EmptyBody): Promise<PasskeyLoginOptionsResponse> {
    return this.passkeys.loginOptions();
  }

  @Public()
  @LimitByAddress(ADDRESS_POLICIES.passkey)
  @WorksReadOnly()
  @Post('auth/passkey/login')
  @ApiRoute({
    summary: 'Sign in with a passkey',
    description:
      'The answer of a login, and the wrap of the passkey. An unknown passkey gets the same answer as a wrong signature, ' +
      'after the same work.',
    status: 200,
    body: PasskeyLoginResponse,
    errors: [...BODY_ERRORS, 'invalid_credentials', 'account_suspended', 'passkeys_off'],
    isPublic: true,
  })
  login(
    @Body() request: PasskeyLoginRequest,
    @ClientAddress() address: string,
  ): Promise<PasskeyLoginResponse> {
    return this.passkeys.login(request, address);
  }
}
