import type { KeyRing } from '../account/key-ring';
import type { TrustBook } from '../account/trust-book';
import type { AccountKey } from '../crypto/account-key';
import { openProfileKey } from '../crypto/profile-key';
import { isAnswer, RosterRefusedError } from '../errors';
import type { CallOptions } from '../records/record-types';
import { blockOf, checkSpace, type CheckedSpace } from './checked-space';
import { readRoster, type RosterContent } from './formats/roster';
import type { OwnIdentities, Signer } from './own-identity';
import { othersOf, type Contact, type KnownOthers, type Pins } from './pins';
import { pinOf } from './roster-chain';
import type { SpaceDirectory, SpaceMemory, SpacePlace } from './space-directory';
import { openNotes, sealNotes, type SpaceNotes } from './space-notes';
import type { SpaceService } from './space-service';
import type { ListedSpace, NamedSpace } from './space-wire';

/** What the directory works with. */
export interface DirectoryParts {
  service: SpaceService;
  identities: OwnIdentities;
  pins: Pins;
  keys: KeyRing;
  memory: SpaceMemory;
  accountId: () => string;
  /** Opens the account key of before all keys were replaced, by its id. */
  former: (keyId: string) => Promise<AccountKey | undefined>;
  /** The identity of before, where the members of a space do not know the new one yet. */
  formerSigner: (book: TrustBook, spaceId: string, options: CallOptions) => Promise<Signer | undefined>;
  /** Told after each refresh. */
  refreshed: () => void;
}

/**
 * The spaces of the account, and what this device knows of each. Nothing that the service says is believed before its rosters
 * lead to what was known, and a version is taken over only together with a checked roster and an open key.
 */
export class Directory implements SpaceDirectory {
  readonly #notes = new Map<string, SpaceNotes>();
  #opening: { of: AccountKey; done: Promise<void> } | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  /** As the service has listed them last. */
  listed: readonly ListedSpace[] | undefined;

  constructor(private readonly parts: DirectoryParts) {}

