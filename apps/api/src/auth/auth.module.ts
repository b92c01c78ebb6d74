import { Module } from '@nestjs/common';
import { ProfilesModule } from '../profiles/profiles.module';
import { AccountsRepository } from './accounts.repository';
import { AccountsService } from './accounts.service';
import { AuthController } from './auth.controller';
import { CredentialsService } from './credentials.service';
import { DeviceTokensRepository } from './device-tokens.repository';
import { DeviceTokensService } from './device-tokens.service';
import { LoginsRepository } from './logins.repository';
import { LoginsService } from './logins.service';
import { ProofService } from './proof.service';
import { RegistrationService } from './registration.service';
import { SecurityEventsRepository } from './security-events.repository';
import { SecurityEventsService } from './security-events.service';
import { SessionsController } from './sessions.controller';
import { SessionsRepository } from './sessions.repository';
import { SessionsService } from './sessions.service';
import { SignInService } from './sign-in.service';
import { UsersController } from './users.controller';

@Module({
  imports: [ProfilesModule],
  controllers: [AuthController, SessionsController, UsersController],
  providers: [
    AccountsService,
    AccountsRepository,
    CredentialsService,
    DeviceTokensService,
    DeviceTokensRepository,
    LoginsService,
    LoginsRepository,
    ProofService,
    RegistrationService,
    SecurityEventsService,
    SecurityEventsRepository,
    SessionsService,
    SessionsRepository,
    SignInService,
  ],
  exports: [AccountsService, ProofService, SecurityEventsService],
})
export class AuthModule {}
