import type { Extension } from '@app/extension';
import { AuthModule } from './auth.module';
import { AccountEntity } from './entities/account.entity';
import { AccountUsageEntity } from './entities/account-usage.entity';
import { DeviceTokenEntity } from './entities/device-token.entity';
import { ErasureEntity } from './entities/erasure.entity';
import { InviteEntity } from './entities/invite.entity';
import { KnownAddressEntity } from './entities/known-address.entity';
import { LoginEntity } from './entities/login.entity';
import { SecurityEventEntity } from './entities/security-event.entity';
import { SessionEntity } from './entities/session.entity';

export const AUTH: Extension = {
  modules: [AuthModule],
  entities: [
    AccountEntity,
    AccountUsageEntity,
    DeviceTokenEntity,
    ErasureEntity,
    InviteEntity,
    KnownAddressEntity,
    LoginEntity,
    SecurityEventEntity,
    SessionEntity,
  ],
};
