import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { ConfigModule, type ServiceConfig } from '@app/config';
import { DatabaseModule } from '@app/database';
import { ErrorFilter, KnownQueryGuard, RequestPipe } from '@app/http';
import { AccessTokenGuard, RateLimitGuard, SecurityModule } from '@app/security';
import { AppointmentsModule } from './appointments/appointments.module';
import { AuthModule } from './auth/auth.module';
import { ENTITIES } from './database-schema';
import { HealthModule } from './health/health.module';
import { HealthStatsModule } from './health-stats/health-stats.module';
import { InteractionsModule } from './interactions/interactions.module';
import { MedicationsModule } from './medications/medications.module';
import { ProfilesModule } from './profiles/profiles.module';
import { RecoveryModule } from './recovery/recovery.module';

/** The whole service for one configuration. Global guards run in the order of this list. */
@Module({})
export class AppModule {
  static forRoot(config: ServiceConfig): DynamicModule {
    return {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        DatabaseModule.forRoot(ENTITIES),
        SecurityModule,
        AuthModule,
        RecoveryModule,
        ProfilesModule,
        MedicationsModule,
        AppointmentsModule,
        HealthStatsModule,
        InteractionsModule,
        HealthModule,
      ],
      providers: [
        { provide: APP_GUARD, useClass: AccessTokenGuard },
        { provide: APP_GUARD, useClass: RateLimitGuard },
        { provide: APP_GUARD, useClass: KnownQueryGuard },
        { provide: APP_PIPE, useClass: RequestPipe },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
