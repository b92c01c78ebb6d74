import { ApiError, TransportError, WrongPasswordError } from '../errors';
import { newId } from '../ids';
import type { JsonObject } from '../json';
import { openAccountKey, openPasswordWrap, type AccountKey, type OpenedWrap } from '../crypto/account-key';
import { generateDataKey, wrapDataKey, type WrappedKey } from '../crypto/key-wrapping';
import { deriveRecoveryKeys } from '../crypto/recovery-keys';
import { normalizeRecoveryPhrase } from '../crypto/recovery-phrase';
import { AES_GCM, subtle } from '../crypto/web-crypto';
import type { HttpAnswer, HttpRequest, HttpTransport } from '../http/http-transport';
import { ObjectReader } from '../http/object-reader';
import type { SessionTransport } from '../http/session-transport';
import type { StoredSession } from '../http/session-store';
import { readTokens, requireAccount, type AccountTokens } from '../http/tokens';
import { sealNewProfile } from '../records/sealed-profile';
import { signalOf } from '../records/encrypted-collection';
import type { CallOptions, LoginOptions } from '../records/record-types';
import {
  asWrongPassword,
  checkEmail,
  checkNewPassword,
  type DerivedKeys,
  deviceLabelOf,
  deviceTokenOf,
  derivePasswordKeysFor,
  deriveWith,
  fetchKdfParameters,
  kdfOf,
  openOnDevice,
  provingPassword,
  readWrappedAccountKey,
  sameEmail,
  wordsOf,
} from './credentials';
import type { AccountCache } from './account-cache';
import type { Registration } from './registration';
import type { KeyRing, UnlockAttempt } from './key-ring';

/** A new account has no dose without a proof. */
const ALWAYS = 0;

/** A wrap that the password has opened. */
export interface OpenedAccount extends OpenedWrap {
  own: DerivedKeys;
  wrapped: WrappedKey;
}

/** The account as the service sees it. */
export interface AccountSummary {
  id: string;
  email: string;
  emailVerified: boolean;
  recoveryEnabled: boolean;
  createdAt: string;
  updatedAt: string;
}

