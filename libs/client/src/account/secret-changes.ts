import type { HttpTransport } from '../http/http-transport';
import type { SessionTransport } from '../http/session-transport';
import { readTokens } from '../http/tokens';
import { signalOf } from '../records/encrypted-collection';
import type { CallOptions } from '../records/record-types';
import { rewrapDataKey } from '../crypto/key-wrapping';
import type { Account, OpenedAccount } from './account';
import type { AccountCache } from './account-cache';
import {
  checkEmail,
  checkNewPassword,
  deriveWith,
  fetchKdfParameters,
  kdfOf,
  openWithPassword,
  wordsOf,
} from './credentials';

interface NewSecret {
  email: string;
  password: string;
}

/** Every change of the password or the email. */
export class SecretChanges {
  constructor(
    private readonly http: HttpTransport,
    private readonly sessions: SessionTransport,
    private readonly account: Account,
    private readonly cache: AccountCache,
  ) {}

  /**
   * Raises an older account in the background, with the password that has just opened it: to the present cost of the
   * derivation, and to a wrap that names the account. A failure changes nothing: the next sign-in tries again.
   */
  raise(password: string, opened: OpenedAccount): void {
    if (opened.isBound && opened.own.parameters.iterations >= this.account.kdfIterations) return;
    const raise = async () => {
      const assertOurs = this.sessions.hold();
      const { email } = await this.sessions.current();
      await this.#replaceSecret(opened, { email, password }, assertOurs, {});
    };
    this.account.changing = raise().catch(() => undefined);
  }

  async changePassword(currentPassword: string, newPassword: string, options: CallOptions): Promise<void> {
    const { email } = await this.sessions.current();
    await checkNewPassword(newPassword, wordsOf(email));
    await this.#change(currentPassword, { email, password: newPassword }, options);
  }

  // The salt depends on the email, so a new email also changes the auth secret and the wrapped key.
  async changeEmail(newEmail: string, currentPassword: string, options: CallOptions): Promise<void> {
    await this.sessions.current();
    await this.#change(currentPassword, { email: checkEmail(newEmail), password: currentPassword }, options);
  }

  async #change(currentPassword: string, next: NewSecret, options: CallOptions): Promise<void> {
    const assertOurs = this.sessions.hold();
    const { own, wrapped, accountId } = await this.account.reauthenticate(currentPassword, options);
    const opened = await openWithPassword(wrapped, own, accountId);
    await this.#replaceSecret({ own, wrapped, ...opened }, next, assertOurs, options);
  }

  /** Sets a new password, a new email, or both. Ends every other session of the account. */
  async #replaceSecret(
    { own, wrapped, purpose, accountKey }: OpenedAccount,
    next: NewSecret,
    assertOurs: () => void,
    options: CallOptions,
  ): Promise<void> {
    const { email, accountId } = await this.sessions.current();
    const moved = next.email !== email;
    // The parameters that have opened the key are right. Only those of a new email are the word of the service.
    const known = moved ? await fetchKdfParameters(this.http, next.email, options.signal) : own.parameters;
    const iterations = Math.max(own.parameters.iterations, this.account.kdfIterations);
    const keys = await deriveWith(next.password, { ...known, iterations });
    const from = { key: own.wrappingKey, purpose };
    const to = { key: keys.wrappingKey, purpose: { purpose: 'password', accountId } as const };
    const rewrapped = await rewrapDataKey(wrapped, from, to);
    assertOurs();
    await this.account.stepUpExclusive(
      {
        method: moved ? 'PUT' : 'POST',
        path: moved ? '/api/users/me' : '/api/auth/change-password',
        body: {
          ...(moved && { email: next.email }),
          current_password: own.authSecret,
          new_password: keys.authSecret,
          new_wrapped_dek: rewrapped.wrapped,
          new_wrapped_dek_iv: rewrapped.iv,
          ...kdfOf(keys),
        },
        ...signalOf(options),
      },
      (answer, session) => ({
        ...session,
        ...readTokens(answer.body, session.accountId),
        email: next.email,
      }),
    );
    const account = { id: accountId, email: next.email, kdf: keys.parameters, wrapped: rewrapped };
    await this.cache.writeAccount({ ...account, keyId: accountKey.id }, assertOurs);
  }
}
