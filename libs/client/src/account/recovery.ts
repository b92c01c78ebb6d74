import { ApiError, IntegrityError, RecoveryFailedError } from '../errors';
import { openRecoveryWrap, wrapForRecovery } from '../crypto/account-key';
import { rewrapDataKey, type WrappedKey } from '../crypto/key-wrapping';
import { deriveRecoveryKeys } from '../crypto/recovery-keys';
import type { HttpTransport } from '../http/http-transport';
import { ObjectReader } from '../http/object-reader';
import { signalOf } from '../records/encrypted-collection';
import type { CallOptions, LoginOptions, ProofOptions } from '../records/record-types';
import type { Account, OpenedAccount } from './account';
import {
  checkEmail,
  checkNewPassword,
  deriveWith,
  deviceLabelOf,
  deviceTokenOf,
  fetchKdfParameters,
  kdfOf,
  openWithPassword,
  wordsOf,
} from './credentials';

/** All uses of a recovery phrase. The phrase itself never leaves the device. */
export class Recovery {
  constructor(
    private readonly http: HttpTransport,
    private readonly account: Account,
  ) {}

  async setPhrase(currentPassword: string, phrase: string, options: CallOptions): Promise<void> {
    const recovery = await deriveRecoveryKeys(phrase);
    const { own, wrapped, accountId } = await this.account.reauthenticate(currentPassword, options);
    const { purpose } = await openWithPassword(wrapped, own, accountId);
    const from = { key: own.wrappingKey, purpose };
    const recoveryWrapped = await wrapForRecovery(wrapped, from, recovery.wrappingKey, accountId);
    await this.account.stepUp({
      method: 'POST',
      path: '/api/auth/recovery/setup',
      body: {
        current_password: own.authSecret,
        recovery_proof: recovery.recoveryProof,
        recovery_wrapped_dek: recoveryWrapped.wrapped,
        recovery_wrapped_dek_iv: recoveryWrapped.iv,
      },
      replayable: true,
      ...signalOf(options),
    });
  }

  async recover(
    email: string,
    phrase: string,
    newPassword: string,
    options: LoginOptions,
  ): Promise<OpenedAccount> {
    const attempt = this.account.attempt();
    const trimmed = checkEmail(email);
    deviceLabelOf(options);
    await checkNewPassword(newPassword, wordsOf(trimmed));
    const recovery = await deriveRecoveryKeys(phrase);
    const recoveryWrapped = await this.#fetchWrap(trimmed, options);
    const told = await fetchKdfParameters(this.http, trimmed, options.signal);
    const iterations = Math.max(told.iterations, this.account.kdfIterations);
    const own = await deriveWith(newPassword, { ...told, iterations });
    try {
      const opened = await openRecoveryWrap(recoveryWrapped, recovery.wrappingKey);
      const { accountId, purpose } = opened;
      // The id of an older account is known only after the sign-in, which then binds it.
      const bound = accountId === undefined ? {} : { accountId };
      const wrapped = await rewrapDataKey(
        opened.inner,
        { key: recovery.wrappingKey, purpose },
        { key: own.wrappingKey, purpose: { purpose: 'password', ...bound } },
      );
      attempt.check();
      await this.http.send({
        method: 'POST',
        path: '/api/auth/recovery/reset-password',
        body: {
          email: trimmed,
          recovery_proof: recovery.recoveryProof,
          new_password: own.authSecret,
          new_wrapped_dek: wrapped.wrapped,
          new_wrapped_dek_iv: wrapped.iv,
          ...kdfOf(own),
          ...deviceTokenOf(options),
        },
        // A second identical reset has no further effect.
        replayable: true,
        ...signalOf(options),
      });
    } catch (cause) {
      const refused = cause instanceof ApiError && cause.status === 401;
      throw refused || cause instanceof IntegrityError
        ? new RecoveryFailedError(undefined, { cause })
        : cause;
    }
    return this.account.loginWith(attempt, trimmed, own, options);
  }

  async verifyPhrase(email: string, phrase: string, options: ProofOptions): Promise<boolean> {
    const trimmed = checkEmail(email);
    const { recoveryProof, wrappingKey } = await deriveRecoveryKeys(phrase);
    const answer = await this.http.send({
      method: 'POST',
      path: '/api/auth/recovery/verify',
      body: { email: trimmed, recovery_proof: recoveryProof, ...deviceTokenOf(options) },
      replayable: true,
      ...signalOf(options),
    });
    if (!new ObjectReader(answer.body, 'verification').boolean('verified')) return false;
    // The service knows the proof only. Whether the phrase opens the data, the wrap itself must show.
    const wrap = await this.#fetchWrap(trimmed, options);
    await this.account.requireKeyOf(trimmed, (await openRecoveryWrap(wrap, wrappingKey)).accountKey);
    return true;
  }

  async #fetchWrap(email: string, options: CallOptions): Promise<WrappedKey> {
    const path = '/api/auth/recovery-info';
    const info = await this.http.send({
      method: 'POST',
      path,
      body: { email },
      replayable: true,
      ...signalOf(options),
    });
    const reader = new ObjectReader(info.body, 'recovery-info');
    return { wrapped: reader.text('recovery_wrapped_dek'), iv: reader.text('recovery_wrapped_dek_iv') };
  }
}
