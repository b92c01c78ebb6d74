import { openWithPassword } from '../account/credentials';
import { IntegrityError, InvalidArgumentError, TransportError } from '../errors';
import { requireId } from '../ids';
import { checkOptions, requireText } from '../records/encrypted-collection';
import type { CallOptions } from '../records/record-types';
import { beginSpace } from './beginning';
import { assertNoOwner, CircleChanges, memberOf } from './circle-changes';
import type { CheckedSpace } from './checked-space';
import { Directory } from './directory';
import { compareRoles } from './formats/roster';
import { pairDigits } from './formats/identity';
import { Invitations, placeOf } from './invitations';
import { NewKeys, type KeyPlan } from './new-key';
import { formerSigner } from './former-identity';
import { Owed } from './owed';
import { OwnIdentities } from './own-identity';
import { OwnProfiles } from './own-profiles';
import { Pins } from './pins';
import { SetRight } from './set-right';
import { SpaceError } from './space-error';
import type { SpaceParts } from './space-parts';
import { SpaceProfiles } from './space-profile';
import { SpaceService } from './space-service';
import { SpaceView } from './space-view';
import type {
  Acceptance,
  InvitationOffer,
  NewInvitation,
  PendingInvitation,
  Space,
  SpaceBlock,
  SpaceRole,
  Spaces,
  SpaceState,
} from './space-types';
import { isRole } from './space-wire';

const MAX_NAME_LENGTH = 128;

/** Shared profiles of an account: what a page calls. */
export class ClientSpaces implements Spaces {
  readonly directory: Directory;
  readonly #service: SpaceService;
  readonly #identities: OwnIdentities;
  readonly #pins: Pins;
  readonly #changes: CircleChanges;
  readonly #profiles: SpaceProfiles;
  readonly #newKeys: NewKeys;
  readonly #owed: Owed;
  readonly #setRight: SetRight;
  readonly #invitations: Invitations;
  readonly #view: SpaceView;

