import { Body, Controller, Get, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Caller } from '@app/common';
import { ApiRoute, BODY_ERRORS } from '@app/http';
import { CurrentCaller, PutAccountKeysRequest } from '@app/security';
import { AccountKeysService } from './account-keys.service';
import { AccountKeysResponse } from './dto/account-keys.response';

@ApiTags('Shared profiles')
@Controller('users/me/keys')
export class AccountKeysController {
  constructor(private readonly keys: AccountKeysService) {}

  @Get()
  @ApiRoute({
    summary: 'Read the keys by which others know you',
    description: 'The public ones, and the private ones sealed by your devices.',
    status: 200,
    body: AccountKeysResponse,
    errors: ['not_found'],
  })
  get(@CurrentCaller() caller: Caller): Promise<AccountKeysResponse> {
    return this.keys.get(caller);
  }

  @Put()
  @ApiRoute({
    summary: 'Store the keys by which others know you',
    description: 'Only where there are none: they are never replaced in silence.',
    status: 201,
    body: AccountKeysResponse,
    errors: [...BODY_ERRORS, 'keys_changed', 'storage_low'],
  })
  put(@CurrentCaller() caller: Caller, @Body() request: PutAccountKeysRequest): Promise<AccountKeysResponse> {
    return this.keys.put(caller, request);
  }
}
