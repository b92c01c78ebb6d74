import { Injectable } from '@nestjs/common';
import { type Caller, ServiceError } from '@app/common';
import { Database } from '@app/database';
import { AccountsRepository } from './accounts.repository';
import { AccountsService } from './accounts.service';
import { type MeResponse, toMeResponse } from './dto/me.response';

@Injectable()
export class UsersService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly accountsService: AccountsService,
  ) {}

  async me(caller: Caller): Promise<MeResponse> {
    return toMeResponse(await this.accounts.findCaller(caller));
  }

  /** Erases the account and all that it owns. @throws ServiceError `current_password_wrong`. */
  async deleteMe(caller: Caller, currentPassword: string): Promise<void> {
    const account = await this.accountsService.confirmPassword(caller, currentPassword);
    await this.database.transaction(async (transaction) => {
      if (!(await this.accounts.delete(transaction, account))) throw new ServiceError('token_revoked');
      await this.accounts.deleteLogin(transaction, account.email, account.id);
    });
  }
}
