import type { HealthRecordsClient } from '@app/client';
import { aBeginning, anInvitation, aRoster, aSharingPublic, aSpaceWrap } from '@app/testing';
import { makeChain, openChain } from '../../libs/client/src/crypto/key-chain';
import { generateDataKey } from '../../libs/client/src/crypto/key-wrapping';
import {
  openProfileKey,
  type OpenProfileKey,
  wrapProfileKey,
} from '../../libs/client/src/crypto/profile-key';
import { decryptRecord } from '../../libs/client/src/crypto/record-cipher';
import { sealRecord, type SealedContent } from '../../libs/client/src/records/sealed-record';
import { successorOf } from '../../libs/client/src/crypto/lineage';
import type { HttpRequest } from '../../libs/client/src/http/http-transport';
import type { JsonObject } from '../../libs/client/src/json';
import { textOf } from '../../libs/client/src/offline/offline-rows';
import type { SpaceDirectory, SpacePlace } from '../../libs/client/src/spaces/space-directory';
import type { SpaceParts, SpacesFactory } from '../../libs/client/src/spaces/space-parts';
import type { SpaceBlock, SpaceRole, Spaces } from '../../libs/client/src/spaces/space-types';
import { aBlob } from './factories';

interface Listed {
  space_id: string;
  state: 'member' | 'waiting' | 'removed' | 'deleted';
  role?: SpaceRole;
  version?: number;
  last_change?: number;
}

/** The keys of a shared profile by epoch. What the wraps of members do, this does: the service has none of it. */
class CircleKeys {
  readonly open = new Map<number, OpenProfileKey>();
  readonly extractable = new Map<number, OpenProfileKey>();

  constructor(readonly profileId: string) {}

  get newest(): number {
    return Math.max(...this.open.keys());
  }
}

/** Who shares what in a test of records in spaces. Rosters and wraps are bytes that nobody reads. */
export class Circle {
  readonly keys = new Map<string, CircleKeys>();
}

/** A device of a member: the option `spaces` of its client. It believes the service, and has the keys from the circle. */
export class CircleDevice implements SpaceDirectory {
  places: readonly SpacePlace[] = [];
  parts!: SpaceParts;
  /** What this device does not believe. */
  readonly blocked = new Map<string, SpaceBlock>();
  #isOpen = false;

  constructor(private readonly circle: Circle) {}

  readonly factory: SpacesFactory = (parts) => {
    this.parts = parts;
    return {
      spaces: {} as Spaces,
      directory: this,
      hasSpaces: true,
      lock: () => {
        this.places = [];
        this.#isOpen = false;
      },
      leaveAll: () => Promise.resolve(),
    };
  };

  async open(): Promise<readonly SpacePlace[]> {
    if (this.#isOpen) return this.places;
    this.#isOpen = true;
    const { memory } = this.parts;
    const kept: SpacePlace[] = [];
    for (const id of await memory.list()) {
      const { place, epoch } = JSON.parse((await memory.read(id))!) as { place: SpacePlace; epoch: number };
      const key = this.circle.keys.get(id)!.open.get(epoch);
      if (key) this.parts.keys.takeSpaceKey(place.profileId, key);
      kept.push(place);
    }
    this.places = kept;
    return kept;
  }

  async refresh(): Promise<readonly SpacePlace[]> {
    await this.open();
    const listed = (await this.send({ method: 'GET', path: '/api/spaces' })) as unknown as Listed[];
    for (const each of listed) await this.#take(each);
    // What its owner has deleted is not listed any more.
    for (const { spaceId } of this.places)
      if (!listed.some((each) => each.space_id === spaceId))
        await this.#take({ space_id: spaceId, state: 'deleted' });
    return this.places;
  }

  async reread(spaceId: string): Promise<SpacePlace | undefined> {
    const listed = (await this.send({ method: 'GET', path: '/api/spaces' })) as unknown as Listed[];
    const found = listed.find((each) => each.space_id === spaceId);
    if (found) await this.#take(found);
    return this.places.find((place) => place.spaceId === spaceId);
  }

  async #take({ space_id: spaceId, state, role, version, last_change }: Listed): Promise<void> {
    const known = this.places.find((place) => place.spaceId === spaceId);
    const keys = this.circle.keys.get(spaceId);
    if (state === 'waiting' || !keys || (state !== 'member' && !known)) return;
    const place: SpacePlace = {
      spaceId,
      profileId: keys.profileId,
      role: role ?? known!.role,
      version: version ?? known!.version,
      ...(last_change !== undefined && { lastChange: String(last_change) }),
      state,
      blocked: this.blocked.get(spaceId) ?? null,
    };
    if (state === 'member' && !place.blocked)
      this.parts.keys.takeSpaceKey(keys.profileId, keys.open.get(keys.newest)!);
    this.places = [...this.places.filter((each) => each !== known), place];
    await this.parts.memory.write(spaceId, JSON.stringify({ place, epoch: keys.newest }));
  }

