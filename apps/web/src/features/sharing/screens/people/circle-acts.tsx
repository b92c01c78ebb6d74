import type { FamilyMember } from '@app/client/documents';
import type { Space } from '@app/client/spaces';
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { deleteSpace, leaveSpace, readSpace, spaces } from '../../model/spaces';
import { Button, ButtonLink } from '../../../../ui/button';
import { Confirm, Dialog } from '../../../../ui/dialog';
import { Form, useAct } from '../../../../ui/form';
import { Progress } from '../../../../ui/progress';
import { Note } from '../../../../ui/screen';
import { toast } from '../../../../ui/toast';
import { SecretField } from '../../../account/screens/account/secret-field';
import { Digits } from './compare';
import { HandOver } from './hand-over';
import { isSelf } from './words';

export interface CircleActsProps {
  member: FamilyMember;
  space: Space;
  onSpace: (space: Space) => void;
}

type Open = 'key' | 'leave' | 'hand' | 'end' | undefined;

/** What concerns all members: the key, the code, the account in which it counts, and the ways out. */
export function CircleActs({ member, space, onSpace }: CircleActsProps) {
  const [open, setOpen] = useState<Open>(undefined);
  const keeping = useAct(sentenceOf);
  const close = () => setOpen(undefined);
  const isOwner = space.role === 'owner';
  const canAct = isOwner && !space.blocked;
  const peers = space.members.filter(({ role, isGone }) => role === 'owner' && !isGone).length;
  const others = space.members.filter((each) => !isSelf(each) && !each.isGone).length;
  const isOnlyOwner = isOwner && peers === 1;
  const keep = () =>
    keeping.run(async () => {
      await spaces().becomeKeeper(space.id);
      onSpace(await readSpace(member.id));
    });
  return (
    <>
      <Resealing space={space} />
      {space.isKeyDue && (
        <Note look="warn">
          <p>{t(isOwner ? 'people.due' : 'people.dueOther')}</p>
          {canAct && <Button onClick={() => setOpen('key')}>{t('people.newKey')}</Button>}
        </Note>
      )}
      <section class="stack">
        <h2>{t('people.code')}</h2>
        <Digits digits={space.circleCode} />
        <p class="soft">{t('people.codeText')}</p>
      </section>
      <section class="stack">
        {isOwner && (
          <p>
            {t(space.isKeeper ? 'people.keeper' : 'people.notKeeper')}{' '}
            {!space.isKeeper && canAct && (
              <Button busy={keeping.busy} onClick={() => void keep()}>
                {t('people.becomeKeeper')}
              </Button>
            )}
          </p>
        )}
        {keeping.error !== undefined && <Note look="error">{sentenceOf(keeping.error)}</Note>}
        <div class="row">
          {canAct && !space.isKeyDue && <Button onClick={() => setOpen('key')}>{t('people.newKey')}</Button>}
          {canAct && others > 0 && <Button onClick={() => setOpen('hand')}>{t('people.hand.title')}</Button>}
          {!isOnlyOwner && (
            <Button look="danger" onClick={() => setOpen('leave')}>
              {t('people.leave')}
            </Button>
          )}
          {isOnlyOwner && (
            <Button look="danger" onClick={() => setOpen('end')}>
              {t('people.end.title')}
            </Button>
          )}
        </div>
        {isOnlyOwner && others > 0 && <p class="soft">{t('people.leaveAlone')}</p>}
        {isOwner && !isOnlyOwner && <p class="soft">{t('people.end.coOwned')}</p>}
      </section>
      {open === 'key' && <NewKey space={space} onSpace={onSpace} onClose={close} />}
      {open === 'hand' && <HandOver space={space} onSpace={onSpace} onClose={close} />}
      {open === 'leave' && <Leave name={member.details.name} space={space} onClose={close} />}
      {open === 'end' && <End name={member.details.name} space={space} onClose={close} />}
    </>
  );
}

/** How far the records are sealed with the new key. The most that was left is the whole. */
function Resealing({ space: { resealing = 0 } }: { space: Space }) {
  const [most, setMost] = useState(resealing);
  useEffect(() => setMost((before) => (resealing === 0 ? 0 : Math.max(before, resealing))), [resealing]);
  if (resealing === 0) return null;
  return (
    <Progress
      label={t('people.resealing', { count: resealing })}
      done={Math.max(0, most - resealing)}
      total={Math.max(most, 1)}
    />
  );
}

interface PartProps {
  space: Space;
  onClose: () => void;
}

function NewKey({ space, onSpace, onClose }: PartProps & Pick<CircleActsProps, 'onSpace'>) {
  const act = useAct(sentenceOf);
  const make = () =>
    act.run(async () => {
      onSpace(await spaces().newKey(space.id));
      toast({ text: t('people.newKeyDone') });
      onClose();
    });
  return (
    <Confirm
      title={t('people.newKey')}
      text={act.error === undefined ? t('people.newKeyText') : sentenceOf(act.error)}
      yes={t('people.newKey')}
      no={t('common.action.cancel')}
      busy={act.busy}
      onNo={onClose}
      onYes={() => void make()}
    />
  );
}

function Leave({ name, space, onClose }: PartProps & { name: string }) {
  const { route } = useLocation();
  const act = useAct(sentenceOf);
  const leave = () =>
    act.run(async () => {
      await leaveSpace(space.id);
      toast({ text: t('people.left') });
      route('/app/profiles');
    });
  return (
    <Confirm
      title={t('people.leave')}
      text={act.error === undefined ? t('people.leaveText', { name }) : sentenceOf(act.error)}
      yes={t('people.leave')}
      no={t('common.action.cancel')}
      isDangerous
      busy={act.busy}
      onNo={onClose}
      onYes={() => void leave()}
    />
  );
}

/** It asks for the password: nothing brings the record back. */
function End({ name, space, onClose }: PartProps & { name: string }) {
  const { route } = useLocation();
  const [secret, setSecret] = useState('');
  const [tried, setTried] = useState(false);
  const act = useAct(sentenceOf);
  const go = () => {
    setTried(true);
    if (!secret) return;
    void act.run(async () => {
      await deleteSpace(space.id, secret);
      route('/app/profiles');
    });
  };
  return (
    <Dialog title={t('people.end.title')} onClose={onClose}>
      <Form onSubmit={go}>
        <p class="dialog-text">{t('people.end.text', { name })}</p>
        <div>
          <ButtonLink href="/app/transfer">{t('people.end.export')}</ButtonLink>
        </div>
        <SecretField
          label={t('more.security.current')}
          value={secret}
          onValue={setSecret}
          error={tried && !secret ? t('common.required') : undefined}
        />
        {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
        <div class="row">
          <Button onClick={onClose}>{t('common.action.cancel')}</Button>
          <Button type="submit" look="danger" busy={act.busy}>
            {t('people.end.go')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
