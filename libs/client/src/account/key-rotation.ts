import { openAccountKey, wrapForRecovery, type AccountKey } from '../crypto/account-key';
import { makeChain, openChain } from '../crypto/key-chain';
import { generateDataKey, rewrapDataKey, wrapDataKey, type WrappedKey } from '../crypto/key-wrapping';
import { openProfileKey, wrapProfileKey } from '../crypto/profile-key';
import { FIRST_GENERATION } from '../crypto/lineage';
import { deriveRecoveryKeys } from '../crypto/recovery-keys';
import { decryptRecord } from '../crypto/record-cipher';
import { IntegrityError } from '../errors';
import type { SessionTransport } from '../http/session-transport';
import { readTokens } from '../http/tokens';
import { ObjectReader } from '../http/object-reader';
import type { JsonObject } from '../json';
import type { SyncedKind } from '../offline/offline-host';
import type { WireBody } from '../offline/offline-rows';
import { collect, signalOf } from '../records/encrypted-collection';
import { HttpRecordGateway } from '../records/http-record-gateway';
import type { Heads } from '../records/heads';
import type { CallOptions } from '../records/record-types';
import { FORMER_KEYS } from '../records/sealed-profile';
import { sealRecord, type SealedContent } from '../records/sealed-record';
import type { Account } from './account';
import type { AccountCache } from './account-cache';
import { checkNewPassword, deriveWith, kdfOf, openWithPassword, wordsOf } from './credentials';
import { rotatedIdentity } from './identity-rotation';
import type { KeyRing } from './key-ring';
import { formerEntry, type TrustBooks } from './trust-book';

/** What replaces the secrets of an account. */
export interface KeyReplacement {
  currentPassword: string;
  newPassword: string;
  /** The new words. Show them, and have them confirmed, before. */
  recoveryPhrase: string;
  /** Whether an unlocked device was stolen, or in other hands: then all passkeys and the app of the second step end. */
  wasStolen: boolean;
}

/** The parts of the client that a replacement of all keys needs. */
export interface RotationParts {
  baseUrl: string;
  sessions: SessionTransport;
  account: Account;
  cache: AccountCache;
  keys: KeyRing;
  heads: Heads;
  trustBooks: TrustBooks;
  profiles: SyncedKind;
  /** Those of the copy of this device. */
  profileIds: readonly string[];
}

/**
 * Makes another account key, another key for each profile, and wraps them by a new password and new words. The service
 * stores all of it or nothing. The former keys stay sealed in the profiles until all records are sealed anew.
 * @throws WrongPasswordError, WeakSecretError, RecoveryPhraseError; IntegrityError for a profile that does not open;
 * ApiError `keys_changed` where another device was faster: nothing has changed then.
 */
export async function replaceKeys(
  parts: RotationParts,
  { currentPassword, newPassword, recoveryPhrase, wasStolen }: KeyReplacement,
  options: CallOptions,
): Promise<void> {
  const { sessions, account, cache, keys, trustBooks } = parts;
  const [attempt, assertOurs] = [keys.attempt(), sessions.hold()];
  const { email } = await sessions.current();
  await checkNewPassword(newPassword, wordsOf(email));
  const recovery = await deriveRecoveryKeys(recoveryPhrase);
  const { own, wrapped, accountId } = await account.reauthenticate(currentPassword, options);
  const { purpose, accountKey: former } = await openWithPassword(wrapped, own, accountId);
  keys.requireSame(former);
  const iterations = Math.max(own.parameters.iterations, account.kdfIterations);
  const next = await deriveWith(newPassword, { ...own.parameters, iterations });
  const byPassword = { purpose: 'password', accountId } as const;
  const newWrap = await wrapDataKey(await generateDataKey('account'), next.wrappingKey, byPassword);
  const accountKey = await openAccountKey(newWrap, next.wrappingKey, byPassword);
  const from = { key: next.wrappingKey, purpose: byPassword };
  const recoveryWrap = await wrapForRecovery(newWrap, from, recovery.wrappingKey, accountId);
  const formerWrap = await rewrapDataKey(
    wrapped,
    { key: own.wrappingKey, purpose },
    { key: accountKey.key, purpose: { purpose: 'former', accountKeyId: former.id } },
  );
  const before = await trustBooks.read(former, options);
  const { passkeys, ...book } = before.book;
  const kept = wasStolen || passkeys === undefined ? {} : { passkeys };
  const mustExist = Object.keys(book.spaces ?? {}).length > 0;
  const identity = await rotatedIdentity(
    sessions,
    { former, next: accountKey, wasStolen, mustExist },
    options,
  );
  const entry = formerEntry(former.id, formerWrap, before.book, identity?.former);
  const newBook = { ...book, ...kept, former: entry };
  const body = {
    current_password: own.authSecret,
    new_password: next.authSecret,
    new_wrapped_dek: newWrap.wrapped,
    new_wrapped_dek_iv: newWrap.iv,
    ...kdfOf(next),
    recovery_proof: recovery.recoveryProof,
    recovery_wrapped_dek: recoveryWrap.wrapped,
    recovery_wrapped_dek_iv: recoveryWrap.iv,
    trust_book: await trustBooks.seal(newBook, accountKey, { ...before, lineage: undefined }),
    ...(identity && { keys: identity.keys }),
    profiles: await rotatedProfiles(parts, former, accountKey, options),
    end_passkeys: wasStolen,
  };
  assertOurs();
  const request = { method: 'POST', path: '/api/users/me/rotate-keys', body, ...signalOf(options) } as const;
  await account.stepUpExclusive(request, (answer, session) => ({
    ...session,
    ...readTokens(answer.body, accountId),
  }));
  const remembered = { id: accountId, email, kdf: next.parameters, wrapped: newWrap, keyId: accountKey.id };
  await cache.writeAccount(remembered, sessions.hold());
  await trustBooks.remember(accountKey, FIRST_GENERATION);
  // A lock in the meantime wins: the new password then opens what is stored here.
  attempt.unlock(accountKey, true);
}

