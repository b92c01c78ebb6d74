import { newId } from '../ids';
import { agreedContact, takenOf, uncomparedBy, type CheckedMember } from './checked-members';
import type { Roster } from './formats/roster';
import type { Contacts } from './pins';

/** How far rosters are taken where a contact has new keys. Their signatures are checked before, and not here. */
const [ada, ben, carl] = [newId(), newId(), newId()].sort();
const known = { name: 'Ben', identity: 'id of K0', signing: 'K0', paired: true };

/** The key that Ben has in each version, and who has signed it. */
function chainOf(...steps: [benKey: string | undefined, by: string][]): Roster[] {
  return steps.map(([key, by], at) => {
    const entry = (account: string, signing: string) => ({ account, role: 'owner', sharing: '', signing });
    const members = [entry(ada, 'A'), ...(key === undefined ? [] : [entry(ben, key)]), entry(carl, 'C')];
    return { content: { version: at + 1, by, members }, text: '', hash: '' } as unknown as Roster;
  });
}

function taken(chain: Roster[], benIsNew: boolean, contacts: Contacts = { [ben]: known }, from = 2) {
  const present = chain.at(-1)!.content.members.some(({ account }) => account === ben);
  const members = present
    ? [{ account: ben, acquaintance: benIsNew ? 'new_keys' : 'paired' } as CheckedMember]
    : [];
  const { taken: rosters, stoppedBy } = takenOf(chain, from, uncomparedBy(chain, members, contacts));
  return [rosters.length, stoppedBy];
}

it('takes what the known keys have signed, and the step to new ones', () => {
  expect(taken(chainOf(['K0', ada], ['K0', ben], ['K1', ben]), true)).toEqual([3, undefined]);
});

it('takes nothing that the new ones have signed, whatever they have become since', () => {
  expect(taken(chainOf(['K0', ada], ['K1', ben], ['K1', ben]), true)).toEqual([2, ben]);
  expect(taken(chainOf(['K0', ada], ['K1', ben], ['K2', ben], ['K2', ada]), true)).toEqual([2, ben]);
});

it('takes all of it once the newest ones were compared', () => {
  const agreed = { [ben]: { ...known, identity: 'id of K2', signing: 'K2' } };
  expect(taken(chainOf(['K0', ada], ['K1', ben], ['K2', ben], ['K2', ben]), false, agreed)).toEqual([
    4,
    undefined,
  ]);
});

it('takes what somebody has signed who is met first, and what was taken before', () => {
  expect(taken(chainOf(['K0', ada], ['K1', ben], ['K1', ben]), false, {})).toEqual([3, undefined]);
  expect(taken(chainOf(['K0', ada], ['K1', ben], ['K1', ben], ['K1', ada]), true, undefined, 4)).toEqual([
    4,
    undefined,
  ]);
});

it('believes what somebody has signed who has gone, once the person says so', () => {
  const seen = chainOf(['K0', ada], ['K1', ben], ['K1', ben], [undefined, ben]);
  const contact = agreedContact({ named: { id: newId() }, members: [], seen }, ben, known);
  expect(contact).toEqual({ ...known, signing: 'K1' });
  expect(taken(seen, false, { [ben]: contact })).toEqual([4, undefined]);
  const nobody = () => agreedContact({ named: { id: newId() }, members: [], seen: [] }, ben, known);
  expect(nobody).toThrow(expect.objectContaining({ code: 'change_obsolete' }));
});

it('asks for somebody who has gone with new keys, too', () => {
  expect(taken(chainOf(['K0', ada], ['K1', ben], ['K1', ben], [undefined, ben]), true)).toEqual([2, ben]);
  expect(taken(chainOf(['K0', ada], ['K0', ben], [undefined, ben]), false)).toEqual([3, undefined]);
});
