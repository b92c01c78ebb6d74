import { randomBytes } from 'node:crypto';
import type { Lie } from '../client/hostile/lying-fetch';
import { changing, changingOthers, recorded } from '../client/hostile/space-lies';
import type { Circle } from './people-stage';

const STRANGER = 'ffffffff-ffff-4fff-8fff-ffffffffffff';
/** Of another key, or another signature. */
export const garbage = (bytes: number) => randomBytes(bytes).toString('base64');

/** What a lying service says of a shared profile, and what the page says of it. */
export interface BlockedRow {
  what: string;
  /** Whose page it is: Mara shares the care, Jonas may change. */
  who: 'Mara' | 'Jonas';
  /** What an honest owner does before the lie. */
  meanwhile?: (circle: Circle) => Promise<unknown>;
  lie: (circle: Circle, self: string) => Lie | Promise<Lie>;
  says: string;
  advises: string;
  /** What can be done about it here; absent: nothing but to try again. */
  button?: string;
  screen?: string;
}

const REFUSED = 'Call the other members and compare the number under “Do all see the same members?”.';
export const NOBODY =
  'The service names somebody whom nobody let in, or another role or key than was agreed.';
export const OLDER = 'The service shows an older list of members than was known.';
export const WRONG_KEY = 'The key that came for you does not open the record.';
/** Lets the lie begin after the honest change, with what was true before it. */
const lower = ({ mara, id, others: [jonas] }: Circle) => mara.spaces.setRole(id, jonas.id, 'carer');
const newKey = ({ mara, id }: Circle) => mara.spaces.newKey(id);

export const BLOCKED_ROWS: readonly BlockedRow[] = [
  {
    what: 'a member whom nobody let in',
    who: 'Mara',
    lie: () =>
      changing('/api/space', (body) => ({
        ...body,
        members: [...body.members, { ...body.members[0], member_id: STRANGER }],
      })),
    says: NOBODY,
    advises: REFUSED,
    screen: 'blocked-stranger',
  },
  {
    what: 'another key of a member',
    who: 'Mara',
    lie: (_circle, self) => changingOthers(self, { sharing_public: garbage(1216) }),
    says: NOBODY,
    advises: REFUSED,
  },
  {
    what: 'a higher role of a member',
    who: 'Mara',
    lie: (_circle, self) => changingOthers(self, { role: 'owner' }),
    says: NOBODY,
    advises: REFUSED,
  },
  {
    what: 'a higher role of one’s own',
    who: 'Jonas',
    lie: () => changing('/api/space', (body) => ({ ...body, role: 'owner' })),
    says: NOBODY,
    advises: REFUSED,
  },
  {
    what: 'another profile',
    who: 'Jonas',
    lie: () => changing('/api/space', (body) => ({ ...body, profile_id: STRANGER })),
    says: 'Rule 1: The list of members must follow the one before',
    advises: REFUSED,
  },
  {
    what: 'a list of members that nobody has signed',
    who: 'Jonas',
    meanwhile: newKey,
    lie: () =>
      changing('/api/space/rosters', (all) =>
        all.map((each: any) => ({ ...each, roster: `${each.roster.split('.')[0]}.${garbage(64)}` })),
      ),
    says: 'Rule 2: It must be signed by a member, with the keys that are known.',
    advises: REFUSED,
    screen: 'blocked-rule',
  },
  {
    what: 'a newer list of members that is not given',
    who: 'Jonas',
    meanwhile: newKey,
    lie: () => changing('/api/space/rosters', () => []),
    says: 'The members have changed, and the service does not show the new list.',
    advises: 'Try again later. If it stays so, ask those who run the service.',
    screen: 'blocked-withheld',
  },
  {
    what: 'an older list of members, to an owner',
    who: 'Mara',
    meanwhile: lower,
    lie: ({ mara, id }) => recorded(mara.client, id),
    says: OLDER,
    advises: 'First one who shares the care gives the service what it has lost, then each of the others.',
    button: 'Set right again',
    screen: 'blocked-older',
  },
  {
    what: 'an older list of members, to another member',
    who: 'Jonas',
    meanwhile: newKey,
    lie: ({ others: [jonas], id }) => recorded(jonas.client, id),
    says: OLDER,
    advises: 'First one who shares the care gives the service what it has lost, then each of the others.',
    button: 'Set right again',
  },
  {
    what: 'no key, where there is a new one',
    who: 'Jonas',
    meanwhile: newKey,
    lie: () => changing('/api/space', (body) => ({ ...body, wrap: null })),
    says: 'You have not got the newest key yet.',
    advises: 'It comes as soon as a device of one who shares the care is online.',
    screen: 'blocked-key',
  },
  {
    what: 'a wrong key, to one who cannot make another',
    who: 'Jonas',
    meanwhile: newKey,
    lie: () => changing('/api/space', (body) => ({ ...body, wrap: { ...body.wrap, wrap: garbage(1232) } })),
    says: WRONG_KEY,
    advises: 'Call one who shares the care: a new key helps.',
  },
];
