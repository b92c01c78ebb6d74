import { UserPlus } from 'lucide-preact';
import { useState } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import type { FamilyMember } from '@app/client/documents';
import type { Space } from '@app/client/spaces';
import { t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { memberOf } from '../../../profiles/model/family';
import { hasEnded, placeOf } from '../../../profiles/model/people';
import { learnPeople } from '../../model/spaces';
import { Button } from '../../../../ui/button';
import { Note, Screen, Skeleton } from '../../../../ui/screen';
import { NotFound } from '../../../../platform/shell/not-found';
import { Begin } from './begin';
import { Blocked } from './blocked';
import { CircleActs } from './circle-acts';
import { InviteDialog } from './invite';
import { Members } from './members';
import { useSpace } from './use-space';
import { Waiting } from './waiting';
import './people.css';

/** With whom a profile is shared, and all that can be done about it. */
export function People() {
  const member = memberOf(useRoute().params.id);
  return member ? <One key={member.id} member={member} /> : <NotFound />;
}

function One({ member }: { member: FamilyMember }) {
  const place = placeOf(member);
  const isOver = place !== undefined && hasEnded(place);
  const shown = useSpace(member.id, place !== undefined && !isOver);
  const [inviting, setInviting] = useState(false);
  const { take, load, loading } = shown;
  const space = isOver ? undefined : shown.space;
  const blocked = space ? space.blocked : place?.blocked;
  const { name } = member.details;
  const accept = (next: Space) => {
    take(next);
    void learnPeople(next);
  };
  return (
    <Screen
      title={t('people.title')}
      sub={name}
      back={{ href: `/app/profiles/${member.id}`, label: name }}
      action={
        space?.role === 'owner' &&
        !space.blocked && (
          <Button look="primary" icon={UserPlus} onClick={() => setInviting(true)}>
            {t('people.invite.title')}
          </Button>
        )
      }
    >
      {isOver && <p>{t('common.share.ended', { name })}</p>}
      {!place && (
        <Begin
          member={member}
          onShared={(next) => {
            accept(next);
            setInviting(true);
          }}
        />
      )}
      {loading.error !== undefined && (
        <Note look="error">
          {sentenceOf(loading.error)} <Button onClick={() => void load()}>{t('common.action.retry')}</Button>
        </Note>
      )}
      {place && !isOver && !space && loading.error === undefined && (
        <Skeleton label={t('common.state.loading')} />
      )}
      {/* What the device knows of a block, it says also without a network. */}
      {place && !isOver && blocked && (
        <Blocked member={member} place={place} block={blocked} onSpace={accept} onRetry={() => void load()} />
      )}
      {place && space && (
        <div class="stack-large">
          <Members name={name} space={space} onSpace={accept} />
          {space.role === 'owner' && <Waiting space={space} isHidden={inviting} onSpace={accept} />}
          <CircleActs member={member} space={space} onSpace={accept} />
        </div>
      )}
      {inviting && space && (
        <InviteDialog name={name} space={space} onSpace={accept} onClose={() => setInviting(false)} />
      )}
    </Screen>
  );
}
