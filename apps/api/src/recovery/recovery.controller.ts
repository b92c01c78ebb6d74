import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/common';
import { ApiRoute, BODY_ERRORS, LimitByAddress, Public, WorksReadOnly } from '@app/http';
import { ADDRESS_POLICIES, ClientAddress, CurrentCaller } from '@app/security';
import {
  RecoveryInfoRequest,
  RecoveryProofRequest,
  ResetPasswordRequest,
  SetupRecoveryRequest,
} from './dto/recovery.requests';
import {
  RecoveryInfoResponse,
  ResetPasswordResponse,
  SetupRecoveryResponse,
  VerifyRecoveryResponse,
} from './dto/recovery.responses';
import { RecoverySetupService } from './recovery-setup.service';
import { RecoveryService } from './recovery.service';

@ApiTags('Recovery')
@Controller('auth')
export class RecoveryController {
  constructor(
    private readonly recovery: RecoveryService,
    private readonly recoverySetup: RecoverySetupService,
  ) {}

  @Public()
  @LimitByAddress(ADDRESS_POLICIES.recoveryInfo)
  @Get('recovery-info')
  @ApiRoute({
    summary: 'Fetch the account key as wrapped under the recovery phrase',
    description:
      'The URL, and so the email, may stay in the logs of proxies: POST has it in the body. An unknown email gets a ' +
      'stable decoy of the same shape.',
    status: 200,
    body: RecoveryInfoResponse,
    errors: ['validation_failed'],
    isPublic: true,
  })
  info(@Query() query: RecoveryInfoRequest): Promise<RecoveryInfoResponse> {
    return this.recovery.info(query.email);
  }

  @Public()
  @LimitByAddress(ADDRESS_POLICIES.recoveryInfo)
  @WorksReadOnly()
  @Post('recovery-info')
  @ApiRoute({
    summary: 'Fetch the account key as wrapped under the recovery phrase, without the email in the URL',
    description: 'An unknown email gets a stable decoy of the same shape.',
    status: 200,
    body: RecoveryInfoResponse,
    errors: BODY_ERRORS,
    isPublic: true,
  })
  infoByBody(@Body() request: RecoveryInfoRequest): Promise<RecoveryInfoResponse> {
    return this.recovery.info(request.email);
  }

  @Post('recovery/setup')
  @ApiRoute({
    summary: 'Set a recovery phrase up, or replace it',
    description: 'The phrase itself never leaves the client. To replace it, send both wrapped values.',
    status: 200,
    body: SetupRecoveryResponse,
    errors: [...BODY_ERRORS, 'current_password_wrong'],
  })
  setUp(
    @CurrentCaller() caller: Caller,
    @Body() request: SetupRecoveryRequest,
  ): Promise<SetupRecoveryResponse> {
    return this.recoverySetup.setUp(caller, request);
  }

  @Public()
  @WorksReadOnly()
  @Post('recovery/verify')
  @ApiRoute({
    summary: 'Check a recovery phrase by its proof',
    description: 'Changes nothing. An unknown email gets `false` after the same work.',
    status: 200,
    body: VerifyRecoveryResponse,
    errors: BODY_ERRORS,
    isPublic: true,
  })
  verify(
    @Body() request: RecoveryProofRequest,
    @ClientAddress() address: string,
  ): Promise<VerifyRecoveryResponse> {
    return this.recovery.verify(request, address);
  }

  @Public()
  @WorksReadOnly()
  @Post('recovery/reset-password')
  @ApiRoute({
    summary: 'Set a new password with the recovery phrase',
    description: 'Ends every session of the account, and switches its second step off. Passkeys stay.',
    status: 200,
    body: ResetPasswordResponse,
    errors: [...BODY_ERRORS, 'invalid_credentials', 'account_suspended'],
    isPublic: true,
  })
  resetPassword(
    @Body() request: ResetPasswordRequest,
    @ClientAddress() address: string,
  ): Promise<ResetPasswordResponse> {
    return this.recovery.resetPassword(request, address);
  }
}
