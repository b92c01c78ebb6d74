import { Module } from '@nestjs/common';
import { ProfilesModule } from '../profiles/profiles.module';
import { AccountsRepository } from './accounts.repository';
import { AccountsService } from './accounts.service';
import { AuthController } from './auth.controller';
import { CredentialsService } from './credentials.service';
import { DeviceTokensRepository } from './device-tokens.repository';
import { DeviceTokensService } from './device-tokens.service';
import { InvitesRepository } from './invites.repository';
import { LoginsRepository } from './logins.repository';
import { LoginsService } from './logins.service';
import { OperatorRepository } from './operator.repository';
import { OperatorService } from './operator.service';
import { ProofService } from './proof.service';
import { RegistrationService } from './registration.service';
import { SecurityEventsRepository } from './security-events.repository';
import { SecurityEventsService } from './security-events.service';
import { SessionsController } from './sessions.controller';
import { SessionsRepository } from './sessions.repository';
import { SessionsService } from './sessions.service';
import { SignInService } from './sign-in.service';
import { SignupsService } from './signups.service';
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
    InvitesRepository,
    LoginsService,
    LoginsRepository,
    OperatorRepository,
    OperatorService,
    ProofService,
    RegistrationService,
    SecurityEventsService,
    SecurityEventsRepository,
    SessionsService,
    SessionsRepository,
    SignInService,
    SignupsService,
  ],
  exports: [AccountsService, OperatorService, ProofService, SecurityEventsService, SignupsService],
})
export class AuthModule {}
