import type { PendingInvitation, Space } from '@app/client/spaces';
import { useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { spaces } from '../../model/spaces';
import { clockWords } from '../../../medications/model/words';
import { Button } from '../../../../ui/button';
import { CheckField } from '../../../../ui/field';
import { useAct } from '../../../../ui/form';
import { Note } from '../../../../ui/screen';
import { Digits } from './compare';

export interface AcceptanceProps {
  invitation: PendingInvitation;
  spaceId: string;
  onSpace: (space: Space) => void;
  /** The invitation was withdrawn. */
  onGone: () => void;
}

/** The question whether to let somebody in who has accepted. An owner is not let in before the numbers were compared. */
export function Acceptance({ invitation, spaceId, onSpace, onGone }: AcceptanceProps) {
  const { id, role, acceptance, refusal } = invitation;
  const [agree, setAgree] = useState(false);
  const act = useAct(sentenceOf);
  const withdraw = () =>
    act.run(async () => {
      await spaces().withdraw(spaceId, id);
      onGone();
    });
  const letIn = () => act.run(async () => onSpace(await spaces().confirm(spaceId, id, agree)));
  const isOwner = role === 'owner';
  const name = acceptance?.name ?? '';
  return (
    <div class="stack acceptance">
      {refusal?.code === 'other_inviter' ? (
        <p>{t('people.error.other_inviter')}</p>
      ) : refusal || !acceptance ? (
        <Note look="error">{t('people.waiting.refused')}</Note>
      ) : (
        <>
          <p role="status">
            <strong>
              {t('people.waiting.accepted', { name, when: clockWords(new Date(acceptance.acceptedAt)) })}
            </strong>{' '}
            {t(`people.role.${role}`)}
          </p>
          <p>{t(isOwner ? 'people.waiting.compareOwner' : 'people.waiting.compare', { name })}</p>
          <Digits digits={acceptance.digits} />
          <CheckField label={t('people.waiting.agree')} checked={agree} onValue={setAgree} />
        </>
      )}
      {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
      <div class="row">
        <Button busy={act.busy} onClick={() => void withdraw()}>
          {t(refusal ? 'people.waiting.withdraw' : 'people.waiting.notIn')}
        </Button>
        {acceptance && !refusal && (agree || !isOwner) && (
          <Button look="primary" busy={act.busy} onClick={() => void letIn()}>
            {t('people.waiting.letIn', { name })}
          </Button>
        )}
      </div>
    </div>
  );
}
