import type { Space, SpaceMember, SpaceRole } from '@app/client/spaces';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { handOver, type HandOverEnd } from '../../model/spaces';
import { Button } from '../../../../ui/button';
import { Dialog } from '../../../../ui/dialog';
import { Choice } from '../../../../ui/field';
import { useAct } from '../../../../ui/form';
import { Note } from '../../../../ui/screen';
import { toast } from '../../../../ui/toast';
import { Compare } from './compare';
import { isSelf, nameOfMember } from './words';

const ENDS: readonly HandOverEnd[] = ['leave', 'viewer', 'carer', 'editor'];

export interface HandOverProps {
  space: Space;
  onSpace: (space: Space) => void;
  onClose: () => void;
}

/** All steps in one: the other shares the care, then this account may do less, or leaves. */
export function HandOver({ space, onSpace, onClose }: HandOverProps) {
  const others = space.members.filter((member) => !isSelf(member) && !member.isGone);
  const [to, setTo] = useState<string | undefined>(others.length === 1 ? others[0].accountId : undefined);
  const [end, setEnd] = useState<HandOverEnd>('viewer');
  const [comparing, setComparing] = useState(false);
  const act = useAct(sentenceOf);
  const { route } = useLocation();
  const member = others.find(({ accountId }) => accountId === to);
  const go = (chosen: SpaceMember) =>
    act.run(async () => {
      const left = await handOver(space, chosen, end, onSpace);
      toast({ text: t('people.hand.done', { name: nameOfMember(chosen) }) });
      onClose();
      if (left) route('/app/profiles');
    });
  if (comparing && member)
    return (
      <Compare
        space={space}
        member={member}
        onClose={() => setComparing(false)}
        onSpace={(next) => {
          onSpace(next);
          setComparing(false);
        }}
      />
    );
  const isSure = member?.acquaintance === 'paired';
  return (
    <Dialog title={t('people.hand.title')} onClose={onClose}>
      <div class="dialog-text stack">
        <p>{t('people.hand.text')}</p>
        {others.length === 0 && <Note look="warn">{t('people.hand.nobody')}</Note>}
        {others.length > 0 && (
          <Choice
            legend={t('people.hand.whom')}
            value={to}
            options={others.map((each) => ({ value: each.accountId, label: nameOfMember(each) }))}
            onValue={setTo}
          />
        )}
        {member && (
          <Choice<HandOverEnd>
            legend={t('people.hand.then')}
            value={end}
            options={ENDS.map((value) => ({ value, label: t(`people.hand.thenRole.${value}`) }))}
            onValue={setEnd}
          />
        )}
        {member && <Steps space={space} member={member} end={end} />}
        {member && !isSure && (
          <Note look="warn">
            <p>{t('people.hand.compareFirst', { name: nameOfMember(member) })}</p>
            <Button onClick={() => setComparing(true)}>{t('people.compare.title')}</Button>
          </Note>
        )}
        {act.error !== undefined && <Failure error={act.error} space={space} to={to} />}
      </div>
      <div class="actions">
        <Button onClick={onClose}>{t('common.action.cancel')}</Button>
        {member && isSure && (
          <Button look="danger" busy={act.busy} onClick={() => void go(member)}>
            {t('people.hand.go', { name: nameOfMember(member) })}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function Steps({ space, member, end }: { space: Space; member: SpaceMember; end: HandOverEnd }) {
  const name = nameOfMember(member);
  const peers = space.members.filter((each) => each.role === 'owner' && !isSelf(each) && each !== member);
  const own = end === 'leave' ? t('people.hand.stepLeave') : lowerWords(end);
  return (
    <div>
      <p>{t('people.hand.steps')}</p>
      <ol class="steps">
        {member.role !== 'owner' && <li>{t('people.hand.stepRaise', { name })}</li>}
        <li>{own}</li>
        <li>{t('people.hand.stepKeep', { name })}</li>
      </ol>
      {peers.length > 0 && <p class="soft">{t('people.hand.others')}</p>}
    </div>
  );
}

const lowerWords = (role: Exclude<SpaceRole, 'owner'>) =>
  t('people.hand.stepLower', { role: t(`people.hand.thenRole.${role}`) });

/** Whether the first step is done already: the other then shares the care, and this account does, too. */
function Failure({ error, space, to }: { error: unknown; space: Space; to: string | undefined }) {
  const member = space.members.find(({ accountId }) => accountId === to);
  return (
    <Note look="error">
      {member?.role === 'owner' && <p>{t('people.hand.half', { name: nameOfMember(member) })}</p>}
      {sentenceOf(error)}
    </Note>
  );
}
