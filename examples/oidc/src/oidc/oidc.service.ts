import { Injectable } from '@nestjs/common';
import { type AuthenticationResponse, TokenIssuer } from 'health-records-service';
import { type Caller, ServiceError } from 'health-records-service/common';
import { assertLiveSession, Database } from 'health-records-service/database';
import type { OidcLinkRequest, OidcLoginRequest } from './dto/oidc.requests';
import type { OidcLinkResponse } from './dto/oidc.responses';
import { OIDC_ERRORS } from './oidc.errors';
import { OidcLinksRepository } from './oidc-links.repository';
import { OidcProvider } from './oidc-provider';

/** Links a person at the provider to an account, and signs that person in. */
@Injectable()
export class OidcService {
  constructor(
    private readonly database: Database,
    private readonly links: OidcLinksRepository,
    private readonly provider: OidcProvider,
    private readonly issuer: TokenIssuer,
  ) {}

  /** @throws ServiceError `invalid_credentials`, the same for an unknown identity and for an erased account. */
  async login(request: OidcLoginRequest, address: string): Promise<AuthenticationResponse> {
    const identity = await this.provider.identityOf(request);
    return this.database.transaction(async (transaction) => {
      const accountId = await this.links.find(transaction, identity);
      const signIn = { address, deviceLabel: request.device_label };
      const answer = accountId && (await this.issuer.issue(transaction, accountId, signIn));
      if (!answer) throw new ServiceError('invalid_credentials');
      return answer;
    });
  }

  /** Security: a stolen session adds no way to sign in: the password is asked for. */
  async link(caller: Caller, request: OidcLinkRequest): Promise<OidcLinkResponse> {
    await this.issuer.confirmPassword(caller, request.current_password);
    const identity = await this.provider.identityOf(request);
    return this.database.transaction(async (transaction) => {
      await this.issuer.record(transaction, caller, 'sign_in_added');
      const link = await this.links.insert(transaction, identity, caller.accountId);
      if (!link) throw new ServiceError(OIDC_ERRORS.oidc_identity_taken);
      return link;
    });
  }

  async list(caller: Caller): Promise<OidcLinkResponse[]> {
    const links = await this.links.list(caller);
    if (links.length === 0) await assertLiveSession(this.database, caller);
    return links;
  }

  /** Ends this way to sign in. Sessions that it has opened go on: end them in the list of sessions. */
  async unlink(caller: Caller, currentPassword: string): Promise<void> {
    await this.issuer.confirmPassword(caller, currentPassword);
    await this.database.transaction(async (transaction) => {
      await this.issuer.record(transaction, caller, 'sign_in_removed');
      await this.links.delete(transaction, caller.accountId);
    });
  }
}