/** Registration, login and unlock. Puts the keys that it opens into the key ring. */
export class Account {
  /** A change of the secret in the background. Who proves the password waits for it. Never rejects. */
  changing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly http: HttpTransport,
    private readonly sessions: SessionTransport,
    private readonly keys: KeyRing,
    /** The least cost of the key derivation of a new secret. */
    readonly kdfIterations: number,
    private readonly cache: AccountCache,
  ) {}

  async register(registration: Registration, options: CallOptions): Promise<void> {
    const attempt = this.keys.attempt();
    const email = checkEmail(registration.email);
    await checkNewPassword(registration.password, wordsOf(email, registration.profile?.details?.name));
    const label = deviceLabelOf(registration);
    const phrase =
      registration.recoveryPhrase === null
        ? null
        : await normalizeRecoveryPhrase(registration.recoveryPhrase);
    // Only the salt is the word of the service, which refuses a secret of another one.
    const { kdf, salt } = await fetchKdfParameters(this.http, email, options.signal);
    const own = await deriveWith(registration.password, { kdf, salt, iterations: this.kdfIterations });
    const recovery = phrase === null ? null : await deriveRecoveryKeys(phrase);
    // The service requires a recovery wrap for every account. Without a phrase, a random key makes the wrap
    // and is then discarded.
    const recoveryKey =
      recovery?.wrappingKey ?? (await subtle().generateKey(AES_GCM, false, ['wrapKey', 'unwrapKey']));
    const newKey = await generateDataKey('account');
    const purpose = { purpose: 'recovery', isBound: true } as const;
    const recoveryWrapped = await wrapDataKey(newKey, recoveryKey, purpose);
    const accountKey = await openAccountKey(recoveryWrapped, recoveryKey, purpose);
    const { accountId } = accountKey;
    const wrapped = await wrapDataKey(newKey, own.wrappingKey, { purpose: 'password', accountId });
    const profile = registration.profile && (await sealNewProfile(registration.profile, accountKey, ALWAYS));
    const answer = await this.http.send({
      method: 'POST',
      path: '/api/auth/register',
      body: {
        email,
        account_id: accountId,
        password: own.authSecret,
        ...kdfOf(own),
        wrapped_dek: wrapped.wrapped,
        wrapped_dek_iv: wrapped.iv,
        recovery_wrapped_dek: recoveryWrapped.wrapped,
        recovery_wrapped_dek_iv: recoveryWrapped.iv,
        ...(recovery && { recovery_proof: recovery.recoveryProof }),
        ...(profile && {
          default_profile_id: profile.id,
          default_profile_wrapped_dek: profile.wrappedKey.wrapped,
          default_profile_wrapped_dek_iv: profile.wrappedKey.iv,
          default_profile_kind: profile.kind,
          default_profile_relationship: profile.relationship,
          default_profile_name_data: profile.nameData,
          default_profile_name_iv: profile.nameIv,
        }),
        ...label,
      },
      ...signalOf(options),
    });
    const tokens = readTokens(answer.body, accountId);
    await this.#begin(attempt, email, tokens, wrapped, own, options);
  }

  async login(email: string, password: string, options: LoginOptions): Promise<OpenedAccount> {
    const attempt = this.keys.attempt();
    const trimmed = checkEmail(email);
    deviceLabelOf(options);
    const own = await derivePasswordKeysFor(this.http, trimmed, password, options.signal);
    return this.loginWith(attempt, trimmed, own, options);
  }

  /** Starts a locked session with the tokens of another sign-in. The password is checked by the unlock. */
  async acceptSignIn(answer: unknown, options: CallOptions): Promise<string> {
    const attempt = this.keys.attempt();
    const tokens = readTokens(answer);
    const { accountId } = tokens;
    let email: string;
    try {
      const me = new ObjectReader(await this.#meOf(tokens, options), 'account');
      requireAccount(me.id('id'), accountId);
      email = me.text('email');
      attempt.check();
    } catch (error) {
      this.sessions.discard(tokens);
      throw error;
    }
    await this.sessions.begin({ baseUrl: this.http.baseUrl, sessionId: newId(), email, ...tokens });
    return email;
  }

  async unlock(password: string, options: CallOptions): Promise<void> {
    const [attempt, assertOurs] = [this.keys.attempt(), this.sessions.hold()];
    const { accountId, email } = await this.sessions.current();
    const cached = await this.cache.readAccount(accountId);
    const onDevice = cached && (await openOnDevice(cached, password));
    if (onDevice) {
      assertOurs();
      return attempt.unlock(onDevice, true);
    }
    const opened = await this.#openByService(accountId, email, password, !!cached?.kdf, options);
    const { accountKey } = opened;
    this.keys.requireSame(accountKey);
    await this.#remember(accountId, email, opened, assertOurs);
    assertOurs();
    attempt.unlock(accountKey);
  }

  async #openByService(
    accountId: string,
    email: string,
    password: string,
    isDoubtful: boolean,
    options: CallOptions,
  ): Promise<OpenedAccount> {
    try {
      const deriving = derivePasswordKeysFor(this.http, email, password, options.signal);
      const [own, me] = await Promise.all([deriving, this.#me(options)]);
      const wrapped = readWrappedAccountKey(me.body);
      const opened = { own, wrapped, ...(await openPasswordWrap(wrapped, own.wrappingKey, accountId)) };
      if (!opened.isBound) await this.#requireOwnKey(accountId, opened);
      return opened;
    } catch (cause) {
      // The password does not open the stored key. Without a network the client cannot tell whether it is a new one.
      if (isDoubtful && cause instanceof TransportError) throw new WrongPasswordError(undefined, { cause });
      throw asWrongPassword(cause);
    }
  }

  /** Stores what an unlock without a network needs. Only a wrap that has opened the account key is stored. */
  #remember(id: string, email: string, opened: OpenedAccount, check: () => void): Promise<void> {
    const { own, wrapped, accountKey } = opened;
    const account = { id, email, kdf: own.parameters, wrapped, keyId: accountKey.id };
    return this.cache.writeAccount(account, check);
  }

  async summary(options: CallOptions): Promise<AccountSummary> {
    const reader = new ObjectReader((await this.#me(options)).body, 'account');
    return {
      id: reader.id('id'),
      email: reader.text('email'),
      emailVerified: reader.boolean('email_verified'),
      recoveryEnabled: reader.boolean('recovery_enabled'),
      createdAt: reader.timestamp('created_at'),
      updatedAt: reader.timestamp('updated_at'),
    };
  }

  async confirmEmail(token: string, options: CallOptions): Promise<void> {
    const path = '/api/auth/email/verify';
    await this.http.send({ method: 'POST', path, body: { token }, ...signalOf(options) });
  }

  async releaseEmail(token: string, options: CallOptions): Promise<void> {
    const path = '/api/auth/email/release';
    await this.http.send({ method: 'POST', path, body: { token }, ...signalOf(options) });
  }

  async requestEmailConfirmation(options: CallOptions): Promise<void> {
    const path = '/api/users/me/email/verification';
    await this.sessions.send({ method: 'POST', path, body: {}, ...signalOf(options) });
  }

  async delete(currentPassword: string, options: CallOptions, soleSpaces?: 'delete'): Promise<void> {
    const { own } = await this.reauthenticate(currentPassword, options);
    await this.stepUp({
      method: 'POST',
      path: '/api/users/me/delete',
      body: { current_password: own.authSecret, ...(soleSpaces && { sole_spaces: soleSpaces }) },
      ...signalOf(options),
    });
    await this.sessions.end('logged_out');
  }

  /** For an operation that ends with an unlock. */
  attempt(): UnlockAttempt {
    return this.keys.attempt();
  }

  /**
   * Checks that a key from a wrap is the account key of this session. Nothing is checked when no session of this
   * email has opened its key.
   * @throws IntegrityError `key_mismatch`
   */
  async requireKeyOf(email: string, key: AccountKey): Promise<void> {
    if (!this.sessions.sessionId) return;
    if (sameEmail((await this.sessions.current()).email, email)) this.keys.requireSame(key);
  }

  /** @throws IntegrityError `account_mismatch` */
  async #me(options: CallOptions): Promise<HttpAnswer> {
    const expected = this.sessions.accountId;
    const answer = await this.sessions.send({ method: 'GET', path: '/api/users/me', ...signalOf(options) });
    requireAccount(new ObjectReader(answer.body, 'account').id('id'), expected ?? '');
    return answer;
  }

  /** The account that the tokens open, which are not stored yet. */
  async #meOf({ accessToken }: AccountTokens, options: CallOptions): Promise<unknown> {
    const request = { method: 'GET', path: '/api/users/me', accessToken, ...signalOf(options) } as const;
    return (await this.http.send(request)).body;
  }

  /** Derives the keys of the current password and fetches the wrapped account key. */
  async reauthenticate(
    password: string,
    options: CallOptions,
  ): Promise<{ own: DerivedKeys; wrapped: WrappedKey; accountId: string }> {
    await this.changing;
    const { email, accountId } = await this.sessions.current();
    const own = await derivePasswordKeysFor(this.http, email, password, options.signal);
    return { own, wrapped: readWrappedAccountKey((await this.#me(options)).body), accountId };
  }

  /** Sends a request that carries the current password, and replaces the tokens. @throws WrongPasswordError */
  stepUpExclusive(...[request, next]: Parameters<SessionTransport['sendExclusive']>): Promise<void> {
    return provingPassword(this.sessions.sendExclusive(request, next));
  }

  /** Sends a request that carries the current password. @throws WrongPasswordError */
  stepUp(request: HttpRequest): Promise<HttpAnswer> {
    return provingPassword(this.sessions.send(request));
  }

  /** Logs in with keys that are already derived. */
  async loginWith(
    attempt: UnlockAttempt,
    email: string,
    own: DerivedKeys,
    options: LoginOptions,
  ): Promise<OpenedAccount> {
    const { secondStep } = options;
    const device = { ...deviceLabelOf(options), ...deviceTokenOf(options) };
    const send = (name: string, body: JsonObject) =>
      this.http.send({
        method: 'POST',
        path: '/api/auth/' + name,
        body: { ...body, ...device },
        ...signalOf(options),
      });
    const answer = await provingPassword(send('login', { email, password: own.authSecret })).catch(
      (error: unknown) => {
        if (secondStep && error instanceof ApiError && error.code === 'second_step_required')
          return secondStep(error.body, (step) => send('second-step', step));
        throw error;
      },
    );
    const tokens = readTokens(answer.body);
    const wrapped = readWrappedAccountKey(answer.body);
    return this.#begin(attempt, email, tokens, wrapped, own, options);
  }

  /** This device must not know the key as that of another account. @throws IntegrityError `account_mismatch` */
  async #requireOwnKey(accountId: string, { accountKey }: OpenedAccount): Promise<void> {
    requireAccount(accountId, (await this.cache.accountOf(accountKey.id)) ?? accountId);
  }

  /**
   * An older wrap does not say whose it is. So the account that the tokens open must hold it, and this device must not
   * know the key as that of another account: else records of this account would be stored in another one.
   * @throws IntegrityError `account_mismatch`
   */
  async #requireOwnTokens(tokens: AccountTokens, opened: OpenedAccount, options: CallOptions): Promise<void> {
    const { wrapped } = opened;
    const { accountId } = tokens;
    await this.#requireOwnKey(accountId, opened);
    const body = await this.#meOf(tokens, options);
    const held = readWrappedAccountKey(body);
    const isSame = held.wrapped === wrapped.wrapped && held.iv === wrapped.iv;
    requireAccount(isSame ? new ObjectReader(body, 'account').id('id') : '', accountId);
  }

  /**
   * Opens the account key before it starts the session: a key that does not open must not leave a session, and
   * neither must a lock, a logout or another login in the meantime.
   */
  async #begin(
    attempt: UnlockAttempt,
    email: string,
    tokens: AccountTokens,
    wrapped: WrappedKey,
    own: DerivedKeys,
    options: CallOptions,
  ): Promise<OpenedAccount> {
    const { accountId } = tokens;
    const session: StoredSession = { baseUrl: this.http.baseUrl, sessionId: newId(), email, ...tokens };
    let opened: OpenedAccount;
    try {
      opened = { own, wrapped, ...(await openPasswordWrap(wrapped, own.wrappingKey, accountId)) };
      if (!opened.isBound) await this.#requireOwnTokens(tokens, opened, options);
      attempt.check();
    } catch (error) {
      this.sessions.discard(tokens);
      throw error;
    }
    await this.sessions.begin(session);
    await this.#remember(accountId, email, opened, this.sessions.hold());
    attempt.unlock(opened.accountKey);
    return opened;
  }
}
