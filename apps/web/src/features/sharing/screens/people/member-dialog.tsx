import type { Space, SpaceMember, SpaceRole } from '@app/client/spaces';
import { useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { spaces } from '../../model/spaces';
import { Button } from '../../../../ui/button';
import { Dialog } from '../../../../ui/dialog';
import { useAct } from '../../../../ui/form';
import { toast } from '../../../../ui/toast';
import { Compare } from './compare';
import { DialogActs } from './dialog-acts';
import { RoleChoice } from './role-choice';
import { isSelf, nameOfMember, ROLES } from './words';

export interface MemberDialogProps {
  record: string;
  space: Space;
  member: SpaceMember;
  onSpace: (space: Space) => void;
  onClose: () => void;
}

/** What can be done about one member: compare numbers, another role, removal. Owners leave by themselves. */
export function MemberDialog({ record, space, member, onSpace, onClose }: MemberDialogProps) {
  const [view, setView] = useState<'acts' | 'compare' | 'role' | 'remove'>('acts');
  const name = nameOfMember(member);
  const self = isSelf(member);
  const isOwner = space.role === 'owner';
  const canLead = isOwner && !self && !space.blocked;
  const done = (next: Space) => {
    onSpace(next);
    onClose();
  };
  const props = { record, space, member, onSpace: done, onClose };
  if (view === 'compare') return <Compare space={space} member={member} onSpace={done} onClose={onClose} />;
  if (view === 'role') return <ChangeRole {...props} />;
  if (view === 'remove') return <Removal {...props} />;
  const isPeer = member.role === 'owner';
  return (
    <Dialog title={self ? t('people.youAre', { name }) : name} onClose={onClose}>
      <div class="dialog-text stack">
        <p>{self ? t(`people.roleOf.${member.role}`) : t(`people.role.${member.role}`)}</p>
        <p class="soft">{t(`people.roleText.${member.role}`)}</p>
        {canLead && isPeer && !member.isGone && <p>{t('people.ownersStay')}</p>}
      </div>
      <div class="choices">
        {!self && !member.isGone && (
          <Button onClick={() => setView('compare')}>{t('people.compare.title')}</Button>
        )}
        {canLead && !isPeer && !member.isGone && (
          <Button onClick={() => setView('role')}>{t('people.changeRole', { name })}</Button>
        )}
        {self && member.role !== 'viewer' && !space.blocked && (
          <Button onClick={() => setView('role')}>{t('people.ownRole')}</Button>
        )}
        {canLead && !isPeer && (
          <Button look="danger" onClick={() => setView('remove')}>
            {t('people.remove', { name })}
          </Button>
        )}
      </div>
      <div class="actions">
        <Button onClick={onClose}>{t('common.action.close')}</Button>
      </div>
    </Dialog>
  );
}

/** Another's role up or down, or one's own role down. */
function ChangeRole({ space, member, onSpace, onClose }: MemberDialogProps) {
  const self = isSelf(member);
  const name = nameOfMember(member);
  const [role, setRole] = useState<SpaceRole>(member.role);
  const act = useAct(sentenceOf);
  const rank = ROLES.indexOf(member.role);
  const isLower = ROLES.indexOf(role) < rank;
  const meaning = self
    ? isLower && t('people.lowerSelf')
    : role === 'owner'
      ? t('people.raiseOwner', { name })
      : isLower && t('people.lowerOther', { name });
  const save = () => act.run(async () => onSpace(await spaces().setRole(space.id, member.accountId, role)));
  return (
    <Dialog title={self ? t('people.ownRole') : t('people.changeRole', { name })} onClose={onClose}>
      <RoleChoice
        isLegendHidden
        legend={self ? t('people.ownRole') : t('people.changeRole', { name })}
        roles={self ? ROLES.slice(0, rank + 1) : ROLES}
        value={role}
        onValue={setRole}
      />
      {meaning && (
        <p class="dialog-text" role="status">
          {meaning}
        </p>
      )}
      <DialogActs
        act={act}
        go={role === member.role ? undefined : self ? t('people.setOwnRole') : t('people.setRole', { name })}
        look={isLower ? 'danger' : 'primary'}
        onGo={() => void save()}
        onClose={onClose}
      />
    </Dialog>
  );
}

function Removal({ space, member, onSpace, onClose }: MemberDialogProps) {
  const name = nameOfMember(member);
  const act = useAct(sentenceOf);
  const remove = () =>
    act.run(async () => {
      onSpace(await spaces().remove(space.id, member.accountId));
      toast({ text: t('people.removed', { name }) });
    });
  return (
    <Dialog title={t('people.remove', { name })} onClose={onClose}>
      <p class="dialog-text">{t('people.removeText', { name })}</p>
      <DialogActs
        act={act}
        go={t('people.remove', { name })}
        look="danger"
        onGo={() => void remove()}
        onClose={onClose}
      />
    </Dialog>
  );
}
