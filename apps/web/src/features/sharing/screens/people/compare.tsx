import type { Space, SpaceMember } from '@app/client/spaces';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { spaces } from '../../model/spaces';
import { Button } from '../../../../ui/button';
import { Dialog } from '../../../../ui/dialog';
import { useAct } from '../../../../ui/form';
import { Note, Skeleton } from '../../../../ui/screen';
import { toast } from '../../../../ui/toast';
import { groupsOf, nameOfMember } from './words';

/** Numbers that two persons compare: in groups, which are read aloud one after the other. */
export function Digits({ digits }: { digits: string }) {
  return (
    <p class="digits" translate={false}>
      {groupsOf(digits).map((group, at) => (
        <span key={at}>{group} </span>
      ))}
    </p>
  );
}

export interface CompareProps {
  space: Pick<Space, 'id'>;
  member: Pick<SpaceMember, 'accountId' | 'name'>;
  onSpace: (space: Space) => void;
  onClose: () => void;
}

/** The numbers of two members. Only the persons can say whether they agree. */
export function Compare({ space, member, onSpace, onClose }: CompareProps) {
  const name = nameOfMember(member);
  const [digits, setDigits] = useState<string | undefined>(undefined);
  const [differ, setDiffer] = useState(false);
  const act = useAct(sentenceOf);
  useEffect(
    () => void act.run(async () => setDigits(await spaces().digitsWith(space.id, member.accountId))),
    [],
  );
  const agree = () =>
    act.run(async () => {
      onSpace(await spaces().agree(space.id, member.accountId));
      toast({ text: t('people.compare.done', { name }) });
    });
  return (
    <Dialog title={t('people.compare.title')} onClose={onClose}>
      <p class="dialog-text">{t('people.compare.text', { name })}</p>
      {digits ? (
        <Digits digits={digits} />
      ) : (
        act.busy && <Skeleton label={t('common.state.loading')} rows={1} />
      )}
      {differ && <Note look="error">{t('people.compare.differText')}</Note>}
      {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
      <div class="actions">
        <Button onClick={onClose}>{t('common.action.close')}</Button>
        {digits && !differ && (
          <>
            <Button onClick={() => setDiffer(true)}>{t('people.compare.differ')}</Button>
            <Button look="primary" busy={act.busy} onClick={() => void agree()}>
              {t('people.compare.agree')}
            </Button>
          </>
        )}
      </div>
    </Dialog>
  );
}
