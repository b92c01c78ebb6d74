import type { FamilyMember } from '@app/client/documents';
import { Avatar } from '../../../ui/avatar';
import { members } from '../model/family';
import { placeOf } from '../model/people';

interface MemberListProps {
  hrefOf: (member: FamilyMember) => string;
  /** The second line of a row. */
  wordsOf: (member: FamilyMember) => string;
}

/** Every person and pet, as a link. */
export function MemberList({ hrefOf, wordsOf }: MemberListProps) {
  return (
    <ul class="list">
      {members.value.map((member) => (
        <li key={member.id}>
          <a class="list-link" href={hrefOf(member)}>
            <Avatar
              name={member.details.name}
              picture={member.details.picture}
              species={member.details.species}
              isPet={member.kind === 'pet'}
              isShared={placeOf(member) !== undefined}
            />
            <span class="list-main">
              <span class="list-title">{member.details.name}</span>
              <span class="list-sub">{wordsOf(member)}</span>
            </span>
          </a>
        </li>
      ))}
    </ul>
  );
}
