import { Body, Controller, Post, UseGuards } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/common';
import { ApiRoute, BODY_ERRORS, EmptyBody, LimitByAddress, Public } from '@app/http';
import { ADDRESS_POLICIES, ClientAddress, CurrentCaller, LiveSessionGuard } from '@app/security';
import { ReleaseEmailResponse, VerifyEmailResponse } from './dto/email.responses';
import { VerifyEmailRequest } from './dto/verify-email.request';
import { EmailVerificationService } from './email-verification.service';

@ApiTags('Account')
@Controller()
export class EmailController {
  constructor(private readonly verifications: EmailVerificationService) {}

  @Public()
  @Post('auth/email/verify')
  @ApiRoute({
    summary: 'Confirm an email by the code of a link',
    description: 'The code works once, for a day. Without `SMTP_URL` there is no such route (404).',
    status: 200,
    body: VerifyEmailResponse,
    errors: [...BODY_ERRORS, 'verification_invalid', 'not_found'],
    isPublic: true,
  })
  verify(
    @Body() request: VerifyEmailRequest,
    @ClientAddress() address: string,
  ): Promise<VerifyEmailResponse> {
    return this.verifications.verify(request.token, address);
  }

  @Public()
  @Post('auth/email/release')
  @ApiRoute({
    summary: 'Free an email by the code of a link',
    description:
      'For whoever reads the mailbox and has not opened the account. Its email becomes one that nobody has; its records, ' +
      'sessions and password stay. Without `SMTP_URL` there is no such route (404).',
    status: 200,
    body: ReleaseEmailResponse,
    errors: [...BODY_ERRORS, 'verification_invalid', 'not_found'],
    isPublic: true,
  })
  release(
    @Body() request: VerifyEmailRequest,
    @ClientAddress() address: string,
  ): Promise<ReleaseEmailResponse> {
    return this.verifications.release(request.token, address);
  }

  @UseGuards(LiveSessionGuard)
  @LimitByAddress(ADDRESS_POLICIES.verificationMail)
  @Post('users/me/email/verification')
  @ApiRoute({
    summary: 'Send a link to your email, by which you confirm it',
    description:
      'Sends nothing if it is confirmed already, or if a link was sent in the last 15 minutes. Without `SMTP_URL` there ' +
      'is no such route (404).',
    status: 202,
    errors: [...BODY_ERRORS, 'not_found'],
  })
  request(@CurrentCaller() caller: Caller, @Body() _body: EmptyBody): Promise<void> {
    return this.verifications.request(caller);
  }
}
