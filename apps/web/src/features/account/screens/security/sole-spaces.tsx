import type { Space, SpaceMember } from '@app/client/spaces';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { memberOf } from '../../../profiles/model/family';
import { soleSpaces, spaces } from '../../../sharing/model/spaces';
import { Button } from '../../../../ui/button';
import { useAct } from '../../../../ui/form';
import { Note } from '../../../../ui/screen';
import { toast } from '../../../../ui/toast';
import { isSelf, nameOfMember } from '../../../sharing/screens/people/words';

export interface SoleSpacesProps {
  busy: boolean;
  /** Erases the account together with these records. */
  onEraseAll: () => void;
}

/** Before an erasure: records that only this account looks after, and others see. Another one can take them over. */
export function SoleSpaces({ busy, onEraseAll }: SoleSpacesProps) {
  const [list, setList] = useState<readonly Space[]>([]);
  const act = useAct(sentenceOf);
  const load = async () => setList(await soleSpaces());
  useEffect(() => void act.run(load), []);
  const raise = (space: Space, member: SpaceMember) =>
    act.run(async () => {
      await spaces().setRole(space.id, member.accountId, 'owner');
      const record = memberOf(space.profileId)?.details.name;
      toast({ text: t('people.erase.made', { name: nameOfMember(member), record }) });
      await load();
    });
  return (
    <Note look="warn">
      <div class="stack">
        {act.error !== undefined && <p>{sentenceOf(act.error)}</p>}
        {list.length > 0 && <p>{t('people.erase.lead')}</p>}
        {list.map((space) => (
          <div key={space.id} class="stack">
            <strong>{memberOf(space.profileId)?.details.name}</strong>
            <div class="row">
              {space.members
                .filter((member) => !isSelf(member) && !member.isGone)
                .map((member) => (
                  <Button key={member.accountId} busy={act.busy} onClick={() => void raise(space, member)}>
                    {t('people.erase.makeOwner', { name: nameOfMember(member) })}
                  </Button>
                ))}
            </div>
          </div>
        ))}
        {list.length > 0 && (
          <>
            <p>{t('people.erase.allText')}</p>
            <div>
              <Button look="danger" busy={busy} onClick={onEraseAll}>
                {t('people.erase.all')}
              </Button>
            </div>
          </>
        )}
      </div>
    </Note>
  );
}
