import { Module } from '@nestjs/common';
import { ProfilesModule } from '../profiles/profiles.module';
import { AccountsRepository } from './accounts.repository';
import { AccountsService } from './accounts.service';
import { AuthController } from './auth.controller';
import { AuthService } from './auth.service';
import { SessionsRepository } from './sessions.repository';
import { UsersController } from './users.controller';
import { UsersService } from './users.service';

@Module({
  imports: [ProfilesModule],
  controllers: [AuthController, UsersController],
  providers: [AuthService, UsersService, AccountsService, AccountsRepository, SessionsRepository],
  exports: [AccountsService],
})
export class AuthModule {}
