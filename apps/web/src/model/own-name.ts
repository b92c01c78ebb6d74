import { members } from './family';
import { knownPeople } from './people';

/** What the others probably call this person: the name under earlier records, else that of the own profile. */
export function ownName(): string {
  const { me, names } = knownPeople.value;
  const own = members.value.find(({ relationship }) => relationship === 'self');
  return (me !== undefined && names[me]) || own?.details.name || '';
}
