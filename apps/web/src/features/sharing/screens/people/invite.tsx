import type { NewInvitation, Space, SpaceRole } from '@app/client/spaces';
import { useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { isInviting } from '../../model/space-watch';
import { spaces } from '../../model/spaces';
import { Dialog } from '../../../../ui/dialog';
import { useAct } from '../../../../ui/form';
import { DialogActs } from './dialog-acts';
import { Invited } from './invited';
import { RoleChoice } from './role-choice';
import { ROLES } from './words';

export interface InviteDialogProps {
  /** Of the person whose record it is. */
  name: string;
  space: Space;
  onSpace: (space: Space) => void;
  onClose: () => void;
}

/** A role, what it gives away for good, then the link or the code until somebody has joined. */
export function InviteDialog({ name, space, onSpace, onClose }: InviteDialogProps) {
  const [role, setRole] = useState<SpaceRole | undefined>(undefined);
  const [made, setMade] = useState<NewInvitation | undefined>(undefined);
  const act = useAct(sentenceOf);
  const make = (chosen: SpaceRole) =>
    act.run(async () => {
      setMade(await spaces().invite(space.id, chosen));
      isInviting.value = true;
    });
  if (made) return <Invited invitation={made} space={space} onSpace={onSpace} onClose={onClose} />;
  return (
    <Dialog title={t('people.invite.title')} onClose={onClose}>
      <RoleChoice legend={t('people.invite.what')} roles={ROLES} value={role} onValue={setRole} />
      {role && (
        <div class="dialog-text" role="status">
          <p>
            <strong>{t(`people.invite.sees.${role}`, { name })}</strong>
          </p>
          <p class="soft small">{t('people.invite.then')}</p>
        </div>
      )}
      <DialogActs
        act={act}
        go={role && t('people.invite.go')}
        onGo={() => void (role && make(role))}
        onClose={onClose}
      />
    </Dialog>
  );
}
