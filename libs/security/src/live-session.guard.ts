import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { Caller } from '@app/common';
import { assertLiveSession, Database } from '@app/database';

/** For protected routes that read no record of the account: asks the database whether the token is still valid. */
@Injectable()
export class LiveSessionGuard implements CanActivate {
  constructor(private readonly database: Database) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const { user } = context.switchToHttp().getRequest<{ user: Caller }>();
    await assertLiveSession(this.database.shortReads, user);
    return true;
  }
}
