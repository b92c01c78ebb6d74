import { Injectable } from '@nestjs/common';
import type { Caller } from '@app/common';
import type { Executor } from '@app/database';
import { AccountsRepository } from '../accounts/accounts.repository';
import { ProofService } from '../accounts/proof.service';
import { SecurityEventsService } from '../events/security-events.service';
import type { AuthenticationResponse } from './dto/authentication.response';
import { SessionsService } from './sessions.service';

/** A sign-in whose person a module has proven. */
export interface ProvenSignIn {
  /** The client's address: `@ClientAddress()`. */
  address: string;
  /** Names the session in the list of sessions. */
  deviceLabel?: string;
}

/** What happened to a way to sign in. */
export type SignInChange = 'sign_in_added' | 'sign_in_removed';

/**
 * Signs accounts in for a module that proves by itself who comes: by OIDC or LDAP, for example. Import `AuthModule`.
 *
 * Security: whoever calls `issue` decides who is signed in. A session reads and writes encrypted data only. The
 * account key stays wrapped, and the client opens it with the vault password as before.
 */
@Injectable()
export class TokenIssuer {
  /** @internal Nest injects it. */
  constructor(
    private readonly accounts: AccountsRepository,
    private readonly sessions: SessionsService,
    private readonly proofs: ProofService,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * Opens a session as a login does, with the event `login`. It locks the account until the transaction ends, so
   * statements before it in the same transaction hold at the moment of the sign-in.
   *
   * @returns the answer of a login; `undefined` if there is no such account. Answer both as `invalid_credentials`.
   */
  async issue(
    transaction: Executor,
    accountId: string,
    { address, deviceLabel }: ProvenSignIn,
  ): Promise<AuthenticationResponse | undefined> {
    const account = await this.accounts.lockById(transaction, accountId);
    return account && this.sessions.start(transaction, account, { kind: 'login', address, deviceLabel });
  }

  /**
   * Checks the caller's password: before a way to sign in is added or removed, for example.
   *
   * @throws ServiceError `current_password_wrong`, `token_revoked`, `rate_limited`, `overloaded`.
   */
  async confirmPassword(caller: Caller, currentPassword: string): Promise<void> {
    await this.proofs.confirmPassword(caller, currentPassword);
  }

  /**
   * Records a change of the ways to sign in as an event that the owner sees. It locks the account and the caller's
   * session until the transaction ends: make the change in the same transaction.
   *
   * @throws ServiceError `token_revoked` if the session has ended since the password was checked.
   */
  async record(transaction: Executor, caller: Caller, change: SignInChange): Promise<void> {
    await this.sessions.lockCaller(transaction, caller);
    await this.events.record(transaction, caller.accountId, change, caller.address);
  }
}
