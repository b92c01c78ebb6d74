import { Module } from '@nestjs/common';
import { ProfilesModule } from '../profiles/profiles.module';
import { AbandonedAccountsRepository } from './accounts/abandoned-accounts.repository';
import { AbandonedAccountsService } from './accounts/abandoned-accounts.service';
import { AccountsRepository } from './accounts/accounts.repository';
import { AccountsService } from './accounts/accounts.service';
import { AuthController } from './sessions/auth.controller';
import { CredentialsService } from './accounts/credentials.service';
import { DeviceTokensRepository } from './devices/device-tokens.repository';
import { DeviceTokensService } from './devices/device-tokens.service';
import { EmailController } from './email/email.controller';
import { EmailVerificationRepository } from './email/email-verification.repository';
import { EmailVerificationService } from './email/email-verification.service';
import { InvitesRepository } from './invites/invites.repository';
import { KeysController } from './keys/keys.controller';
import { KeysRepository } from './keys/keys.repository';
import { KeysService } from './keys/keys.service';
import { LoginsRepository } from './accounts/logins.repository';
import { LoginsService } from './accounts/logins.service';
import { Mailer } from './email/mailer.service';
import { NoticesService } from './email/notices.service';
import { OperatorRepository } from './accounts/operator.repository';
import { OperatorService } from './accounts/operator.service';
import { PasskeysController } from './passkeys/passkeys.controller';
import { PasskeysRepository } from './passkeys/passkeys.repository';
import { PasskeysService } from './passkeys/passkeys.service';
import { ProofService } from './accounts/proof.service';
import { RegistrationService } from './accounts/registration.service';
import { SecondStepController } from './second-step/second-step.controller';
import { SecondStepRepository } from './second-step/second-step.repository';
import { SecondStepService } from './second-step/second-step.service';
import { SecondStepSignInService } from './second-step/second-step-sign-in.service';
import { SecurityEventsRepository } from './events/security-events.repository';
import { SecurityEventsService } from './events/security-events.service';
import { SessionsController } from './sessions/sessions.controller';
import { SessionsRepository } from './sessions/sessions.repository';
import { SessionsService } from './sessions/sessions.service';
import { SignInService } from './sessions/sign-in.service';
import { SignupsService } from './invites/signups.service';
import { TokenIssuer } from './sessions/token-issuer.service';
import { UsersController } from './accounts/users.controller';
import { WebauthnService } from './passkeys/webauthn.service';

/** Accounts, sessions and sign-in. A module that signs people in by itself imports it, for {@link TokenIssuer}. */
@Module({
  imports: [ProfilesModule],
  controllers: [
    AuthController,
    SessionsController,
    PasskeysController,
    SecondStepController,
    UsersController,
    KeysController,
    EmailController,
  ],
  providers: [
    AbandonedAccountsService,
    AbandonedAccountsRepository,
    AccountsService,
    AccountsRepository,
    CredentialsService,
    DeviceTokensService,
    DeviceTokensRepository,
    EmailVerificationService,
    EmailVerificationRepository,
    InvitesRepository,
    KeysService,
    KeysRepository,
    LoginsService,
    LoginsRepository,
    Mailer,
    NoticesService,
    OperatorRepository,
    OperatorService,
    PasskeysRepository,
    PasskeysService,
    ProofService,
    RegistrationService,
    SecondStepRepository,
    SecondStepService,
    SecondStepSignInService,
    SecurityEventsService,
    SecurityEventsRepository,
    SessionsService,
    SessionsRepository,
    SignInService,
    SignupsService,
    TokenIssuer,
    WebauthnService,
  ],
  exports: [
    AccountsService,
    NoticesService,
    OperatorService,
    ProofService,
    SecondStepService,
    SecurityEventsService,
    SignupsService,
    TokenIssuer,
  ],
})
export class AuthModule {}
