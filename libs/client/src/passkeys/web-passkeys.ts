import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { deviceLabelOf, openWithPassword } from '../account/credentials';
import type { TrustBook } from '../account/trust-book';
import type { Bytes } from '../encoding';
import { IntegrityError, ProtocolError } from '../errors';
import { requireId } from '../ids';
import type { Json } from '../json';
import type { AccountKey } from '../crypto/account-key';
import type { WrappedKey } from '../crypto/key-wrapping';
import {
  openPasskeyWrap,
  passkeyWrappingKey,
  wrapForPasskey,
  type PasskeyPlace,
} from '../crypto/passkey-wrap';
import { ObjectReader, readArray } from '../http/object-reader';
import { requireText, signalOf } from '../records/encrypted-collection';
import type { CachedPasskey } from '../offline/offline-rows';
import type { CallOptions, SecondStepper } from '../records/record-types';
import { PasskeyError } from './passkey-error';
import type {
  NewPasskey,
  Passkey,
  PasskeyLogin,
  PasskeyLoginOptions,
  PasskeyParts,
  Passkeys,
  SecondStepAsked,
  SecondStepChoice,
  SecondSteps,
} from './passkey-types';
import { ClientSecondSteps, secondStepper } from './second-step';
import { BROWSER, WebAuthenticator } from './web-authenticator';

const PATH = '/api/passkeys';
const MAX_LABEL_LENGTH = 64;

/** A passkey and its wrap, as the service shows them. */
interface Listed {
  passkey: Passkey;
  wrap: { wrapped: WrappedKey; accountKeyId: string } | undefined;
}

/** Passkeys of a browser. The account key under a passkey never leaves this device unwrapped, nor does PRF's output. */
class WebPasskeys implements Passkeys {
  readonly secondStep: SecondSteps;

  constructor(
    private readonly client: PasskeyParts,
    private readonly authenticator: WebAuthenticator,
  ) {
    this.secondStep = new ClientSecondSteps(client);
  }

