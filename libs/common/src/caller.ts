/** What a member of a space may do. */
export type SpaceRole = 'viewer' | 'carer' | 'editor' | 'owner';

/** From least to most. */
export const SPACE_ROLES: readonly SpaceRole[] = ['viewer', 'carer', 'editor', 'owner'];

/** Whether a role may do what `least` may. */
export function mayAct(role: SpaceRole, least: SpaceRole): boolean {
  return SPACE_ROLES.indexOf(role) >= SPACE_ROLES.indexOf(least);
}

/** The person who acts in a space. */
export interface SpaceMember {
  /** The account of the person. */
  id: string;
  role: SpaceRole;
  /** Of the person's token. */
  tokenVersion: number;
}

/**
 * The caller of a request, from the access token. A statement that checks account and token version proves
 * that the token is still valid.
 *
 * In a space the account is that of the space, and its token version rises when somebody may no longer do something, or
 * the key of the profile is a new one.
 */
export interface Caller {
  accountId: string;
  tokenVersion: number;
  /** The session whose login or refresh issued the token. In a space it is one of the member's own account. */
  sessionId: string;
  /** The client's address. Security: never stored or logged in this form. */
  address: string;
  /** Only in a space. */
  member?: SpaceMember;
}
