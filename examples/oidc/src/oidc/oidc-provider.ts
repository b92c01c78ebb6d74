import { Injectable, Logger } from '@nestjs/common';
import { ServiceError } from 'health-records-service/common';
import { ServiceConfig } from 'health-records-service/config';
import { createHash } from 'node:crypto';
import * as oidc from 'openid-client';
import type { OidcAnswer } from './dto/oidc.requests';
import { OIDC_ERRORS } from './oidc.errors';
import { OIDC_SETTINGS } from './oidc.settings';

const TIMEOUT_SECONDS = 5;

/** What the page keeps while the browser is at the provider. */
export interface OidcStart {
  url: string;
  state: string;
  nonce: string;
  code_verifier: string;
}

/**
 * Talks to the provider: authorization code with PKCE, `state` and `nonce`, and a signed ID token.
 *
 * It reads the provider's metadata and keys at each sign-in. Sign-ins are rare, and keys that were just replaced work
 * at once.
 */
@Injectable()
export class OidcProvider {
  private readonly log = new Logger(OidcProvider.name);
  private readonly settings;

  constructor(config: ServiceConfig) {
    this.settings = config.valuesOf(OIDC_SETTINGS);
  }

  async start(): Promise<OidcStart> {
    const provider = await this.discover();
    const state = oidc.randomState();
    const nonce = oidc.randomNonce();
    const code_verifier = oidc.randomPKCECodeVerifier();
    const url = oidc.buildAuthorizationUrl(provider, {
      redirect_uri: this.settings.OIDC_REDIRECT_URI,
      scope: 'openid',
      state,
      nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(code_verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, state, nonce, code_verifier };
  }

  /**
   * Exchanges the code of the browser's return for the person's identity.
   *
   * Security: the identity is issuer and subject, never the email: a provider may give an email to somebody else.
   * @returns SHA-256 of both, base64url. @throws ServiceError `oidc_refused`, `oidc_provider_away`.
   */
  async identityOf({ query, state, nonce, code_verifier }: OidcAnswer): Promise<string> {
    const provider = await this.discover();
    const back = new URL(this.settings.OIDC_REDIRECT_URI);
    back.search = query;
    try {
      const tokens = await oidc.authorizationCodeGrant(provider, back, {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: code_verifier,
        idTokenExpected: true,
      });
      const { iss, sub } = tokens.claims()!;
      return createHash('sha256').update(`${iss}\n${sub}`).digest('base64url');
    } catch (error) {
      throw this.refusalOf(error);
    }
  }

  private async discover(): Promise<oidc.Configuration> {
    const { OIDC_ISSUER, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET } = this.settings;
    const issuer = new URL(OIDC_ISSUER);
    // The settings allow http on loopback only.
    const execute = [oidc.enableNonRepudiationChecks];
    if (issuer.protocol === 'http:') execute.push(oidc.allowInsecureRequests);
    try {
      return await oidc.discovery(issuer, OIDC_CLIENT_ID, OIDC_CLIENT_SECRET, undefined, {
        execute,
        timeout: TIMEOUT_SECONDS,
      });
    } catch (error) {
      this.log.warn(`The provider does not answer (${(error as Error).name}).`);
      throw new ServiceError(OIDC_ERRORS.oidc_provider_away);
    }
  }

  /** A network error is not the person's fault. Messages of the library may hold parts of tokens: none is logged. */
  private refusalOf(error: unknown): ServiceError {
    const isAway = error instanceof TypeError || (error as Error).name === 'TimeoutError';
    return new ServiceError(isAway ? OIDC_ERRORS.oidc_provider_away : OIDC_ERRORS.oidc_refused);
  }
}
