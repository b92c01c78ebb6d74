import { Injectable } from '@nestjs/common';
import { type Caller, newId, normalizeEmail, ServiceError } from '@app/common';
import { Database, type Executor } from '@app/database';
import { Decoys, PasswordHasher, Tokens } from '@app/security';
import { ProfilesService } from '../profiles/profiles.service';
import { AccountsRepository } from './accounts.repository';
import { AccountsService, KDF, KDF_ITERATIONS } from './accounts.service';
import type { AuthenticationResponse, TokensResponse } from './dto/authentication.response';
import type { ChangePasswordRequest } from './dto/change-password.request';
import type { LoginRequest } from './dto/login.request';
import type { PreloginResponse } from './dto/prelogin.response';
import type { RegisterRequest } from './dto/register.request';
import type { AccountEntity } from './entities/account.entity';
import { SessionsRepository } from './sessions.repository';

@Injectable()
export class AuthService {
  constructor(
    private readonly database: Database,
    private readonly accounts: AccountsRepository,
    private readonly accountsService: AccountsService,
    private readonly sessions: SessionsRepository,
    private readonly profiles: ProfilesService,
    private readonly hasher: PasswordHasher,
    private readonly tokens: Tokens,
    private readonly decoys: Decoys,
  ) {}

  /** Security: an unknown email gets the salt that it would have; the work is the same. */
  async prelogin(rawEmail: string): Promise<PreloginResponse> {
    const email = normalizeEmail(rawEmail)!;
    const salt = this.decoys.salt(email);
    const login = await this.accounts.findLogin(email);
    return {
      kdf: login?.kdf ?? KDF,
      iterations: login?.kdf_iterations ?? KDF_ITERATIONS,
      salt: login?.kdf_salt ?? salt,
    };
  }

  /** @throws ServiceError `email_taken`. */
  async register(request: RegisterRequest): Promise<AuthenticationResponse> {
    const email = normalizeEmail(request.email)!;
    const passwordHash = await this.hasher.hash(request.password);
    const recoveryHash =
      request.recovery_proof === undefined ? null : await this.hasher.hash(request.recovery_proof);
    const id = newId();
    return this.database.transaction(async (transaction) => {
      await this.accounts.insertLogin(transaction, this.accountsService.loginOf(email, id));
      const account = await this.accounts.insert(transaction, {
        id,
        email,
        password_hash: passwordHash,
        wrapped_dek: request.wrapped_dek,
        wrapped_dek_iv: request.wrapped_dek_iv,
        recovery_wrapped_dek: request.recovery_wrapped_dek,
        recovery_wrapped_dek_iv: request.recovery_wrapped_dek_iv,
        recovery_phrase_hash: recoveryHash,
      });
      const sessionId = newId();
      const caller = { accountId: id, tokenVersion: account.token_version, sessionId };
      if (request.default_profile_wrapped_dek !== undefined)
        await this.createProfile(transaction, caller, request);
      return this.openSession(transaction, account, sessionId);
    });
  }

  /** @throws ServiceError `invalid_credentials`, the same for an unknown email and a wrong secret. */
  async login(request: LoginRequest): Promise<AuthenticationResponse> {
    const account = await this.accountsService.findByEmail(request.email);
    const isRight = await this.hasher.verify(request.password, account?.password_hash);
    if (!account || !isRight) throw new ServiceError('invalid_credentials');
    await this.strengthen(account, request.password);
    return this.database.transaction(async (transaction) => {
      // The secret may have changed while it was being checked.
      if (!(await this.accounts.lock(transaction, account))) throw new ServiceError('invalid_credentials');
      return this.openSession(transaction, account);
    });
  }

  /** @throws ServiceError `refresh_token_invalid`. */
  async refresh(refreshToken: string): Promise<TokensResponse> {
    const ticket = this.tokens.readRefreshToken(refreshToken);
    const next = this.tokens.issueRefreshToken(ticket.accountId, ticket.tokenVersion, ticket.sessionId);
    const email = await this.sessions.rotate(ticket, next.hash);
    if (email === undefined) throw new ServiceError('refresh_token_invalid');
    const subject = { id: ticket.accountId, email, token_version: ticket.tokenVersion };
    return { token: this.tokens.issueAccessToken(subject, ticket.sessionId), refresh_token: next.token };
  }

  /** Ends the session of this token. A token that is none has no session: that is no error. Source: RFC 7009 section 2.2. */
  async logout(refreshToken: string): Promise<void> {
    const ticket = this.tokens.tryReadRefreshToken(refreshToken);
    if (ticket) await this.sessions.revoke(ticket);
  }

  /** @throws ServiceError `current_password_wrong`, `token_revoked`, and `email_taken` for a new email. */
  async changePassword(
    caller: Caller,
    request: ChangePasswordRequest & { email?: string },
  ): Promise<AuthenticationResponse> {
    const account = await this.accountsService.confirmPassword(caller, request.current_password);
    const secret = {
      passwordHash: await this.hasher.hash(request.new_password),
      wrappedDek: request.new_wrapped_dek,
      wrappedDekIv: request.new_wrapped_dek_iv,
      email: request.email === undefined ? undefined : normalizeEmail(request.email),
    };
    const response = await this.accountsService.replaceSecret(
      account,
      account.password_hash,
      secret,
      (transaction, changed) => this.openSession(transaction, changed),
    );
    if (!response) throw new ServiceError('token_revoked');
    return response;
  }

  private async openSession(
    transaction: Executor,
    account: AccountEntity,
    sessionId = newId(),
  ): Promise<AuthenticationResponse> {
    const refresh = this.tokens.issueRefreshToken(account.id, account.token_version, sessionId);
    await this.sessions.store(transaction, account.id, sessionId, refresh.hash);
    return {
      token: this.tokens.issueAccessToken(account, sessionId),
      refresh_token: refresh.token,
      wrapped_dek: account.wrapped_dek,
      wrapped_dek_iv: account.wrapped_dek_iv,
    };
  }

  private async createProfile(
    transaction: Executor,
    caller: Caller,
    request: RegisterRequest,
  ): Promise<void> {
    const profile = {
      profile_id: request.default_profile_id,
      kind: request.default_profile_kind,
      relationship: request.default_profile_relationship,
      wrapped_profile_dek: request.default_profile_wrapped_dek!,
      wrapped_profile_dek_iv: request.default_profile_wrapped_dek_iv,
      name_data: request.default_profile_name_data,
      name_iv: request.default_profile_name_iv,
    };
    await this.profiles.create(caller, profile, undefined, transaction);
  }

  /** Hashes a secret again that was stored at a lower cost; only now, while it is at hand, can that be done. */
  private async strengthen(account: AccountEntity, secret: string): Promise<void> {
    if (!this.hasher.isOutdated(account.password_hash)) return;
    await this.accounts.rehash(account, await this.hasher.hash(secret));
  }
}
