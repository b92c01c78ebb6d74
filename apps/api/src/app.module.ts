import { type DynamicModule, Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, DiscoveryModule } from '@nestjs/core';
import { Clock } from '@app/common';
import { ConfigModule, type ServiceConfig } from '@app/config';
import { DatabaseModule } from '@app/database';
import type { Extensions } from '@app/extension';
import { ErrorFilter, KnownQueryGuard, RequestPipe } from '@app/http';
import { AccessTokenGuard, SecurityModule, SpaceGuard } from '@app/security';
import { composeService } from './domains';

/** What every module can inject without an import, beside configuration, database and security. */
@Global()
@Module({ providers: [Clock], exports: [Clock] })
class SharedModule {}

/** The whole service for one configuration. Global guards run in the order of this list. */
@Module({})
export class AppModule {
  /**
   * @throws ExtensionError if the extension is invalid, or if `config` was made without the settings of the
   * extension.
   */
  static forRoot(config: ServiceConfig, extension?: Extensions): DynamicModule {
    const { modules, schema, settings } = composeService(extension);
    for (const each of settings) config.valuesOf(each);
    return {
      module: AppModule,
      imports: [
        SharedModule,
        ConfigModule.forRoot(config),
        DatabaseModule.forRoot(schema),
        SecurityModule,
        DiscoveryModule,
        ...modules,
      ],
      providers: [
        { provide: APP_GUARD, useClass: AccessTokenGuard },
        { provide: APP_GUARD, useClass: SpaceGuard },
        { provide: APP_GUARD, useClass: KnownQueryGuard },
        { provide: APP_PIPE, useClass: RequestPipe },
        { provide: APP_FILTER, useClass: ErrorFilter },
      ],
    };
  }
}