  async list(options: CallOptions = {}): Promise<Passkey[]> {
    const [listed, known] = await Promise.all([this.#listed(options), this.#known(options)]);
    return listed.map(({ passkey }) =>
      known && !known.includes(passkey.credentialId) ? { ...passkey, isForeign: true } : passkey,
    );
  }

  async countMissing(options: CallOptions = {}): Promise<number> {
    const [listed, known = []] = await Promise.all([this.#listed(options), this.#known(options)]);
    return known.filter((id) => !listed.some(({ passkey }) => passkey.credentialId === id)).length;
  }

  async add({ currentPassword, label }: NewPasskey, options: CallOptions = {}): Promise<Passkey> {
    requireText(label, 'The label of the passkey', MAX_LABEL_LENGTH);
    const { account, keys, transport } = this.client;
    const assertOurs = transport.hold();
    const { accountKey } = keys;
    const { own, wrapped, accountId } = await account.reauthenticate(currentPassword, options);
    const opened = await openWithPassword(wrapped, own, accountId);
    keys.requireSame(opened.accountKey);
    const asked = await account.stepUp({
      method: 'POST',
      path: `${PATH}/options`,
      body: { current_password: own.authSecret },
      ...signalOf(options),
    });
    const { ticket, options: optionsJSON } = readTicket(asked.body);
    const created = await this.authenticator.create(
      optionsJSON as unknown as PublicKeyCredentialCreationOptionsJSON,
    );
    const credentialId = created.response.id;
    const place = { accountId, credentialId, accountKeyId: accountKey.id };
    const prf =
      created.prf ?? (created.hasPrf ? (await this.authenticator.ask([credentialId])).prf : undefined);
    const wrap =
      prf && (await this.#wrap(prf, wrapped, { key: own.wrappingKey, purpose: opened.purpose }, place));
    assertOurs();
    const { body } = await transport.send({
      method: 'POST',
      path: PATH,
      body: {
        ticket,
        response: created.response as unknown as Json,
        label,
        ...(wrap && fieldsOf(wrap, place)),
      },
      replayable: true,
      ...signalOf(options),
    });
    const listed = readListed(body);
    if (listed.passkey.credentialId !== credentialId || listed.passkey.canUnlock !== !!wrap)
      throw new ProtocolError('The service answers with another passkey than the new one.');
    await this.#note(options, (known) => [...known, credentialId]);
    if (wrap) await this.#remember({ credentialId, wrapped: wrap }, accountKey, assertOurs);
    return listed.passkey;
  }

  async renew(
    { id, credentialId }: Passkey,
    currentPassword: string,
    options: CallOptions = {},
  ): Promise<boolean> {
    const { account, keys, transport } = this.client;
    const assertOurs = transport.hold();
    const { accountKey } = keys;
    const { own, wrapped, accountId } = await account.reauthenticate(currentPassword, options);
    const { purpose, accountKey: opened } = await openWithPassword(wrapped, own, accountId);
    keys.requireSame(opened);
    const { prf } = await this.authenticator.ask([credentialId]);
    if (!prf) return false;
    const place = { accountId, credentialId, accountKeyId: accountKey.id };
    const wrap = await this.#wrap(prf, wrapped, { key: own.wrappingKey, purpose }, place);
    assertOurs();
    await transport.send({
      method: 'PUT',
      path: `${PATH}/${requireId(id, 'The passkey id')}`,
      body: fieldsOf(wrap, place),
      replayable: true,
      ...signalOf(options),
    });
    await this.#remember({ credentialId, wrapped: wrap }, accountKey, assertOurs);
    return true;
  }

  async rename(id: string, label: string, options: CallOptions = {}): Promise<Passkey> {
    requireText(label, 'The label of the passkey', MAX_LABEL_LENGTH);
    const path = `${PATH}/${requireId(id, 'The passkey id')}`;
    const { body } = await this.client.transport.send({
      method: 'PUT',
      path,
      body: { label },
      replayable: true,
      ...signalOf(options),
    });
    return readListed(body).passkey;
  }

  async remove(id: string, currentPassword: string, options: CallOptions = {}): Promise<void> {
    const path = `${PATH}/${requireId(id, 'The passkey id')}/delete`;
    const { account, transport } = this.client;
    const assertOurs = transport.hold();
    const removed = (await this.#listed(options)).find(({ passkey }) => passkey.id === id)?.passkey;
    const { own } = await account.reauthenticate(currentPassword, options);
    await account.stepUp({
      method: 'POST',
      path,
      body: { current_password: own.authSecret },
      ...signalOf(options),
    });
    // Only the service knows which of them that was. It could name another one: this device forgets all, and learns each
    // again with its next use.
    const keyId = (await this.#account())?.keyId;
    if (keyId !== undefined) await this.#write([], keyId, assertOurs);
    await this.#note(options, (known) => known.filter((each) => each !== removed?.credentialId));
  }

  async login({ deviceLabel, useAutofill, ...options }: PasskeyLoginOptions = {}): Promise<PasskeyLogin> {
    const label = deviceLabelOf(deviceLabel === undefined ? {} : { deviceLabel });
    const { http, keys, transport } = this.client;
    const signal = signalOf(options);
    const asked = await http.send({ method: 'POST', path: '/api/auth/passkey/options', body: {}, ...signal });
    const { ticket, options: optionsJSON } = readTicket(asked.body);
    const { response, prf } = await this.authenticator.get(
      optionsJSON as unknown as PublicKeyCredentialRequestOptionsJSON,
      { useAutofill, ...signal },
    );
    options.signal?.throwIfAborted();
    const body = { ticket, response: response as unknown as Json, ...label };
    const answer = await http.send({ method: 'POST', path: '/api/auth/passkey/login', body, ...signal });
    const email = await this.client.signIn(answer.body, options);
    const wrap = readWrap(new ObjectReader(answer.body, 'login').object('passkey'));
    if (!prf || !wrap) return { email, isUnlocked: false };
    const [attempt, assertOurs] = [keys.attempt(), transport.hold()];
    const place = {
      accountId: transport.accountId!,
      credentialId: response.id,
      accountKeyId: wrap.accountKeyId,
    };
    let accountKey: AccountKey;
    try {
      accountKey = await open(prf, wrap.wrapped, place);
    } catch (error) {
      // A wrap that does not open counts as nothing: the session is that of the account, and the password opens it.
      if (!(error instanceof IntegrityError)) throw error;
      return { email, isUnlocked: false };
    }
    await this.#remember({ credentialId: response.id, wrapped: wrap.wrapped }, accountKey, assertOurs);
    assertOurs();
    attempt.unlock(accountKey);
    this.client.unlocked();
    return { email, isUnlocked: true };
  }

  async unlock(options: CallOptions = {}): Promise<void> {
    const { keys, transport } = this.client;
    const [attempt, assertOurs] = [keys.attempt(), transport.hold()];
    const accountId = transport.accountId!;
    const here = await this.#here(options);
    if (here.length === 0)
      throw new PasskeyError('passkey_unavailable', 'No passkey of this account can unlock.');
    const { credentialId, prf } = await this.authenticator.ask(here.map((each) => each.credentialId));
    options.signal?.throwIfAborted();
    const used = here.find((each) => each.credentialId === credentialId);
    if (!prf || !used) throw cannotUnlock();
    const { wrapped, accountKeyId } = used;
    const accountKey = await open(prf, wrapped, { accountId, credentialId, accountKeyId }).catch(
      (cause: unknown) => {
        throw cause instanceof IntegrityError && cause.code === 'tampered' ? cannotUnlock(cause) : cause;
      },
    );
    // Another tab may have replaced all keys: it has stored the new one.
    const isOfDevice = (await this.#account())?.keyId === accountKey.id;
    if (!isOfDevice) keys.requireSame(accountKey);
    await this.#remember({ credentialId, wrapped }, accountKey, assertOurs);
    assertOurs();
    attempt.unlock(accountKey, isOfDevice);
    this.client.unlocked();
  }

  async canUnlockHere(): Promise<boolean> {
    return (await this.#cached()).length > 0;
  }

  /** The passkeys that can unlock: those that have done so on this device, else those that the service lists. */
  async #here(options: CallOptions): Promise<(CachedPasskey & { accountKeyId: string })[]> {
    const account = await this.#account();
    const cached = account?.passkeys ?? [];
    if (account?.keyId && cached.length > 0)
      return cached.map((each) => ({ ...each, accountKeyId: account.keyId! }));
    return (await this.#listed(options)).flatMap(({ passkey: { credentialId }, wrap }) =>
      // This device knows the account key: a wrap of another one is of no use.
      wrap && wrap.accountKeyId === (account?.keyId ?? wrap.accountKeyId) ? [{ credentialId, ...wrap }] : [],
    );
  }

  /** The wrap must open before it is sent, and hold the key of this session. */
  async #wrap(
    prf: Bytes,
    wrapped: WrappedKey,
    from: Parameters<typeof wrapForPasskey>[1],
    place: PasskeyPlace,
  ): Promise<WrappedKey> {
    const under = await passkeyWrappingKey(prf, place);
    const wrap = await wrapForPasskey(wrapped, from, under, place);
    this.client.keys.requireSame(await openPasskeyWrap(wrap, under, place));
    return wrap;
  }

  /** The passkeys that the devices of this account have added. `undefined` before the first one was noted. */
  async #known(options: CallOptions): Promise<string[] | undefined> {
    const { keys, trustBooks } = this.client;
    return (await (await trustBooks()).read(keys.accountKey, options)).book.passkeys;
  }

  /**
   * The first time, those that the service lists count as added: this client noted none before. While the client is locked
   * it can note nothing.
   */
  async #note(options: CallOptions, change: (known: string[]) => string[]): Promise<void> {
    const { keys, trustBooks } = this.client;
    if (!keys.isUnlocked) return;
    const listed = (await this.#listed(options)).map(({ passkey }) => passkey.credentialId);
    const anew = ({ passkeys, ...book }: TrustBook) => ({
      ...book,
      passkeys: [...new Set(change(passkeys ?? listed))],
    });
    await (await trustBooks()).change(keys.accountKey, anew);
  }

  async #listed(options: CallOptions): Promise<Listed[]> {
    const { body } = await this.client.transport.send({ method: 'GET', path: PATH, ...signalOf(options) });
    return readArray(body, 'passkeys').map(readListed);
  }

  async #account() {
    const { engine, transport } = this.client;
    return transport.accountId === undefined ? undefined : engine?.readAccount(transport.accountId);
  }

  async #cached(): Promise<CachedPasskey[]> {
    return (await this.#account())?.passkeys ?? [];
  }

  /** Stores a wrap that has opened the account key, for unlocks without a network. */
  async #remember(passkey: CachedPasskey, accountKey: AccountKey, assertOurs: () => void): Promise<void> {
    const account = await this.#account();
    const others = account?.keyId === accountKey.id ? (account.passkeys ?? []) : [];
    const kept = others.filter(({ credentialId }) => credentialId !== passkey.credentialId);
    await this.#write([...kept, passkey], accountKey.id, assertOurs);
  }

  /** A device that can store nothing stays without an unlock offline. */
  async #write(passkeys: CachedPasskey[], keyId: string, assertOurs: () => void): Promise<void> {
    const { engine, transport } = this.client;
    assertOurs();
    const { accountId: id, email } = transport;
    await engine
      ?.writeAccount({ id: id!, email: email!, keyId, passkeys }, assertOurs)
      .catch(() => undefined);
  }
}

export function passkeysWith(client: PasskeyParts, webAuthn = BROWSER): Passkeys {
  return new WebPasskeys(client, new WebAuthenticator(webAuthn));
}

export function secondStepWith(
  choose: (asked: SecondStepAsked) => Promise<SecondStepChoice>,
  webAuthn = BROWSER,
): SecondStepper {
  return secondStepper(choose, new WebAuthenticator(webAuthn));
}

async function open(prf: Bytes, wrapped: WrappedKey, place: PasskeyPlace): Promise<AccountKey> {
  return openPasskeyWrap(wrapped, await passkeyWrappingKey(prf, place), place);
}

function cannotUnlock(cause?: unknown): PasskeyError {
  return new PasskeyError('passkey_cannot_unlock', 'This passkey cannot unlock here.', { cause });
}

function fieldsOf({ wrapped, iv }: WrappedKey, { accountKeyId }: PasskeyPlace) {
  return { wrapped_dek: wrapped, wrapped_dek_iv: iv, account_key_id: accountKeyId };
}

function readTicket(body: unknown): { ticket: string; options: Json } {
  const reader = new ObjectReader(body, 'options');
  reader.object('options').text('challenge');
  return { ticket: reader.text('ticket'), options: reader.raw('options')! };
}

function readWrap(reader: ObjectReader): Listed['wrap'] {
  const wrapped = reader.nullable('wrapped_dek', (name) => reader.text(name));
  if (wrapped === null) return undefined;
  return {
    wrapped: { wrapped, iv: reader.text('wrapped_dek_iv') },
    accountKeyId: reader.text('account_key_id'),
  };
}

function readListed(body: unknown): Listed {
  const reader = new ObjectReader(body, 'passkey');
  const wrap = readWrap(reader);
  const passkey = {
    id: reader.id('id'),
    credentialId: reader.text('credential_id'),
    label: reader.text('label'),
    isBackedUp: reader.boolean('backed_up'),
    canUnlock: wrap !== undefined,
    createdAt: reader.timestamp('created_at'),
    lastUsedAt: reader.nullable('last_used_at', (name) => reader.timestamp(name)),
  };
  return { passkey, wrap };
}
