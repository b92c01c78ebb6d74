import { InvalidArgumentError, TransportError } from '../errors';
import { requireId } from '../ids';
import { checkOptions, requireText } from '../records/encrypted-collection';
import type { CallOptions } from '../records/record-types';
import { leaveAllSpaces } from './account-erasure';
import { beginSpace } from './beginning';
import { agreedContact, presentOf } from './checked-members';
import { assertNoOwner, CircleChanges, memberOf } from './circle-changes';
import type { CheckedSpace } from './checked-space';
import { Directory } from './directory';
import { compareRoles } from './formats/roster';
import { pairDigits } from './formats/identity';
import { Invitations, placeOf } from './invitations';
import { NewKeys, type KeyPlan } from './new-key';
import { formerAccount, formerSigner } from './former-identity';
import { Owed } from './owed';
import { OwnIdentities } from './own-identity';
import { OwnProfiles } from './own-profiles';
import { Pins } from './pins';
import { SetRight } from './set-right';
import { SpaceError } from './space-error';
import type { SpaceParts } from './space-parts';
import { SpaceProfiles } from './space-profile';
import { SpaceService } from './space-service';
import { stateOf, SpaceView } from './space-view';
import type {
  Acceptance,
  InvitationOffer,
  NewInvitation,
  PendingInvitation,
  Space,
  SpaceRole,
  Spaces,
  SpaceState,
} from './space-types';
import { isRole } from './space-wire';

const MAX_NAME_LENGTH = 128;
/** As long as that of a profile. */
const MAX_RELATIONSHIP_LENGTH = 64;

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
    const { transport, keys, connection, memory, trustBooks, sync, syncSoon } = parts;
    const accountId = () => connection.accountId();
    const service = (this.#service = new SpaceService(transport));
    const identities = (this.#identities = new OwnIdentities(service, keys, accountId));
    const pins = (this.#pins = new Pins(keys, trustBooks));
    const former = (keyId: string) => formerAccount(keys, trustBooks, keyId);
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
    this.#newKeys = new NewKeys(changes, profiles, copies, keys, sync, syncSoon);
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
    const acceptance = await this.#invitations.accept(offer, name, options);
    // From now on each sync asks whether it is let in.
    await this.directory.refresh(options);
    return acceptance;
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
    const known = (await this.#pins.read(options)).contacts[who];
    await this.#pins.replace(who, agreedContact(space, who, known));
    return this.#show(id, options);
  }

  async relate(spaceId: string, relationship: string, options: CallOptions = {}): Promise<void> {
    const id = idOf(spaceId);
    requireText(relationship, 'The relationship', MAX_RELATIONSHIP_LENGTH);
    await this.#changes.current(id, options, ANY_KEY);
    await this.#pins.relate(id, relationship);
    await this.directory.note(id, { relationship });
  }

  async leave(spaceId: string, options: CallOptions = {}): Promise<void> {
    const id = idOf(spaceId);
    await this.#changes.leave(id, options);
    await this.directory.drop(id);
    await this.#pins.forgetSpace(id);
  }

  async becomeKeeper(spaceId: string, options: CallOptions = {}): Promise<void> {
    const send = async (space: CheckedSpace) =>
      void (await this.#service.write(placeOf(space), 'keeper', {}, options));
    await this.#changes.send(idOf(spaceId), send, options);
    await this.directory.refresh(options);
  }

  async setRight(spaceId: string, options: CallOptions = {}): Promise<Space> {
    await this.#setRight.make(idOf(spaceId), options);
    this.parts.syncSoon();
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
  leaveAll(currentPassword: string, takesSole: boolean, options: CallOptions): Promise<void> {
    const { account, keys, connection } = this.parts;
    const erasure = {
      account,
      keys,
      directory: this.directory,
      changes: this.#changes,
      accountId: () => connection.accountId(),
    };
    return leaveAllSpaces(erasure, currentPassword, takesSole, options);
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

/** The option `spaces`, once it is loaded. */
export function spacesWith(parts: SpaceParts): ClientSpaces {
  return new ClientSpaces(parts);
}