async function rotatedProfiles(
  parts: RotationParts,
  former: AccountKey,
  accountKey: AccountKey,
  options: CallOptions,
): Promise<JsonObject[]> {
  const { baseUrl, sessions, profiles, profileIds } = parts;
  const service = new HttpRecordGateway(baseUrl, (request) => sessions.send(request));
  const route = profiles.routeOf({});
  const bodies = (await collect(service.list(route, {}, options))).flat().map(({ body }) => body as WireBody);
  // One that is withheld now would stay under the former keys, and open nowhere afterwards.
  const shown = new Set(bodies.map(({ profile_id }) => profile_id));
  const withheld = profileIds.filter((id) => !shown.has(id));
  if (withheld.length > 0)
    throw new IntegrityError('records_missing', 'The service does not show all profiles.', {
      kind: 'profile',
      id: withheld[0],
    });
  const rotated: JsonObject[] = [];
  for (const body of bodies) {
    // Only the newest state, which opens in its own place, is sealed anew.
    await profiles.verify(body);
    rotated.push(await rotatedProfile(parts, former, accountKey, body));
  }
  return rotated;
}

async function rotatedProfile(
  { heads }: RotationParts,
  former: AccountKey,
  accountKey: AccountKey,
  body: WireBody,
): Promise<JsonObject> {
  const reader = new ObjectReader(body, 'profile');
  const id = reader.id('profile_id');
  const formerWrap: WrappedKey = {
    wrapped: reader.text('wrapped_profile_dek'),
    iv: reader.text('wrapped_profile_dek_iv'),
  };
  // Extractable, and only in here: the former key is wrapped under the new one.
  const formerKey = await openProfileKey(formerWrap, former, id, true);
  const place = { profileId: id, kind: 'profile', recordId: id };
  const wire = { ciphertext: reader.text('name_data'), iv: reader.text('name_iv') };
  if (wire.ciphertext === '')
    throw new IntegrityError('format_unsupported', 'A profile was never sealed. Change its name first.', {
      kind: 'profile',
      id,
    });
  const { content, lineage } = await decryptRecord(wire, formerKey, place);
  const wrap = await wrapProfileKey(
    { key: await generateDataKey('profile'), epoch: formerKey.epoch + 1 },
    accountKey,
    id,
  );
  const newKey = await openProfileKey(wrap, accountKey, id);
  const chain = [formerKey, ...(await openChain(content[FORMER_KEYS], formerKey, id, true))];
  const sealed = await sealRecord(
    { ...(content as JsonObject & SealedContent), [FORMER_KEYS]: await makeChain(chain, newKey, id) },
    newKey,
    place,
    heads.next(id, id, lineage),
  );
  return {
    profile_id: id,
    revision: reader.integer('revision', 1),
    wrapped_profile_dek: wrap.wrapped,
    wrapped_profile_dek_iv: wrap.iv,
    name_data: sealed.ciphertext,
    name_iv: sealed.iv,
  };
}
