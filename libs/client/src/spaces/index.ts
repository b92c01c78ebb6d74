/** Profiles that several accounts share: `@health-records/client/spaces`. */
export {
  circleCodeOf,
  readRoster,
  type Roster,
  type RosterContent,
  type RosterMember,
} from './formats/roster';
export { checkRosterStep } from './formats/roster-rules';
export { readFragment, type Invitation } from './formats/invitation';
export { SpaceError, type SpaceFailure } from './space-error';
export type { SpacesFactory, SpacesPart } from './space-parts';
export type {
  Acceptance,
  InvitationOffer,
  NewInvitation,
  PendingInvitation,
  RecordAuthor,
  Space,
  SpaceAcquaintance,
  SpaceBlock,
  SpaceMember,
  SpaceRole,
  Spaces,
  SpaceState,
} from './space-types';
export { sharedProfiles } from './shared-profiles';
