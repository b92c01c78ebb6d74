import type { Space, SpaceMember } from '@app/client/spaces';
import { useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { today } from '../../../../platform/model/clock';
import { whenWords } from '../../../medications/model/words';
import { Avatar } from '../../../../ui/avatar';
import { Button } from '../../../../ui/button';
import { MemberDialog } from './member-dialog';
import { isSelf, knownNameOf, nameOfMember } from './words';

export interface MembersProps {
  /** Of the person whose record it is. */
  name: string;
  space: Space;
  onSpace: (space: Space) => void;
}

/** Who they are, what they may do, and how well their keys are known. */
export function Members({ name, space, onSpace }: MembersProps) {
  const [changing, setChanging] = useState<SpaceMember | undefined>(undefined);
  return (
    <section>
      <ul class="list">
        {space.members.map((member) => (
          <Row key={member.accountId} member={member} onChange={() => setChanging(member)} />
        ))}
      </ul>
      {changing && (
        <MemberDialog
          record={name}
          space={space}
          member={changing}
          onSpace={onSpace}
          onClose={() => setChanging(undefined)}
        />
      )}
    </section>
  );
}

function Row({ member, onChange }: { member: SpaceMember; onChange: () => void }) {
  const { role, acquaintance, joinedAt, isGone } = member;
  const known = knownNameOf(member);
  const own = known ? t('people.youAre', { name: known }) : t('people.you');
  const shown = isSelf(member) ? own : nameOfMember(member);
  const facts = [
    isGone ? t('people.gone') : acquaintance !== 'self' && t(`people.${acquaintance}`),
    t('people.since', { when: whenWords(new Date(joinedAt), today.value) }),
  ];
  return (
    <li class="member">
      <Avatar name={known ?? shown} />
      <span class="list-main">
        <span class="list-title">{shown}</span>
        <span>{t(`people.role.${role}`)}</span>
        <span class="list-sub">{facts.filter(Boolean).join(' · ')}</span>
      </span>
      <Button aria-label={t('people.detailsOf', { name: shown })} onClick={onChange}>
        {t('people.details')}
      </Button>
    </li>
  );
}
