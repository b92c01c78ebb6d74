import type { FamilyMember } from '@app/client/documents';
import type { Space, SpaceBlock } from '@app/client/spaces';
import { useState } from 'preact/hooks';
import { hasText, t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { knownPeople, type SharedPlace } from '../../../profiles/model/people';
import { showAnew, spaces } from '../../model/spaces';
import { Button } from '../../../../ui/button';
import { useAct } from '../../../../ui/form';
import { Note } from '../../../../ui/screen';
import { toast } from '../../../../ui/toast';
import { Compare } from './compare';

/** Why nothing can be written in a shared profile, in a sentence or two. */
export function blockWords({ code, rule, accountId }: SpaceBlock): string {
  if (code === 'new_keys') return t('people.block.new_keys', { who: nameOf(accountId) });
  const text = t(`people.block.${code}`);
  const key = `people.block.rules.${rule ?? ''}`;
  if (code !== 'roster_refused' || !hasText(key)) return text;
  return rule === 0 ? t(key) : `${text} ${t('people.block.rule', { rule, text: t(key) })}`;
}

const nameOf = (accountId: string | undefined) =>
  knownPeople.value.names[accountId ?? ''] ?? t('common.share.someone');

/** What a person can do about it; nothing where a button does it. */
function todoOf({ code }: SpaceBlock, isOwner: boolean): string | undefined {
  if (code === 'roster_refused') return t('people.block.refusedDo');
  if (code === 'roster_rolled_back') return t('people.block.rolledDo');
  if (code === 'roster_withheld') return t('people.block.withheldDo');
  if (code === 'key_missing') return t('people.block.keyDo');
  if (code === 'tampered') return t(isOwner ? 'people.block.tamperedDo' : 'people.block.tamperedAsk');
  return undefined;
}

export interface BlockedProps {
  member: FamilyMember;
  place: SharedPlace;
  block: SpaceBlock;
  onSpace: (space: Space) => void;
  onRetry: () => void;
}

export function Blocked({ member, place, block, onSpace, onRetry }: BlockedProps) {
  const isOwner = place.role === 'owner';
  const [comparing, setComparing] = useState(false);
  const act = useAct(sentenceOf);
  const settle = async (next: Space, said?: string) => {
    onSpace(next);
    if (said) toast({ text: said });
    await showAnew();
  };
  const setRight = async () => settle(await spaces().setRight(place.id), t('people.block.setRightDone'));
  const newKey = async () => settle(await spaces().newKey(place.id), t('people.newKeyDone'));
  const todo = todoOf(block, isOwner);
  return (
    <Note look="error">
      <div class="stack">
        <p>
          <strong>{blockWords(block)}</strong>
        </p>
        <p>{t('people.block.lead', { name: member.details.name })}</p>
        {todo && <p>{todo}</p>}
        {act.error !== undefined && <p>{sentenceOf(act.error)}</p>}
        <div class="row">
          {block.code === 'roster_rolled_back' && (
            <Button look="primary" busy={act.busy} onClick={() => void act.run(setRight)}>
              {t('people.block.setRight')}
            </Button>
          )}
          {block.code === 'tampered' && isOwner && (
            <Button look="primary" busy={act.busy} onClick={() => void act.run(newKey)}>
              {t('people.newKey')}
            </Button>
          )}
          {block.code === 'new_keys' && block.accountId && (
            <Button look="primary" onClick={() => setComparing(true)}>
              {t('people.compare.title')}
            </Button>
          )}
          <Button onClick={onRetry}>{t('common.action.retry')}</Button>
        </div>
      </div>
      {comparing && block.accountId && (
        <Compare
          space={place}
          member={{ accountId: block.accountId, name: nameOf(block.accountId) }}
          onClose={() => setComparing(false)}
          onSpace={(next) => {
            setComparing(false);
            void act.run(() => settle(next));
          }}
        />
      )}
    </Note>
  );
}
