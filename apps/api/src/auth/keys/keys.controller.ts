import { Body, Controller, Get, Post, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/common';
import { ApiRoute, BODY_ERRORS, BodyLimit, Weight } from '@app/http';
import { MAX_LARGE_BODY_BYTES } from '@app/opaque';
import { CurrentCaller } from '@app/security';
import { AuthenticationResponse } from '../sessions/dto/authentication.response';
import { ResealResponse, TrustBookResponse } from './dto/keys.responses';
import { ResealRequest } from './dto/reseal.request';
import { RotateKeysRequest } from './dto/rotate-keys.request';
import { PutTrustBookRequest } from './dto/trust-book.request';
import { KeysService } from './keys.service';

@ApiTags('Keys')
@Controller()
export class KeysController {
  constructor(private readonly keys: KeysService) {}

  @Post('users/me/rotate-keys')
  @BodyLimit(MAX_LARGE_BODY_BYTES)
  @Weight('download')
  @ApiRoute({
    summary: 'Replace all keys, the password and the recovery phrase',
    description:
      'After a theft. The client sends a new account key, and all profiles under new keys of their own; all or nothing. ' +
      'Every session and device token ends. Records are then sealed anew by `POST /api/reseal`.',
    status: 200,
    body: AuthenticationResponse,
    errors: [...BODY_ERRORS, 'current_password_wrong', 'keys_changed'],
  })
  rotate(
    @CurrentCaller() caller: Caller,
    @Body() request: RotateKeysRequest,
  ): Promise<AuthenticationResponse> {
    return this.keys.rotate(caller, request);
  }

  @Post('reseal')
  @ApiRoute({
    summary: 'Replace the ciphertexts of records of one kind',
    description:
      'The same contents under a new key, and the proofs of doses. A record with another revision, or a dose with another ' +
      'proof, is left out; each revision rises by one.',
    status: 200,
    body: ResealResponse,
    errors: BODY_ERRORS,
    inSpaces: 'owner',
  })
  reseal(@CurrentCaller() caller: Caller, @Body() request: ResealRequest): Promise<ResealResponse> {
    return this.keys.reseal(caller, request);
  }

  @Get('trust-book')
  @ApiRoute({
    summary: 'Read what your devices trust',
    description: 'One text, sealed by your devices for your devices. Its revision is 0 where there is none.',
    status: 200,
    body: TrustBookResponse,
  })
  trustBook(@CurrentCaller() caller: Caller): Promise<TrustBookResponse> {
    return this.keys.trustBook(caller);
  }

  @Put('trust-book')
  @ApiRoute({
    summary: 'Write what your devices trust',
    description:
      'Only upon the revision that was read: else `revision_mismatch`, and the device reads it again.',
    status: 200,
    body: TrustBookResponse,
    errors: [...BODY_ERRORS, 'revision_mismatch'],
  })
  putTrustBook(
    @CurrentCaller() caller: Caller,
    @Body() request: PutTrustBookRequest,
  ): Promise<TrustBookResponse> {
    return this.keys.putTrustBook(caller, request);
  }
}
