import { RosterRefusedError } from '../../errors';
import { checkSignature, compareRoles, type Roster, type RosterContent, type RosterMember } from './roster';

/** A change of a roster: what was, what is, and the entry of who has signed it, as it was. */
interface Step {
  before: RosterContent;
  next: RosterContent;
  signer: RosterMember;
  hasNewKey: boolean;
}

/**
 * Whether a roster may follow another one. The service only stores them, and any member could sign anything: these rules say
 * who may do what. A device that refuses a step seals nothing in this space any more.
 * @throws RosterRefusedError with the number of the first rule that is broken.
 */
export async function checkRosterStep(before: Roster, next: Roster): Promise<void> {
  const refuse = (rule: 1 | 2 | 3 | 4 | 5 | 6, message: string): never => {
    throw new RosterRefusedError(rule, message, before.content.space);
  };
  if (!isNext(before, next)) refuse(1, 'A list of members does not follow the one before.');
  const signer = before.content.members.find(({ account }) => account === next.content.by);
  if (!signer) return refuse(2, 'A list of members is signed by somebody who was not one of them.');
  await checkSignature(next, before);
  const hasNewKey = next.content.epoch !== before.content.epoch;
  const step = { before: before.content, next: next.content, signer, hasNewKey };
  if (!isKeyRight(step)) refuse(3, 'A list of members names a key that cannot be the next one.');
  if (signer.role !== 'owner' && !changesOnlyItself(step))
    refuse(4, 'A list of members was changed by somebody who is not an owner.');
  if (signer.role === 'owner' && !isOwnersChange(step))
    refuse(5, 'An owner has put out or lowered another owner, or somebody without a new key.');
  if (!keepsKeys(step)) refuse(6, 'A list of members has other keys for somebody who has not signed it.');
}

/** Rule 1. The form of each was checked when it was read. */
function isNext({ content: before, hash }: Roster, { content: next }: Roster): boolean {
  const isSame = next.v === before.v && next.space === before.space && next.profile === before.profile;
  return isSame && next.version === before.version + 1 && next.previous === hash;
}

/** Rule 3. */
function isKeyRight({ before, next, hasNewKey }: Step): boolean {
  if (hasNewKey) return next.epoch === before.epoch + 1 && next.key !== before.key && !next.due;
  return next.key === before.key && (next.due || !before.due);
}

/** Rule 4: its own entry is gone, lower or has other keys, or nothing differs. The others owe each other a new key then. */
function changesOnlyItself({ before, next, signer, hasNewKey }: Step): boolean {
  const own = entryOf(next, signer.account);
  const others = ({ members }: RosterContent) => members.filter(({ account }) => account !== signer.account);
  const [were, are] = [others(before), others(next)];
  const isSame = were.length === are.length && were.every((each, at) => isSameEntry(each, are[at]));
  const isHigher = own !== undefined && compareRoles(own.role, signer.role) > 0;
  return isSame && !isHigher && !hasNewKey && next.due;
}

/** Rule 5. A leaver must not make the next key. */
function isOwnersChange({ before, next, signer, hasNewKey }: Step): boolean {
  if (isLess(signer, next) && (hasNewKey || !next.due)) return false;
  const others = before.members.filter(({ account }) => account !== signer.account);
  return others.every((each) => !isLess(each, next) || (each.role !== 'owner' && hasNewKey));
}

/** Rule 6. */
function keepsKeys({ before, next, signer }: Step): boolean {
  return before.members.every((was) => {
    const is = entryOf(next, was.account);
    return !is || was.account === signer.account || hasSameKeys(was, is);
  });
}

/** Whether a member is gone, or may do less. */
function isLess(was: RosterMember, next: RosterContent): boolean {
  const is = entryOf(next, was.account);
  return !is || compareRoles(is.role, was.role) < 0;
}

function entryOf({ members }: RosterContent, account: string): RosterMember | undefined {
  return members.find((each) => each.account === account);
}

function isSameEntry(one: RosterMember, other: RosterMember): boolean {
  return one.account === other.account && one.role === other.role && hasSameKeys(one, other);
}

function hasSameKeys(one: RosterMember, other: RosterMember): boolean {
  return one.sharing === other.sharing && one.signing === other.signing;
}
