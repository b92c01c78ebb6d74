/** With open invitations. */
export const MAX_SPACE_MEMBERS = 16;
/** Spaces that an account keeps. */
export const MAX_KEPT_SPACES = 20;
/** Spaces of which an account may be a member. */
export const MAX_MEMBERSHIPS = 50;
/** Records of a profile that moves into a space. */
export const MAX_MOVED_RECORDS = 100_000;
/** So long an invitation is open at most. */
export const MAX_INVITATION_DAYS = 7;
