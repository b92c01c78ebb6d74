import type { NewInvitation, PendingInvitation, Space, SpaceMember } from '@app/client/spaces';
import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { JOIN_PATH } from '../../model/invited';
import { spaces } from '../../model/spaces';
import { Button } from '../../../../ui/button';
import { Dialog } from '../../../../ui/dialog';
import { TextField } from '../../../../ui/field';
import { useAct } from '../../../../ui/form';
import { Progress } from '../../../../ui/progress';
import { QrCode } from '../../../../ui/qr-code';
import { Note } from '../../../../ui/screen';
import { toast } from '../../../../ui/toast';
import { Acceptance } from './acceptance';
import { nameOfMember } from './words';

/** How often the service is asked while the code is on the screen, and while a link is under way. */
const CODE_MS = 2000;
const LINK_MS = 60_000;

type How = 'code' | 'link';

export interface InvitedProps {
  invitation: NewInvitation;
  space: Space;
  onSpace: (space: Space) => void;
  onClose: () => void;
}

/**
 * The link or the code of a new invitation, shown once, until somebody has joined. Who scanned the code stands here, and is let
 * in at once. Security: once the link was shown as a text, it may have gone to others, so that a person must confirm.
 */
export function Invited({ invitation, space, onSpace, onClose }: InvitedProps) {
  const [how, setHow] = useState<How>('code');
  const [pending, setPending] = useState<PendingInvitation | undefined>(undefined);
  const [joined, setJoined] = useState<SpaceMember | undefined>(undefined);
  const asking = useAct(sentenceOf);
  const confirming = useAct(sentenceOf);
  const take = (next: Space) => {
    const known = new Set(space.members.map(({ accountId }) => accountId));
    setJoined(next.members.find(({ accountId }) => !known.has(accountId)));
    onSpace(next);
  };
  const accepted = pending?.acceptance;
  const isByItself = how === 'code' && invitation.role !== 'owner';
  const ask = () =>
    asking.run(async () => {
      const all = await spaces().invitations(space.id);
      setPending(all.find(({ id }) => id === invitation.id));
    });
  useEffect(() => {
    if (accepted || joined) return;
    const timer = setInterval(() => void ask(), how === 'code' ? CODE_MS : LINK_MS);
    return () => clearInterval(timer);
  }, [how, accepted, joined]);
  useEffect(() => {
    if (!accepted || joined || !isByItself || pending.refusal) return;
    void confirming.run(async () => take(await spaces().confirm(space.id, invitation.id, false)));
  }, [accepted]);

  if (joined) return <Joined member={joined} space={space} onSpace={onSpace} onClose={onClose} />;
  const link = `${location.origin}${JOIN_PATH}#${invitation.fragment}`;
  const mustAsk = pending?.refusal !== undefined || confirming.error !== undefined || !isByItself;
  return (
    <Dialog title={t('people.invite.title')} onClose={onClose}>
      {accepted && pending && mustAsk ? (
        <Acceptance invitation={pending} spaceId={space.id} onSpace={take} onGone={onClose} />
      ) : (
        <>
          <div class="stack invite">
            {how === 'code' ? <Code link={link} onLink={() => setHow('link')} /> : <Link link={link} />}
            <Progress label={t('people.invite.waiting')} />
            {how === 'link' && <p class="soft">{t('people.invite.mayClose')}</p>}
          </div>
        </>
      )}
      {asking.error !== undefined && <Note look="error">{sentenceOf(asking.error)}</Note>}
      {confirming.error !== undefined && <Note look="error">{sentenceOf(confirming.error)}</Note>}
      <div class="actions">
        <Button onClick={onClose}>{t('common.action.close')}</Button>
      </div>
    </Dialog>
  );
}

function Code({ link, onLink }: { link: string; onLink: () => void }) {
  return (
    <>
      <QrCode text={link} label={t('people.invite.qr')} />
      <p>{t('people.invite.scan')}</p>
      <Button onClick={onLink}>{t('people.invite.away')}</Button>
    </>
  );
}

function Link({ link }: { link: string }) {
  const place = useRef<HTMLDivElement>(null);
  // The button that had the focus is gone.
  useEffect(() => place.current?.querySelector('input')?.focus(), []);
  const copy = () =>
    navigator.clipboard.writeText(link).then(
      () => toast({ text: t('people.invite.copied') }),
      (error: unknown) => toast({ text: sentenceOf(error) }),
    );
  // Who closes the sheet of the phone has not failed.
  const send = () => void navigator.share({ text: link }).catch(() => undefined);
  return (
    <>
      <div ref={place} class="invite-link">
        <TextField
          label={t('people.invite.link')}
          hint={t('people.invite.linkText')}
          readOnly
          value={link}
          onValue={() => undefined}
          onFocus={(event) => event.currentTarget.select()}
        />
      </div>
      <div class="row">
        <Button look="primary" onClick={() => void copy()}>
          {t('people.invite.copy')}
        </Button>
        {'share' in navigator && <Button onClick={send}>{t('people.invite.send')}</Button>}
      </div>
    </>
  );
}

interface JoinedProps {
  member: SpaceMember;
  space: Space;
  onSpace: (space: Space) => void;
  onClose: () => void;
}

/** Somebody else may have scanned the code: one tap puts them out. An owner cannot be put out. */
function Joined({ member, space, onSpace, onClose }: JoinedProps) {
  const name = nameOfMember(member);
  const act = useAct(sentenceOf);
  const remove = () =>
    act.run(async () => {
      onSpace(await spaces().remove(space.id, member.accountId));
      toast({ text: t('people.removed', { name }) });
      onClose();
    });
  return (
    <Dialog title={t('people.invite.joined', { name })} onClose={onClose}>
      <div class="dialog-text stack">
        <p role="status">{t(`people.role.${member.role}`)}</p>
        {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
        {member.role !== 'owner' && (
          <div class="row">
            <span>{t('people.invite.notRight')}</span>
            <Button look="danger" busy={act.busy} onClick={() => void remove()}>
              {t('people.remove', { name })}
            </Button>
          </div>
        )}
      </div>
      <div class="actions">
        <Button look="primary" onClick={onClose}>
          {t('people.invite.done')}
        </Button>
      </div>
    </Dialog>
  );
}
