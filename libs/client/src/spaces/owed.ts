import type { KeyRing } from '../account/key-ring';
import type { JsonObject } from '../json';
import { stopsAll } from '../offline/failures';
import type { CallOptions } from '../records/record-types';
import type { CheckedSpace } from './checked-space';
import type { CircleChanges } from './circle-changes';
import type { Directory } from './directory';
import { unfinishedSpaces, withoutUnfinished } from './former-identity';
import { openProfileKey } from '../crypto/profile-key';
import { fromBase64 } from '../encoding';
import type { RosterMember } from './formats/roster';
import { wrapSpaceKey } from './formats/space-key';
import { sharingHashOf } from './formats/x-wing';
import type { NewKeys } from './new-key';
import type { OwnIdentities } from './own-identity';
import type { Pins } from './pins';

const DAY_MS = 24 * 60 * 60 * 1000;

/** What the debts of an account are paid with. */
export interface OwedParts {
  directory: Directory;
  changes: CircleChanges;
  newKeys: NewKeys;
  identities: OwnIdentities;
  pins: Pins;
  keys: KeyRing;
}

/**
 * What this account owes the others of a space: a new key, where the list of members says that one is due; and after a
 * replacement of all keys, that they learn of it.
 */
export class Owed {
  #isPaying = false;
  /** The account key whose trust book was asked. */
  #asked: object | undefined;

  constructor(private readonly parts: OwedParts) {}

  /**
   * Begins beside what the caller does. What fails is tried again: a due key that the service refused after a day, the rest
   * after the next refresh.
   */
  begin(): void {
    if (this.#isPaying) return;
    this.#isPaying = true;
    void this.#pay()
      .catch(() => undefined)
      .finally(() => (this.#isPaying = false));
  }

  /** After a replacement of all keys the trust book is asked again. */
  forget(): void {
    this.#asked = undefined;
  }

  async #pay(): Promise<void> {
    const { keys, directory } = this.parts;
    if (!keys.isUnlocked || directory.places.length === 0) return;
    const { accountKey } = keys;
    if (this.#asked !== accountKey && (await this.#tellOfNewKeys({}))) this.#asked = accountKey;
    for (const { spaceId } of directory.places) await this.#makeDueKey(spaceId, {});
  }

  async #makeDueKey(spaceId: string, options: CallOptions): Promise<void> {
    const { directory, newKeys } = this.parts;
    const notes = directory.notesOf(spaceId);
    if (notes?.state !== 'member' || notes.role !== 'owner' || notes.blocked || !notes.isDue) return;
    if (Date.now() - (notes.dueTried ?? 0) < DAY_MS) return;
    const planOf = ({ tip }: CheckedSpace) => (tip.content.due ? { remove: [], roles: [] } : undefined);
    try {
      await newKeys.make(spaceId, planOf, options);
    } catch (error) {
      // What stops all, like a page that is closed or a lost network, says nothing of this key: the next look tries again.
      if (!stopsAll(error)) await directory.note(spaceId, { dueTried: Date.now() });
      throw error;
    }
  }

  /** @returns whether all is done. */
  async #tellOfNewKeys(options: CallOptions): Promise<boolean> {
    const { pins, directory } = this.parts;
    const { book } = await pins.book(options);
    let isDone = true;
    for (const spaceId of unfinishedSpaces(book)) {
      const isMember = directory.notesOf(spaceId)?.state === 'member';
      const isTold =
        !isMember ||
        (await this.#tell(spaceId, options).then(
          () => true,
          () => false,
        ));
      if (isTold) await pins.changeBook((now) => withoutUnfinished(now, spaceId));
      isDone &&= isTold;
    }
    return isDone;
  }

  async #tell(spaceId: string, options: CallOptions): Promise<void> {
    const { changes, newKeys, identities } = this.parts;
    const newest = await identities.require(options);
    const { sharing, signing } = newest;
    const keys = { sharing: await sharingHashOf(fromBase64(sharing)!), signing };
    const space = await changes.current(spaceId, options);
    if (space.named.role === 'owner') {
      const plan = { remove: [], roles: [], ownKeys: { keys, sharing } };
      await newKeys.make(spaceId, () => plan, options);
      return;
    }
    const make = async (now: CheckedSpace) => {
      const isNew = now.signer.own.id !== newest.id;
      const members = now.tip.content.members.map((entry): RosterMember =>
        entry.account === newest.account ? { ...entry, ...keys } : entry,
      );
      const roster = await changes.sign(now, { members, due: true });
      const own = isNew ? await this.#ownWrap(now, roster.content.version, sharing) : {};
      return { path: 'keys', body: { roster: roster.text, ...own }, roster };
    };
    await changes.change(spaceId, make, options);
  }

  /** The present key for this account's new identity, by the old one: the others know only that one. */
  async #ownWrap(
    { named, key, signer }: CheckedSpace,
    rosterVersion: number,
    sharing: string,
  ): Promise<JsonObject> {
    const { id: spaceId, profileId } = named;
    // Extractable, and only in here.
    const dek = await openProfileKey(key!, this.parts.keys.accountKey, profileId, true);
    const self = signer.own.account;
    const place = { spaceId, profileId, rosterVersion, senderId: self, recipientId: self };
    return {
      sharing_public: sharing,
      wrap: await wrapSpaceKey(dek.key, place, signer.own, signer.under, sharing),
    };
  }
}