  get places(): readonly SpacePlace[] {
    return [...this.#notes].map(([spaceId, notes]) => placeOf(spaceId, notes));
  }

  get isWaiting(): boolean {
    return this.listed?.some(({ state }) => state === 'waiting') ?? false;
  }

  notesOf(spaceId: string): SpaceNotes | undefined {
    return this.#notes.get(spaceId);
  }

  async open(): Promise<readonly SpacePlace[]> {
    const of = this.parts.keys.accountKey;
    if (this.#opening?.of !== of) {
      // Another unlock: the keys of before are gone.
      this.#notes.clear();
      this.#opening = { of, done: this.#inTurn(() => this.#open()) };
    }
    const { done } = this.#opening;
    await done.catch((error: unknown) => {
      if (this.#opening?.done === done) this.#opening = undefined;
      throw error;
    });
    return this.places;
  }

  /** @param listed what the service has just answered. */
  async refresh(options: CallOptions = {}, listed?: readonly ListedSpace[]): Promise<readonly SpacePlace[]> {
    await this.open();
    await this.#inTurn(async () => {
      this.listed = listed ?? (await this.parts.service.list(options));
      for (const each of this.listed) await this.#follow(each, options);
      const names = new Set(this.listed.map(({ id }) => id));
      for (const id of this.#notes.keys()) if (!names.has(id)) await this.#end(id, 'removed');
    });
    this.parts.refreshed();
    return this.places;
  }

  async reread(spaceId: string, options: CallOptions = {}): Promise<SpacePlace | undefined> {
    await this.open();
    await this.#inTurn(() => this.#read(spaceId, undefined, options));
    return this.places.find((each) => each.spaceId === spaceId);
  }

  /**
   * Reads a space anew, for what is to be done in it.
   * @returns `undefined` where this account has no part in it. What is blocked is the caller's to look at.
   * @throws IntegrityError, ProtocolError for a list of members that is not taken.
   */
  async check(spaceId: string, options: CallOptions): Promise<CheckedSpace | undefined> {
    await this.open();
    return this.#inTurn(async () => {
      const checked = await this.#read(spaceId, undefined, options);
      if (checked instanceof Error) throw checked;
      return checked;
    });
  }

  /** Whether somebody is in one of the circles that this device has checked. */
  async isMember(accountId: string): Promise<boolean> {
    for (const { state, rosters } of this.#notes.values()) {
      if (state !== 'member' || rosters.length === 0) continue;
      const { content } = await readRoster(rosters.at(-1)!);
      if (content.members.some(({ account }) => account === accountId)) return true;
    }
    return false;
  }

  /** Changes what this device keeps of a space. */
  async note(spaceId: string, change: Partial<SpaceNotes>): Promise<void> {
    const notes = this.#notes.get(spaceId);
    if (notes) await this.#keep(spaceId, { ...notes, ...change });
  }

  /** This device keeps nothing of it any more. */
  async drop(spaceId: string): Promise<void> {
    const notes = this.#notes.get(spaceId);
    this.#notes.delete(spaceId);
    await this.parts.memory.write(spaceId, null);
    if (notes) this.parts.keys.forgetProfile(notes.profileId);
  }

  /** At a lock. */
  forget(): void {
    this.#notes.clear();
    this.#opening = undefined;
    this.listed = undefined;
  }

  async #open(): Promise<void> {
    const { memory, keys, accountId, former } = this.parts;
    const { accountKey } = keys;
    for (const spaceId of await memory.list()) {
      const text = await memory.read(spaceId);
      const found = text && (await openNotes(text, accountKey, accountId(), spaceId, former));
      if (!found) continue;
      const { notes, isOld } = found;
      if (notes.key) {
        const opened = await openProfileKey(notes.key, accountKey, notes.profileId);
        keys.takeSpaceKey(notes.profileId, opened);
      }
      if (isOld) await this.#keep(spaceId, notes);
      else this.#notes.set(spaceId, notes);
    }
  }

  async #follow(listed: ListedSpace, options: CallOptions): Promise<void> {
    const { id, state } = listed;
    if (state === 'waiting') return;
    if (state !== 'member') return this.#end(id, state);
    const notes = this.#notes.get(id);
    const isSame = notes?.state === 'member' && !notes.blocked && notes.version === listed.version;
    if (!isSame) await this.#read(id, listed, options);
    const now = this.#notes.get(id);
    const { isKeeper, lastChange } = listed;
    if (now && (now.isKeeper !== isKeeper || now.lastChange !== lastChange))
      await this.#keep(id, { ...now, isKeeper, lastChange });
  }

  /** @returns what was checked; the error of a check that has failed; `undefined` where there is no space for this account. */
  async #read(
    spaceId: string,
    listed: ListedSpace | undefined,
    options: CallOptions,
  ): Promise<CheckedSpace | Error | undefined> {
    const { service, identities, pins, keys, accountId } = this.parts;
    const { accountKey: account } = keys;
    const named = await service.read(spaceId, options).catch((error: unknown) => {
      if (!isAnswer(error, 404)) throw error;
      return undefined;
    });
    if (!named) {
      await this.#end(spaceId, 'removed');
      return undefined;
    }
    const self = accountId();
    const notes = this.#notes.get(spaceId);
    const before = notes ?? {
      profileId: named.profileId,
      role: named.role,
      isKeeper: named.keeperId === self,
      version: 0,
      rosters: [],
      key: null,
      isDue: false,
      carers: [],
      joined: {},
    };
    const lastChange = listed?.lastChange ?? notes?.lastChange;
    const now = { ...before, state: 'member' as const, ...(lastChange !== undefined && { lastChange }) };
    try {
      const { book } = await pins.book(options);
      const others = othersOf(book);
      const former = await this.parts.formerSigner(book, spaceId, options);
      const signers = await identities.signers(former, options);
      this.#assertOnly(spaceId, named.profileId);
      const isOwnProfile = !notes && keys.profileKey(named.profileId) !== undefined;
      const parts = { service, account, signers, others, notes, isOwnProfile };
      const checked = await checkSpace(named, parts, options);
      await this.#pin(checked, others, self);
      const { chain, key, opened, blocked } = checked;
      if (opened) keys.takeSpaceKey(named.profileId, opened);
      await this.#keep(spaceId, {
        ...now,
        role: named.role,
        isKeeper: named.keeperId === self,
        version: blocked ? now.version : named.version,
        rosters: chain.map(({ text }) => text),
        key,
        blocked,
        isDue: chain.at(-1)!.content.due,
        carers: carersIn(chain.at(-1)!.content),
        relationship: others.spaces[spaceId]?.relationship ?? '',
        joined: { ...now.joined, ...joinedIn(named) },
      });
      return checked;
    } catch (error) {
      const blocked = blockOf(error);
      await this.#keep(spaceId, { ...now, blocked });
      return error as Error;
    }
  }

  /** Whoever is met in a taken roster is known from then on. */
  async #pin({ named, chain, tip, members }: CheckedSpace, known: KnownOthers, self: string): Promise<void> {
    const met: Record<string, Contact> = {};
    // What is not taken introduces nobody.
    const newcomers = chain.at(-1) === tip ? members : [];
    for (const { account, signing, present } of newcomers)
      if (account !== self && present && !known.contacts[account])
        met[account] = { name: '', identity: present.identity, signing, paired: false };
    const pin = pinOf(chain.at(-1)!);
    const isKnown = known.spaces[named.id]?.roster.hash === pin.hash;
    if (!isKnown || Object.keys(met).length > 0) await this.parts.pins.note(met, named.id, pin);
  }

  /** Else the key of one space would stand for the profile of another one. */
  #assertOnly(spaceId: string, profileId: string): void {
    const other = [...this.#notes].find(([id, notes]) => id !== spaceId && notes.profileId === profileId);
    if (other && other[1].state === 'member')
      throw new RosterRefusedError(1, 'Two spaces claim one profile.', spaceId);
  }

  async #end(spaceId: string, state: 'removed' | 'deleted'): Promise<void> {
    const notes = this.#notes.get(spaceId);
    if (!notes || notes.state === state) return;
    // What this device keeps of it, the key too, is for the part that keeps the records to drop.
    await this.#keep(spaceId, { ...notes, state, blocked: null });
  }

  async #keep(spaceId: string, notes: SpaceNotes): Promise<void> {
    const { memory, keys, accountId } = this.parts;
    await memory.write(spaceId, await sealNotes(notes, keys.accountKey, accountId(), spaceId));
    this.#notes.set(spaceId, notes);
  }

  /** One at a time: each read goes on from what the one before has taken. */
  #inTurn<T>(run: () => Promise<T>): Promise<T> {
    const running = this.#queue.then(run, run);
    this.#queue = running.catch(() => undefined);
    return running;
  }
}

function joinedIn({ members }: NamedSpace): Record<string, string> {
  return Object.fromEntries(members.map(({ account, joinedAt }) => [account, joinedAt]));
}

function carersIn({ members }: RosterContent): string[] {
  return members.flatMap(({ account, role }) => (role === 'carer' ? [account] : []));
}

function placeOf(spaceId: string, notes: SpaceNotes): SpacePlace {
  const { profileId, role, version, lastChange, state, blocked, carers, relationship = '' } = notes;
  return {
    spaceId,
    profileId,
    role,
    version,
    ...(lastChange !== undefined && { lastChange }),
    state,
    blocked,
    carers,
    relationship,
  };
}
