import { ProtocolError } from '../errors';
import { ObjectReader, readArray } from '../http/object-reader';
import { isJsonObject, type JsonObject } from '../json';
import type { SpaceRole, SpaceState } from './space-types';

const ROLES: readonly string[] = ['viewer', 'carer', 'editor', 'owner'] satisfies SpaceRole[];
const STATES: readonly string[] = ['member', 'waiting', 'removed', 'deleted'] satisfies SpaceState['state'][];

/** A space as the list of the service names it. Nothing of it is checked. */
export interface ListedSpace {
  id: string;
  state: SpaceState['state'];
  isKeeper: boolean;
  /** Of a member. */
  role?: SpaceRole;
  version?: number;
  lastChange?: string;
  accepted: number;
}

/** A member as the service names it. */
export interface NamedMember {
  account: string;
  role: SpaceRole;
  /** Base64 of the public key to which others seal. */
  sharing: string;
  joinedAt: string;
}

/** A space as the service describes it. Nothing of it is checked. */
export interface NamedSpace {
  id: string;
  profileId: string;
  role: SpaceRole;
  version: number;
  rosterVersion: number;
  keeperId: string;
  members: NamedMember[];
  wrap: { from: string; rosterVersion: number; wrap: string } | null;
}

/** An open invitation as the service lists it. */
export interface ListedInvitation {
  id: string;
  role: SpaceRole;
  expiresAt: string;
  createdBy: string;
  acceptedBy: string | null;
  acceptedAt: string | null;
  acceptance: JsonObject | null;
}

/** The answer of `GET /api/spaces`. @throws ProtocolError */
export function readListedSpaces(body: unknown): ListedSpace[] {
  return readArray(body, 'spaces').map((each) => {
    const reader = new ObjectReader(each, 'space');
    const state = readOf(reader, 'state', STATES) as SpaceState['state'];
    const listed = { id: reader.id('space_id'), state, isKeeper: reader.boolean('is_keeper'), accepted: 0 };
    if (state !== 'member') return listed;
    return {
      ...listed,
      role: readRole(reader, 'role'),
      version: reader.integer('version'),
      lastChange: String(reader.integer('last_change')),
      accepted: reader.nullable('accepted', (name) => reader.integer(name)) ?? 0,
    };
  });
}

/** The answer of `GET /api/space` and of what changes a space. @throws ProtocolError for another space too. */
export function readNamedSpace(body: unknown, spaceId: string): NamedSpace {
  const reader = new ObjectReader(body, 'space');
  const id = reader.id('space_id');
  if (id !== spaceId) throw new ProtocolError('The service answers with another space.');
  return {
    id,
    profileId: reader.id('profile_id'),
    role: readRole(reader, 'role'),
    version: reader.integer('version'),
    rosterVersion: reader.integer('roster_version', 1),
    keeperId: reader.id('keeper_id'),
    members: readArray(reader.raw('members'), 'members').map((each) => {
      const member = new ObjectReader(each, 'member');
      return {
        account: member.id('member_id'),
        role: readRole(member, 'role'),
        sharing: member.text('sharing_public'),
        joinedAt: member.timestamp('joined_at'),
      };
    }),
    wrap: reader.nullable('wrap', () => {
      const wrap = reader.object('wrap');
      return {
        from: wrap.id('from'),
        rosterVersion: wrap.integer('roster_version', 1),
        wrap: wrap.text('wrap'),
      };
    }),
  };
}

/** The answer of `GET /api/space/rosters`. @throws ProtocolError */
export function readRosterTexts(body: unknown): string[] {
  return readArray(body, 'rosters').map((each) => new ObjectReader(each, 'roster').text('roster'));
}

/** The answer of `GET /api/space/invitations`. @throws ProtocolError */
export function readListedInvitations(body: unknown): ListedInvitation[] {
  return readArray(body, 'invitations').map((each) => {
    const reader = new ObjectReader(each, 'invitation');
    const acceptance = reader.raw('acceptance');
    return {
      id: reader.id('id'),
      role: readRole(reader, 'role'),
      expiresAt: reader.timestamp('expires_at'),
      createdBy: reader.id('created_by'),
      acceptedBy: reader.nullable('accepted_by', (name) => reader.id(name)),
      acceptedAt: reader.nullable('accepted_at', (name) => reader.timestamp(name)),
      acceptance: isJsonObject(acceptance) ? acceptance : null,
    };
  });
}

/** The answer of `POST /api/invitations/open`. @throws ProtocolError */
export function readOffer(body: unknown): { role: SpaceRole; expiresAt: string; offer: unknown } {
  const reader = new ObjectReader(body, 'invitation');
  return {
    role: readRole(reader, 'role'),
    expiresAt: reader.timestamp('expires_at'),
    offer: reader.raw('offer'),
  };
}

export function isRole(value: unknown): value is SpaceRole {
  return typeof value === 'string' && ROLES.includes(value);
}

function readRole(reader: ObjectReader, name: string): SpaceRole {
  return readOf(reader, name, ROLES) as SpaceRole;
}

function readOf(reader: ObjectReader, name: string, values: readonly string[]): string {
  const value = reader.text(name);
  return values.includes(value) ? value : reader.fail(name, `one of ${values.join(', ')}`);
}
