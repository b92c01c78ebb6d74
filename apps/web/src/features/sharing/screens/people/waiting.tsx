import type { PendingInvitation, Space } from '@app/client/spaces';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { spaceStates } from '../../../profiles/model/people';
import { askService, isInviting } from '../../model/space-watch';
import { spaces } from '../../model/spaces';
import { Button } from '../../../../ui/button';
import { useAct } from '../../../../ui/form';
import { Note } from '../../../../ui/screen';
import { toast } from '../../../../ui/toast';
import { Acceptance } from './acceptance';
import { nameOfMember, whenText } from './words';

export interface WaitingProps {
  space: Space;
  /** While a dialog asks about the same invitations. */
  isHidden: boolean;
  onSpace: (space: Space) => void;
}

/** The open invitations of an owner, and who waits to be let in. */
export function Waiting({ space, isHidden, onSpace }: WaitingProps) {
  const [list, setList] = useState<readonly PendingInvitation[]>([]);
  const act = useAct(sentenceOf);
  const accepted = spaceStates.value.find(({ id }) => id === space.id)?.accepted ?? 0;
  const read = async () => {
    const found = await spaces().invitations(space.id);
    setList(found);
    isInviting.value = found.length > 0;
  };
  const load = () => act.run(read);
  useEffect(() => {
    if (!isHidden) void load();
  }, [isHidden, accepted, space.id]);
  const settled = () => {
    void load();
    // The line above the screens goes.
    void askService().catch(() => undefined);
  };
  if (isHidden || (list.length === 0 && act.error === undefined)) return null;
  return (
    <section class="stack">
      <h2>{t('people.waiting.title')}</h2>
      {act.error !== undefined && (
        <Note look="error">
          {sentenceOf(act.error)} <Button onClick={() => void load()}>{t('common.action.retry')}</Button>
        </Note>
      )}
      <ul class="list">
        {list.map((invitation) => (
          <li key={invitation.id} class="list-acts">
            {invitation.acceptance || invitation.refusal ? (
              <Acceptance
                invitation={invitation}
                spaceId={space.id}
                onGone={settled}
                onSpace={(next) => {
                  const known = new Set(space.members.map(({ accountId }) => accountId));
                  const member = next.members.find(({ accountId }) => !known.has(accountId));
                  if (member) toast({ text: t('people.invite.joined', { name: nameOfMember(member) }) });
                  onSpace(next);
                  settled();
                }}
              />
            ) : (
              <Open invitation={invitation} spaceId={space.id} onGone={settled} />
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

interface OpenProps {
  invitation: PendingInvitation;
  spaceId: string;
  onGone: () => void;
}

function Open({ invitation: { id, role, expiresAt }, spaceId, onGone }: OpenProps) {
  const act = useAct(sentenceOf);
  const when = whenText(expiresAt);
  const withdraw = () =>
    act.run(async () => {
      await spaces().withdraw(spaceId, id);
      onGone();
    });
  return (
    <div class="member">
      <span class="list-main">
        <span class="list-title">{t(`people.role.${role}`)}</span>
        <span class="list-sub">{t('people.waiting.open', { when })}</span>
        {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
      </span>
      <Button
        busy={act.busy}
        aria-label={t('people.waiting.withdrawOf', { role: t(`people.role.${role}`), when })}
        onClick={() => void withdraw()}
      >
        {t('people.waiting.withdraw')}
      </Button>
    </div>
  );
}