  async send(request: HttpRequest): Promise<JsonObject> {
    return (await this.parts.transport.send(request)).body as JsonObject;
  }

  #write(spaceId: string, path: string, body: object): Promise<JsonObject> {
    const { version } = this.places.find((place) => place.spaceId === spaceId)!;
    return this.send({ method: 'POST', path: `/api/${path}`, body, space: `${spaceId};${version}` });
  }

  /** Shares a profile of this account. @returns the id of the space */
  async share(profileId: string): Promise<string> {
    const { keys } = this.parts;
    const profile = await this.send({ method: 'GET', path: `/api/profiles/${profileId}` });
    const wrap = {
      wrapped: textOf(profile, 'wrapped_profile_dek'),
      iv: textOf(profile, 'wrapped_profile_dek_iv'),
    };
    const former = await openProfileKey(wrap, keys.accountKey, profileId, true);
    const known = new CircleKeys(profileId);
    known.open.set(former.epoch, await openProfileKey(wrap, keys.accountKey, profileId));
    known.extractable.set(former.epoch, former);
    const body = aBeginning(profileId);
    this.circle.keys.set(body.space_id, known);
    await this.send({ method: 'POST', path: '/api/spaces', body });
    return body.space_id;
  }

  /** Lets in the account of another device, which is then told by its next sync. */
  async letIn(spaceId: string, other: CircleDevice, role: SpaceRole): Promise<void> {
    await this.refresh();
    const { body, link } = anInvitation(role);
    await this.#write(spaceId, 'space/invitations', body);
    const acceptance = { space_id: spaceId, ...link, acceptance: aBlob() };
    await other.send({ method: 'POST', path: '/api/invitations/accept', body: acceptance });
    await this.#write(spaceId, 'space/members', {
      roster: await this.#nextRoster(spaceId),
      member_id: other.parts.connection.accountId(),
      wrap: aSpaceWrap(),
      invitation_id: link.id,
      sharing_public: aSharingPublic(),
    });
    await this.refresh();
  }

  async #nextRoster(spaceId: string): Promise<string> {
    const { roster_version } = await this.send({ method: 'GET', path: '/api/space', space: spaceId });
    return aRoster(Number(roster_version) + 1);
  }

  async setRole(spaceId: string, memberId: string, role: SpaceRole): Promise<void> {
    await this.rekey(spaceId, { roles: [{ member_id: memberId, role }] });
  }

  /** Makes a new key, and with it the changes that need one. The records stay under the former one. */
  async rekey(spaceId: string, changes: object = {}): Promise<void> {
    await this.refresh();
    const { keys, connection } = this.parts;
    const known = this.circle.keys.get(spaceId)!;
    const { profileId, newest: before } = known;
    const epoch = before + 1;
    const body = await this.send({ method: 'GET', path: `/api/profiles/${profileId}`, space: spaceId });
    const place = { profileId, kind: 'profile', recordId: profileId };
    const wire = { ciphertext: textOf(body, 'name_data'), iv: textOf(body, 'name_iv') };
    const { content, lineage } = await decryptRecord(wire, known.open.get(before)!, place);
    const dek = { key: await generateDataKey('profile'), epoch };
    const wrap = await wrapProfileKey(dek, keys.accountKey, profileId);
    const newest = await openProfileKey(wrap, keys.accountKey, profileId);
    const extractable = await openProfileKey(wrap, keys.accountKey, profileId, true);
    const former = known.extractable.get(before)!;
    const older = await openChain(content.keyChain, former, profileId, true);
    const keyChain = await makeChain([former, ...older], newest, profileId);
    const sealed = await sealRecord(
      { ...(content as JsonObject & SealedContent), keyChain },
      newest,
      place,
      successorOf(lineage),
    );
    known.open.set(epoch, newest);
    known.extractable.set(epoch, extractable);
    try {
      await this.#write(spaceId, 'space/rekey', {
        rosters: [await this.#nextRoster(spaceId)],
        wraps: [{ member_id: connection.accountId(), wrap: aSpaceWrap() }],
        remove: [],
        roles: [],
        profile: { revision: body.revision, name_data: sealed.ciphertext, name_iv: sealed.iv },
        ...changes,
      });
    } catch (error) {
      known.open.delete(epoch);
      throw error;
    }
  }

  remove(spaceId: string, memberId: string): Promise<void> {
    return this.rekey(spaceId, { remove: [memberId] });
  }

  async end(spaceId: string, currentPassword: string): Promise<void> {
    const { own } = await this.parts.account.reauthenticate(currentPassword, {});
    await this.#write(spaceId, 'space/delete', { current_password: own.authSecret });
  }
}

/** The id of the account of a client, which a member of a circle uses. */
export const accountOf = (device: CircleDevice) => device.parts.connection.accountId();

/** Sends and reads all of these, in this order. */
export async function sync(...devices: HealthRecordsClient[]): Promise<void> {
  for (const device of devices) await device.sync.now();
}
