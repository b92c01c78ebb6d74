import { HealthRecordsError } from '../errors';

/**
 * - `space_unknown`: this account has no part in the space, or the profile is not shared.
 * - `space_waits`: the key of the profile is not here yet.
 * - `already_shared`: the profile is shared.
 * - `change_obsolete`: another owner was faster, and the change makes no sense any more.
 * - `digits_not_compared`: an owner is let in only after the digits were compared.
 * - `keys_not_compared`: the member has new keys, and nobody has said that the digits agree.
 * - `owner_protected`: no owner is put out or lowered by another one.
 * - `sole_owner`: the others would have no owner. See `spaceIds`.
 * - `other_inviter`: the invitation is of another owner, whose devices open what was answered.
 * - `nobody_accepted`: nobody has accepted the invitation yet.
 * - `not_rolled_back`: there is nothing to set right.
 */
export type SpaceFailure =
  | 'space_unknown'
  | 'space_waits'
  | 'already_shared'
  | 'change_obsolete'
  | 'digits_not_compared'
  | 'keys_not_compared'
  | 'owner_protected'
  | 'sole_owner'
  | 'other_inviter'
  | 'nobody_accepted'
  | 'not_rolled_back';

/** What this client itself refuses in a shared profile. Nothing has changed then. `code`: see {@link SpaceFailure}. */
export class SpaceError extends HealthRecordsError {
  override readonly name: string = 'SpaceError';
  /** Of `sole_owner`: in which spaces. */
  readonly spaceIds: readonly string[];

  constructor(code: SpaceFailure, message: string, spaceIds: readonly string[] = []) {
    super(code, message);
    this.spaceIds = spaceIds;
  }
}