  constructor(private readonly parts: SpaceParts) {
    const { transport, keys, connection, memory, trustBooks, sync } = parts;
    const accountId = () => connection.accountId();
    const service = (this.#service = new SpaceService(transport));
    const identities = (this.#identities = new OwnIdentities(service, keys, accountId));
    const pins = (this.#pins = new Pins(keys, trustBooks));
    const former = (keyId: string) => formerAccount(parts, keyId);
    const shared = { service, identities, pins, keys, accountId };
    const directory = (this.directory = new Directory({
      ...shared,
      memory,
      former,
      formerSigner: (book, spaceId, options) =>
        formerSigner(book, spaceId, keys, trustBooks, accountId(), options),
      refreshed: () => this.#owed.begin(),
    }));
    const changes = (this.#changes = new CircleChanges(directory, service));
    const profiles = (this.#profiles = new SpaceProfiles(transport, connection, keys));
    const copies = new OwnProfiles(transport, connection, parts.profiles);
    this.#newKeys = new NewKeys(changes, profiles, copies, keys, sync);
    this.#owed = new Owed({ ...shared, directory, changes, newKeys: this.#newKeys });
    this.#setRight = new SetRight({ ...shared, directory, newKeys: this.#newKeys, copies });
    this.#view = new SpaceView({ directory, pins, profiles, accountId, resealing: parts.resealing });
    this.#invitations = new Invitations({ ...shared, directory, changes, profiles });
  }

  lock(): void {
    this.directory.forget();
    this.#identities.forget();
    this.#owed.forget();
  }

  async list(options: CallOptions = {}): Promise<SpaceState[]> {
    checkOptions(options);
    if (!this.parts.keys.isUnlocked) return (await this.#service.list(options)).map((each) => stateOf(each));
    try {
      await this.directory.refresh(options);
    } catch (error) {
      if (!(error instanceof TransportError)) throw error;
      return this.directory.places.map(({ spaceId: id, ...place }) => stateOf({ id, ...place, accepted: 0 }));
    }
    return this.directory.listed!.map((listed) => {
      const place = this.directory.places.find(({ spaceId }) => spaceId === listed.id);
      if (!place) return stateOf(listed);
      const { profileId, role, blocked } = place;
      return stateOf({ ...listed, profileId, role, blocked });
    });
  }

  async get(profileId: string, options: CallOptions = {}): Promise<Space> {
    return this.#show(await this.#spaceIdOf(profileId, options), options);
  }

  async share(profileId: string, name: string, options: CallOptions = {}): Promise<Space> {
    requireText(name, 'The name', MAX_NAME_LENGTH);
    const id = requireId(profileId, 'The profile id');
    await this.directory.refresh(options);
    // What failed after the beginning is done now.
    const begun = this.#placeOf(id)?.spaceId;
    if (begun !== undefined && (await this.#isNamed(begun, options)))
      throw new SpaceError('already_shared', 'The profile is shared already.', [begun]);
    const { profiles, sync, keys, connection } = this.parts;
    const parts = {
      service: this.#service,
      directory: this.directory,
      identities: this.#identities,
      pins: this.#pins,
      keys,
      profiles,
      sync,
      accountId: () => connection.accountId(),
    };
    const spaceId = begun ?? (await beginSpace(parts, id, options));
    const space = await this.#changes.current(spaceId, options);
    await this.#profiles.name(placeOf(space), connection.accountId(), name, options);
    return this.#show(spaceId, options);
  }

  async invite(spaceId: string, role: SpaceRole, options: CallOptions = {}): Promise<NewInvitation> {
    return this.#invitations.invite(idOf(spaceId), requireRole(role), options);
  }

  async invitations(spaceId: string, options: CallOptions = {}): Promise<PendingInvitation[]> {
    return this.#invitations.list(idOf(spaceId), options);
  }

  async withdraw(spaceId: string, invitationId: string, options: CallOptions = {}): Promise<void> {
    const id = requireId(invitationId, 'The id of the invitation');
    await this.#invitations.withdraw(idOf(spaceId), id, options);
  }

  async openInvitation(fragment: string, options: CallOptions = {}): Promise<InvitationOffer> {
    return this.#invitations.open(fragment, options);
  }

  async accept(offer: InvitationOffer, name: string, options: CallOptions = {}): Promise<Acceptance> {
    requireText(name, 'The name', MAX_NAME_LENGTH);
    return this.#invitations.accept(offer, name, options);
  }

  async confirm(
    spaceId: string,
    invitationId: string,
    areDigitsEqual: boolean,
    options: CallOptions = {},
  ): Promise<Space> {
    const id = requireId(invitationId, 'The id of the invitation');
    await this.#invitations.confirm(idOf(spaceId), id, areDigitsEqual, options);
    return this.#show(idOf(spaceId), options);
  }

  async setRole(
    spaceId: string,
    accountId: string,
    role: SpaceRole,
    options: CallOptions = {},
  ): Promise<Space> {
    const [id, who] = [idOf(spaceId), requireId(accountId, 'The account id')];
    requireRole(role);
    const now = memberOf(await this.#changes.current(id, options), who);
    const isLower = compareRoles(role, now.role) < 0;
    if (isLower && now.acquaintance !== 'self') await this.#lower(id, who, role, options);
    else if (role !== now.role) await this.#changes.setRole(id, who, role, options);
    return this.#show(id, options);
  }

  async remove(spaceId: string, accountId: string, options: CallOptions = {}): Promise<Space> {
    const [id, who] = [idOf(spaceId), requireId(accountId, 'The account id')];
    const planOf = (space: CheckedSpace): KeyPlan => {
      assertNoOwner(memberOf(space, who), id);
      return { remove: [who], roles: [] };
    };
    await this.#newKeys.make(id, planOf, options);
    return this.#show(id, options);
  }

  async newKey(spaceId: string, options: CallOptions = {}): Promise<Space> {
    await this.#newKeys.make(idOf(spaceId), () => ({ remove: [], roles: [] }), options);
    return this.#show(idOf(spaceId), options);
  }

  async digitsWith(spaceId: string, accountId: string, options: CallOptions = {}): Promise<string> {
    const who = requireId(accountId, 'The account id');
    const space = await this.#changes.current(idOf(spaceId), options, ANY_KEY);
    const own = await this.#identities.require(options);
    return pairDigits(own.id, presentOf(space, who).identity);
  }

  async agree(spaceId: string, accountId: string, options: CallOptions = {}): Promise<Space> {
    const [id, who] = [idOf(spaceId), requireId(accountId, 'The account id')];
    const space = await this.#changes.current(id, options, ANY_KEY);
    const { identity } = presentOf(space, who);
    const { signing } = memberOf(space, who);
    const name = (await this.#pins.read(options)).contacts[who]?.name ?? '';
    await this.#pins.replace(who, { name, identity, signing, paired: true });
    return this.#show(id, options);
  }

  async leave(spaceId: string, options: CallOptions = {}): Promise<void> {
    const id = idOf(spaceId);
    await this.#changes.leave(id, options);
    await this.directory.drop(id);
    await this.#pins.forgetSpace(id);
  }

  async becomeKeeper(spaceId: string, options: CallOptions = {}): Promise<void> {
    const space = await this.#changes.current(idOf(spaceId), options);
    await this.#service.write(placeOf(space), 'keeper', {}, options);
    await this.directory.refresh(options);
  }

  async setRight(spaceId: string, options: CallOptions = {}): Promise<Space> {
    await this.#setRight.make(idOf(spaceId), options);
    return this.#show(idOf(spaceId), options);
  }

  async forget(spaceId: string, options: CallOptions = {}): Promise<void> {
    const id = idOf(spaceId);
    const request = { method: 'POST', path: '/api/spaces/forget', body: { space_id: id } } as const;
    await this.#service.send({ ...request, replayable: true }, options);
    await this.directory.drop(id);
    await this.#pins.forgetSpace(id);
  }

  async delete(spaceId: string, currentPassword: string, options: CallOptions = {}): Promise<void> {
    const id = idOf(spaceId);
    const { account } = this.parts;
    const space = await this.#changes.current(id, options, ANY_KEY);
    const { own } = await account.reauthenticate(currentPassword, options);
    const body = { current_password: own.authSecret };
    const header = `${id};${space.named.version}`;
    await account.stepUp({
      method: 'POST',
      path: '/api/space/delete',
      body,
      space: header,
      ...(options.signal && { signal: options.signal }),
    });
    await this.directory.drop(id);
    await this.#pins.forgetSpace(id);
  }

  /** Before the account is erased. @throws SpaceError `sole_owner`, WrongPasswordError: nothing has changed then. */
  async leaveAll(currentPassword: string, takesSole: boolean, options: CallOptions): Promise<void> {
    const { account, keys } = this.parts;
    const { own: derived, wrapped, accountId } = await account.reauthenticate(currentPassword, options);
    keys.requireSame((await openWithPassword(wrapped, derived, accountId)).accountKey);
    await this.directory.refresh(options);
    const spaces: CheckedSpace[] = [];
    for (const { spaceId, state } of this.directory.places) {
      if (state !== 'member') continue;
      // What this device cannot check, it does not sign. The service erases the account there, too.
      const space = await this.directory.check(spaceId, options).catch(() => undefined);
      if (space) spaces.push(space);
    }
    const self = this.parts.connection.accountId();
    const isSole = ({ members }: CheckedSpace) =>
      !members.some(({ account, role, present }) => account !== self && role === 'owner' && present);
    const hasOthers = ({ members }: CheckedSpace) =>
      members.some(({ account, present }) => account !== self && present);
    const owned = spaces.filter((space) => memberOf(space, self).role === 'owner' && isSole(space));
    const orphaned = owned.filter(hasOthers).map(({ named }) => named.id);
    if (orphaned.length > 0 && !takesSole)
      throw new SpaceError('sole_owner', 'Others would be left without an owner.', orphaned);
    for (const space of spaces)
      if (!owned.includes(space) && !space.blocked) await this.#changes.leave(space.named.id, options);
  }

  async #lower(id: string, who: string, role: SpaceRole, options: CallOptions): Promise<void> {
    const planOf = (space: CheckedSpace): KeyPlan | undefined => {
      const member = memberOf(space, who);
      assertNoOwner(member, id);
      return compareRoles(role, member.role) < 0
        ? { remove: [], roles: [{ account: who, role }] }
        : undefined;
    };
    await this.#newKeys.make(id, planOf, options);
  }

  async #spaceIdOf(profileId: string, options: CallOptions): Promise<string> {
    const id = requireId(profileId, 'The profile id');
    await this.directory.open();
    if (!this.#placeOf(id)) await this.directory.refresh(options);
    const place = this.#placeOf(id);
    if (!place) throw new InvalidArgumentError('The profile is not shared.');
    return place.spaceId;
  }

  #placeOf(profileId: string) {
    return this.directory.places.find((each) => each.profileId === profileId && each.state === 'member');
  }

  async #isNamed(spaceId: string, options: CallOptions): Promise<boolean> {
    const space = await this.#changes.current(spaceId, options);
    const people = await this.#profiles.people(placeOf(space), options);
    return people[this.parts.connection.accountId()] !== undefined;
  }

  #show(spaceId: string, options: CallOptions): Promise<Space> {
    return this.#view.show(spaceId, options);
  }
}

/** All that a block may say where only people are compared, or something ends. */
const ANY_KEY = ['key_missing', 'new_keys', 'tampered'] as const;

function idOf(spaceId: string): string {
  return requireId(spaceId, 'The id of the space');
}

function requireRole(role: SpaceRole): SpaceRole {
  if (!isRole(role)) throw new InvalidArgumentError('A role is viewer, carer, editor or owner.');
  return role;
}

/** @throws SpaceError `change_obsolete` for somebody whom the service has no more. */
function presentOf(space: CheckedSpace, accountId: string) {
  const { present } = memberOf(space, accountId);
  if (present) return present;
  throw new SpaceError('change_obsolete', 'The service has no such account any more.', [space.named.id]);
}

/** What the list says of a space, and what this device has checked of it. */
function stateOf(space: {
  id: string;
  state: SpaceState['state'];
  accepted: number;
  role?: SpaceRole;
  profileId?: string;
  blocked?: SpaceBlock | null;
}): SpaceState {
  const { id, state, accepted, role, profileId, blocked = null } = space;
  return {
    id,
    state,
    accepted,
    ...(profileId !== undefined && { profileId }),
    ...(role !== undefined && { role }),
    blocked,
  };
}

/** Opens the account key of before all keys were replaced, for what this device has stored under it. */
async function formerAccount({ keys, trustBooks }: SpaceParts, keyId: string) {
  try {
    return await (await trustBooks()).former(keys.accountKey, keyId, {});
  } catch (error) {
    // Without a network: the space is read anew when there is one.
    if (error instanceof TransportError || error instanceof IntegrityError) return undefined;
    throw error;
  }
}

/** The option `spaces`, once it is loaded. */
export function spacesWith(parts: SpaceParts): ClientSpaces {
  return new ClientSpaces(parts);
}
