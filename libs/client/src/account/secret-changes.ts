import type { HttpTransport } from '../http/http-transport';
import type { SessionTransport } from '../http/session-transport';
import { readTokens } from '../http/tokens';
import { signalOf } from '../records/encrypted-collection';
import type { CallOptions } from '../records/record-types';
import { PASSWORD, type Account } from './account';
import type { AccountCache } from './account-cache';
import {
  asWrongPassword,
  checkEmail,
  checkNewPassword,
  deriveNewPasswordKeys,
  rewrapFromPassword,
  wordsOf,
} from './credentials';

/** Every change of the password or the email. */
export class SecretChanges {
  constructor(
    private readonly http: HttpTransport,
    private readonly sessions: SessionTransport,
    private readonly account: Account,
    private readonly cache: AccountCache,
  ) {}

  async changePassword(currentPassword: string, newPassword: string, options: CallOptions): Promise<void> {
    const { email } = await this.sessions.current();
    await checkNewPassword(newPassword, wordsOf(email));
    await this.#replaceSecret(email, currentPassword, email, newPassword, options);
  }

  // The salt depends on the email, so a new email also changes the auth secret and the wrapped key.
  async changeEmail(newEmail: string, currentPassword: string, options: CallOptions): Promise<void> {
    const { email } = await this.sessions.current();
    await this.#replaceSecret(email, currentPassword, checkEmail(newEmail), currentPassword, options);
  }

  /** Sets a new password, a new email, or both. Ends every other session of the account. */
  async #replaceSecret(
    email: string,
    currentPassword: string,
    newEmail: string,
    newPassword: string,
    options: CallOptions,
  ): Promise<void> {
    const assertOurs = this.sessions.hold();
    const { accountId } = await this.sessions.current();
    const { own, wrapped } = await this.account.reauthenticate(currentPassword, options);
    const least = Math.max(own.parameters.iterations, this.account.kdfIterations);
    const next = await deriveNewPasswordKeys(this.http, newEmail, newPassword, least, options.signal);
    const rewrapped = await rewrapFromPassword(wrapped, own, { key: next.wrappingKey, purpose: PASSWORD });
    const moved = newEmail !== email;
    assertOurs();
    try {
      await this.sessions.sendExclusive(
        {
          method: moved ? 'PUT' : 'POST',
          path: moved ? '/api/users/me' : '/api/auth/change-password',
          body: {
            ...(moved && { email: newEmail }),
            current_password: own.authSecret,
            new_password: next.authSecret,
            new_wrapped_dek: rewrapped.wrapped,
            new_wrapped_dek_iv: rewrapped.iv,
            ...next.newKdf,
          },
          ...signalOf(options),
        },
        (answer, session) => ({
          ...session,
          ...readTokens(answer.body, session.accountId),
          email: newEmail,
        }),
      );
    } catch (cause) {
      throw asWrongPassword(cause);
    }
    const secret = { email: newEmail, kdf: next.parameters, wrapped: rewrapped };
    await this.cache.writeAccount({ id: accountId, ...secret }, assertOurs);
  }
}
