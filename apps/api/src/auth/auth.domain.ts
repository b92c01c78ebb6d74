import type { Extension } from '@app/extension';
import { AuthModule } from './auth.module';
import { AccountEntity } from './accounts/entities/account.entity';
import { AccountUsageEntity } from './accounts/entities/account-usage.entity';
import { DeviceTokenEntity } from './devices/entities/device-token.entity';
import { EndedSessionEntity } from './sessions/entities/ended-session.entity';
import { ErasureEntity } from './accounts/entities/erasure.entity';
import { InviteEntity } from './invites/entities/invite.entity';
import { KnownAddressEntity } from './accounts/entities/known-address.entity';
import { LoginEntity } from './accounts/entities/login.entity';
import { PasskeyEntity } from './passkeys/entities/passkey.entity';
import { SecurityEventEntity } from './events/entities/security-event.entity';
import { TotpFactorEntity } from './second-step/entities/totp-factor.entity';
import { TrustBookEntity } from './keys/entities/trust-book.entity';
import { SessionEntity } from './sessions/entities/session.entity';

export const AUTH: Extension = {
  modules: [AuthModule],
  entities: [
    AccountEntity,
    AccountUsageEntity,
    DeviceTokenEntity,
    EndedSessionEntity,
    ErasureEntity,
    InviteEntity,
    KnownAddressEntity,
    LoginEntity,
    PasskeyEntity,
    SecurityEventEntity,
    SessionEntity,
    TotpFactorEntity,
    TrustBookEntity,
  ],
};
