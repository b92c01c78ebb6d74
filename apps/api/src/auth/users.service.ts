import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/common';
import { AccountsRepository } from './accounts.repository';
import { type MeResponse, toMeResponse } from './dto/me.response';

@Injectable()
export class UsersService {
  constructor(private readonly accounts: AccountsRepository) {}

  async me(caller: Caller): Promise<MeResponse> {
    return toMeResponse(await this.accounts.findCaller(caller));
  }
}
