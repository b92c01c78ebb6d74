import { Body, Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { AuthenticationResponse } from 'health-records-service';
import type { Caller } from 'health-records-service/common';
import {
  ApiRoute,
  BODY_ERRORS,
  LimitByAddress,
  Public,
  type RatePolicy,
  WorksReadOnly,
} from 'health-records-service/http';
import { ClientAddress, CurrentCaller } from 'health-records-service/security';
import { OidcLinkRequest, OidcLoginRequest, OidcUnlinkRequest } from './dto/oidc.requests';
import { OidcLinkResponse, OidcStartResponse } from './dto/oidc.responses';
import { OIDC_ERRORS } from './oidc.errors';
import { OidcService } from './oidc.service';
import { OidcProvider } from './oidc-provider';

const { oidc_refused, oidc_identity_taken, oidc_provider_away } = OIDC_ERRORS;

/** Each request asks the provider, so strangers get few. Counted for all replicas together. */
const SIGN_INS: RatePolicy = { name: 'oidc', points: 600, windowSeconds: 3600 };

@ApiTags('OpenID Connect')
@Controller('oidc')
export class OidcController {
  constructor(
    private readonly provider: OidcProvider,
    private readonly oidc: OidcService,
  ) {}

  @Public()
  @LimitByAddress(SIGN_INS)
  @WorksReadOnly()
  @Post('start')
  @ApiRoute({
    summary: 'Begin a sign-in at the provider',
    status: 200,
    body: OidcStartResponse,
    errors: [oidc_provider_away],
    isPublic: true,
  })
  start(): Promise<OidcStartResponse> {
    return this.provider.start();
  }

  @Public()
  @LimitByAddress(SIGN_INS)
  @WorksReadOnly()
  @Post('login')
  @ApiRoute({
    summary: 'Sign in with what the provider confirmed',
    description: 'The answer is that of a login. The vault password opens the account key as before.',
    status: 200,
    body: AuthenticationResponse,
    errors: [...BODY_ERRORS, 'invalid_credentials', oidc_refused, oidc_provider_away],
    isPublic: true,
  })
  login(
    @Body() request: OidcLoginRequest,
    @ClientAddress() address: string,
  ): Promise<AuthenticationResponse> {
    return this.oidc.login(request, address);
  }

  @Post('link')
  @ApiRoute({
    summary: 'Link the person at the provider to this account',
    status: 200,
    body: OidcLinkResponse,
    errors: [...BODY_ERRORS, 'current_password_wrong', oidc_refused, oidc_identity_taken, oidc_provider_away],
  })
  link(@CurrentCaller() caller: Caller, @Body() request: OidcLinkRequest): Promise<OidcLinkResponse> {
    return this.oidc.link(caller, request);
  }

  @Get('links')
  @ApiRoute({
    summary: 'List the links of this account',
    status: 200,
    body: [OidcLinkResponse],
    errors: [],
  })
  list(@CurrentCaller() caller: Caller): Promise<OidcLinkResponse[]> {
    return this.oidc.list(caller);
  }

  @Post('unlink')
  @ApiRoute({
    summary: 'End the sign-in by the provider',
    status: 204,
    errors: [...BODY_ERRORS, 'current_password_wrong'],
  })
  unlink(@CurrentCaller() caller: Caller, @Body() request: OidcUnlinkRequest): Promise<void> {
    return this.oidc.unlink(caller, request.current_password);
  }
}
