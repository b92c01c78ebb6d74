import { Body, Controller, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/common';
import { ApiRoute, BODY_ERRORS, Public, WorksReadOnly } from '@app/http';
import { ClientAddress, CurrentCaller } from '@app/security';
import { AuthenticationResponse } from '../sessions/dto/authentication.response';
import {
  ConfirmTotpRequest,
  NewTotpRequest,
  RemoveTotpRequest,
  RequireSecondStepRequest,
  SecondStepRequest,
} from './dto/second-step.requests';
import { NewTotpResponse, SecondStepResponse } from './dto/second-step.responses';
import { SecondStepSignInService } from './second-step-sign-in.service';
import { SecondStepService } from './second-step.service';

@ApiTags('Second step')
@Controller()
export class SecondStepController {
  constructor(
    private readonly steps: SecondStepService,
    private readonly signIn: SecondStepSignInService,
  ) {}

  @Public()
  @WorksReadOnly()
  @Post('auth/second-step')
  @ApiRoute({
    summary: 'Sign in with the second step',
    description:
      'With the ticket of `second_step_required`, and a code of the app or the answer of a passkey to `passkey_options`. ' +
      'After a wrong one the ticket still works.',
    status: 200,
    body: AuthenticationResponse,
    errors: [...BODY_ERRORS, 'invalid_credentials', 'account_suspended', 'second_step_wrong'],
    isPublic: true,
  })
  secondStep(
    @Body() request: SecondStepRequest,
    @ClientAddress() address: string,
  ): Promise<AuthenticationResponse> {
    return this.signIn.signIn(request, address);
  }

  @Get('users/me/second-step')
  @ApiRoute({
    summary: 'Read whether your account asks for a second step',
    description: 'Says what is set up, and no secret. The passkeys are at `/api/passkeys`.',
    status: 200,
    body: SecondStepResponse,
  })
  state(@CurrentCaller() caller: Caller): Promise<SecondStepResponse> {
    return this.steps.state(caller);
  }

  @Put('users/me/second-step')
  @ApiRoute({
    summary: 'Ask for a second step after the password, or no longer',
    description:
      'Only where the loss of one thing locks nobody out: with a recovery phrase, which switches it off, and a passkey or ' +
      'an app; or with two of these. A sign-in with a passkey is never asked.',
    status: 200,
    body: SecondStepResponse,
    errors: [...BODY_ERRORS, 'current_password_wrong', 'second_step_unsafe'],
  })
  require(
    @CurrentCaller() caller: Caller,
    @Body() request: RequireSecondStepRequest,
  ): Promise<SecondStepResponse> {
    return this.steps.require(caller, request);
  }

  @Post('users/me/second-step/totp')
  @ApiRoute({
    summary: 'Make a secret for an app that shows codes',
    description: 'Nothing is stored before the app has shown a right code.',
    status: 200,
    body: NewTotpResponse,
    errors: [...BODY_ERRORS, 'current_password_wrong'],
  })
  newTotp(@CurrentCaller() caller: Caller, @Body() request: NewTotpRequest): Promise<NewTotpResponse> {
    return this.steps.newTotp(caller, request.current_password);
  }

  @Post('users/me/second-step/totp/confirm')
  @ApiRoute({
    summary: 'Take the codes of the app from now on',
    description: 'An app that was added before gives no codes any more. A repeat changes nothing.',
    status: 204,
    errors: [...BODY_ERRORS, 'invalid_credentials', 'second_step_wrong'],
  })
  confirmTotp(@CurrentCaller() caller: Caller, @Body() request: ConfirmTotpRequest): Promise<void> {
    return this.steps.confirmTotp(caller, request);
  }

  @WorksReadOnly()
  @Post('users/me/second-step/totp/delete')
  @ApiRoute({
    summary: 'Take no more codes of the app',
    description: 'Also succeeds where there is none.',
    status: 204,
    errors: [...BODY_ERRORS, 'current_password_wrong', 'second_step_unsafe'],
  })
  removeTotp(@CurrentCaller() caller: Caller, @Body() request: RemoveTotpRequest): Promise<void> {
    return this.steps.removeTotp(caller, request.current_password);
  }
}
