import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller, IdempotencyKeyDigest } from '@app/common';
import {
  ApiIdempotencyKey,
  ApiRoute,
  BODY_ERRORS,
  BodyLimit,
  IdempotencyKey,
  LimitByAddress,
  Public,
  WorksReadOnly,
} from '@app/http';
import { ADDRESS_POLICIES, ClientAddress, CurrentCaller, UserAgent } from '@app/security';
import { CredentialsService } from '../accounts/credentials.service';
import { AuthenticationResponse, TokensResponse } from './dto/authentication.response';
import { ChangePasswordRequest, PreloginRequest } from '../accounts/dto/account.requests';
import { LoginRequest, RefreshRequest } from './dto/session.requests';
import { PreloginResponse } from '../accounts/dto/prelogin.response';
import { RegisterRequest } from '../accounts/dto/register.request';
import { LoginsService } from '../accounts/logins.service';
import { RegistrationService } from '../accounts/registration.service';
import { SessionsService } from './sessions.service';
import { SignInService } from './sign-in.service';

/** The blob with the name of the first profile, and six wrapped keys with their IVs. */
const MAX_REGISTRATION_BYTES = 320 * 1024;

@ApiTags('Authentication')
@Controller('auth')
export class AuthController {
  constructor(
    private readonly registration: RegistrationService,
    private readonly logins: LoginsService,
    private readonly signIn: SignInService,
    private readonly sessions: SessionsService,
    private readonly credentials: CredentialsService,
  ) {}

  @Public()
  @LimitByAddress(ADDRESS_POLICIES.prelogin)
  @WorksReadOnly()
  @Post('prelogin')
  @ApiRoute({
    summary: 'Ask how to derive the auth secret for an email',
    description: 'The answer is the same before and after an account exists.',
    status: 200,
    body: PreloginResponse,
    errors: BODY_ERRORS,
    isPublic: true,
  })
  prelogin(@Body() request: PreloginRequest): Promise<PreloginResponse> {
    return this.logins.prelogin(request.email);
  }

  @Public()
  @LimitByAddress(ADDRESS_POLICIES.register)
  @BodyLimit(MAX_REGISTRATION_BYTES)
  @Post('register')
  @ApiRoute({
    summary: 'Create an account, and its first profile where a wrapped profile key is sent',
    description: 'The client makes and wraps all keys before. The answer signs the account in.',
    status: 201,
    body: AuthenticationResponse,
    errors: [
      ...BODY_ERRORS,
      'email_taken',
      'id_taken',
      'signups_closed',
      'invite_required',
      'invite_invalid',
    ],
    isPublic: true,
  })
  register(
    @Body() request: RegisterRequest,
    @ClientAddress() address: string,
  ): Promise<AuthenticationResponse> {
    return this.registration.register(request, address);
  }

  @Public()
  @WorksReadOnly()
  @Post('login')
  @ApiRoute({
    summary: 'Sign in',
    description:
      'An unknown email gets the same answer as a wrong password, after the same work. The error `second_step_required` has ' +
      'three more members: `ticket`, `methods` (`totp`, `passkey`) and, for a passkey, `passkey_options`.',
    status: 200,
    body: AuthenticationResponse,
    errors: [...BODY_ERRORS, 'invalid_credentials', 'account_suspended', 'second_step_required'],
    isPublic: true,
  })
  login(@Body() request: LoginRequest, @ClientAddress() address: string): Promise<AuthenticationResponse> {
    return this.signIn.login(request, address);
  }

  @Public()
  @WorksReadOnly()
  @Post('refresh')
  @ApiIdempotencyKey(
    'Makes a repeat safe whose answer was lost: the same token with the same key gets the same successor, for 60 ' +
      'seconds or until the successor is used. Use a new random key for each exchange.',
  )
  @ApiRoute({
    summary: 'Exchange a refresh token for a new pair',
    description:
      'A refresh token works once: of many requests with one token exactly one succeeds. To use one again ends the ' +
      'whole session, because it may have been stolen. Without an end it is only refused within ten seconds, to a ' +
      'client with the network and the User-Agent of the exchange.',
    status: 200,
    body: TokensResponse,
    errors: [...BODY_ERRORS, 'refresh_token_invalid'],
    isPublic: true,
  })
  refresh(
    @Body() request: RefreshRequest,
    @ClientAddress() address: string,
    @UserAgent() userAgent: string,
    @IdempotencyKey() requestKey?: IdempotencyKeyDigest,
  ): Promise<TokensResponse> {
    return this.sessions.refresh(request.refresh_token, { address, userAgent }, requestKey?.key);
  }

  @Public()
  @WorksReadOnly()
  @Post('logout')
  @ApiRoute({
    summary: 'End the session of a refresh token',
    description:
      'A token that was exchanged already ends its session, too. The access tokens of the session end within 60 seconds. ' +
      'Also succeeds for a token that is unknown or already revoked.',
    status: 204,
    errors: BODY_ERRORS,
    isPublic: true,
  })
  logout(@Body() request: RefreshRequest, @ClientAddress() address: string): Promise<void> {
    return this.sessions.logout(request.refresh_token, address);
  }

  @WorksReadOnly()
  @Post('change-password')
  @ApiRoute({
    summary: 'Change the password and store the re-wrapped account key',
    description: 'Every older token of the account dies at once; the recovery phrase stays valid.',
    status: 200,
    body: AuthenticationResponse,
    errors: [...BODY_ERRORS, 'current_password_wrong'],
  })
  changePassword(
    @CurrentCaller() caller: Caller,
    @Body() request: ChangePasswordRequest,
  ): Promise<AuthenticationResponse> {
    return this.credentials.change(caller, request);
  }
}
