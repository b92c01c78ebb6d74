import { Global, Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { PassportModule } from '@nestjs/passport';
import { type Secrets, SECRETS } from '@app/config';
import { AccessTokenStrategy, signingKey } from './access-token.strategy';
import { Decoys } from './decoys';
import { PasswordHasher } from './password-hasher';
import { RateLimits } from './rate-limits/rate-limits';
import { VerifiedTokens } from './verified-tokens';
import { jwtOptions, Tokens } from './tokens';

/** Tokens, hashing and decoys; the guards are registered by the application, in their order. */
@Global()
@Module({
  imports: [
    PassportModule,
    JwtModule.registerAsync({
      inject: [SECRETS],
      useFactory: (secrets: Secrets) => jwtOptions(signingKey(secrets)),
    }),
  ],
  providers: [AccessTokenStrategy, VerifiedTokens, Tokens, PasswordHasher, Decoys, RateLimits],
  exports: [VerifiedTokens, Tokens, PasswordHasher, Decoys, RateLimits],
})
export class SecurityModule {}
