import { Global, Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { type Secrets, SECRETS } from '@app/config';
import { AccessTokenVerifier } from './access-token-verifier';
import { AccessTokenStrategy } from './access-token.strategy';
import { AddressPseudonyms } from './address-pseudonyms';
import { Decoys } from './decoys';
import { EndedSessions } from './ended-sessions';
import { PasswordHasher } from './password-hasher';
import { RateLimits } from './rate-limits/rate-limits';
import { RequestBudgets } from './request-budgets';
import { SealedSecrets } from './sealed-secrets';
import { signingKey } from './verification-key';
import { StoredBytes } from './stored-bytes';
import { Tickets } from './tickets';
import { jwtOptions, Tokens } from './tokens';
import { VerifiedTokens } from './verified-tokens';

const PROVIDERS = [
  AccessTokenStrategy,
  AccessTokenVerifier,
  AddressPseudonyms,
  Decoys,
  EndedSessions,
  PasswordHasher,
  RateLimits,
  RequestBudgets,
  SealedSecrets,
  StoredBytes,
  Tickets,
  Tokens,
  VerifiedTokens,
];

/**
 * Tokens, hashing, limits, decoys and pseudonyms. The application registers the guards in the required order.
 */
@Global()
@Module({
  imports: [
    JwtModule.registerAsync({
      inject: [SECRETS],
      useFactory: (secrets: Secrets) => jwtOptions(signingKey(secrets)),
    }),
  ],
  providers: PROVIDERS,
  exports: PROVIDERS,
})
export class SecurityModule {}
