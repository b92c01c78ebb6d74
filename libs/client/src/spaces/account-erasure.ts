import type { Account } from '../account/account';
import { openWithPassword } from '../account/credentials';
import type { KeyRing } from '../account/key-ring';
import type { CallOptions } from '../records/record-types';
import type { CheckedSpace } from './checked-space';
import type { CircleChanges } from './circle-changes';
import type { Directory } from './directory';
import { SpaceError } from './space-error';

/** What an account that ends needs of its spaces. */
export interface ErasureParts {
  account: Account;
  keys: KeyRing;
  directory: Directory;
  changes: CircleChanges;
  accountId: () => string;
}

/**
 * Signs an account out of each space before it is erased, so that the others get another key.
 * @param takesSole whether spaces of which nobody else is an owner end with the account.
 * @throws SpaceError `sole_owner`, WrongPasswordError: nothing has changed then.
 */
export async function leaveAllSpaces(
  { account, keys, directory, changes, accountId }: ErasureParts,
  currentPassword: string,
  takesSole: boolean,
  options: CallOptions,
): Promise<void> {
  const { own, wrapped, accountId: id } = await account.reauthenticate(currentPassword, options);
  keys.requireSame((await openWithPassword(wrapped, own, id)).accountKey);
  const spaces = await checkedSpaces(directory, options);
  const self = accountId();
  const sole = spaces.filter((space) => space.named.role === 'owner' && !hasOther(space, self, true));
  const orphaned = sole.filter((space) => hasOther(space, self, false)).map(({ named }) => named.id);
  if (orphaned.length > 0 && !takesSole)
    throw new SpaceError('sole_owner', 'Others would be left without an owner.', orphaned);
  for (const space of spaces)
    if (!sole.includes(space) && !space.blocked) await changes.leave(space.named.id, options);
}

/** What this device cannot check, it does not sign. The service takes the account out of it all the same. */
async function checkedSpaces(directory: Directory, options: CallOptions): Promise<CheckedSpace[]> {
  await directory.refresh(options);
  const spaces: CheckedSpace[] = [];
  for (const { spaceId, state } of directory.places) {
    if (state !== 'member') continue;
    const space = await directory.check(spaceId, options).catch(() => undefined);
    if (space) spaces.push(space);
  }
  return spaces;
}

function hasOther({ members }: CheckedSpace, self: string, mustBeOwner: boolean): boolean {
  const others = members.filter(({ account, present }) => account !== self && present);
  return others.some(({ role }) => role === 'owner' || !mustBeOwner);
}
