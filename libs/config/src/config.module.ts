import { type DynamicModule, Global, Module } from '@nestjs/common';
import { resolveSecrets } from './secrets';
import { ServiceConfig } from './service-config';

/** The injection token of `Secrets`. */
export const SECRETS = Symbol('secrets');

/** Makes {@link ServiceConfig} and the secrets injectable everywhere. */
@Global()
@Module({})
export class ConfigModule {
  static forRoot(config: ServiceConfig): DynamicModule {
    return {
      module: ConfigModule,
      providers: [
        { provide: ServiceConfig, useValue: config },
        { provide: SECRETS, useFactory: () => resolveSecrets(config) },
      ],
      exports: [ServiceConfig, SECRETS],
    };
  }
}
