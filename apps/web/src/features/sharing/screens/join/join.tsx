import type { InvitationOffer } from '@app/client/spaces';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { codeOf, sentenceOf } from '../../../../platform/model/failure';
import { forgetInvitation, invitation } from '../../model/invited';
import { spaceStates } from '../../../profiles/model/people';
import { sessionState } from '../../../../platform/model/session';
import { askService } from '../../model/space-watch';
import { type Joining, readJoining, spaces } from '../../model/spaces';
import { Button, ButtonLink } from '../../../../ui/button';
import { useAct } from '../../../../ui/form';
import { Empty, Note, Screen, Skeleton } from '../../../../ui/screen';
import { AccountFrame } from '../../../account/screens/account/frame';
import { Accept } from './accept';
import { OfferWords } from './offer-words';
import { Waits, WaitsElsewhere } from './waits';

/** The screen to which the link of an invitation leads: signed out, locked or unlocked. */
export function Join() {
  const state = sessionState.value;
  // The screen begins anew where the state is another one.
  if (state === 'signed-out') return <SignedOut />;
  return <Opened key={`${state} ${invitation.value ?? ''}`} isLocked={state === 'locked'} />;
}

/** Within the page there are its sections around it; before, it stands alone. */
function Frame({ title, children }: { title: string; children: ComponentChildren }) {
  if (sessionState.value === 'unlocked') return <Screen title={title}>{children}</Screen>;
  return (
    <AccountFrame title={title} mark>
      {children}
    </AccountFrame>
  );
}

function Nothing() {
  return (
    <Frame title={t('people.join.title')}>
      <Empty title={t('people.join.nothing')} text={t('people.join.nothingText')}>
        <ButtonLink href="/">{t('common.action.back')}</ButtonLink>
      </Empty>
    </Frame>
  );
}

function SignedOut() {
  if (!invitation.value) return <Nothing />;
  return (
    <Frame title={t('people.join.title')}>
      <p class="lead">{t('people.join.signedOut')}</p>
      <p>{t('people.join.stays')}</p>
      <div class="stack welcome-acts">
        <ButtonLink href="/app/sign-up" look="primary">
          {t('account.begin')}
        </ButtonLink>
        <ButtonLink href="/app/sign-in">{t('account.have')}</ButtonLink>
      </div>
    </Frame>
  );
}

/** What the link offers needs a session; to accept it, the keys. */
function Opened({ isLocked }: { isLocked: boolean }) {
  const fragment = invitation.value;
  const [offer, setOffer] = useState<InvitationOffer | undefined>(undefined);
  const [joining, setJoining] = useState<Joining | undefined>(undefined);
  /** The space in which this account waits, having accepted on another device. */
  const [elsewhere, setElsewhere] = useState<string | undefined>(undefined);
  const [isRead, setRead] = useState(false);
  const act = useAct(sentenceOf);
  const findJoining = async () => {
    const found = await readJoining();
    setJoining(found);
    if (found) return;
    await askService();
    setElsewhere(spaceStates.value.find(({ state }) => state === 'waiting')?.id);
  };
  const load = () =>
    act.run(async () => {
      if (fragment) setOffer(await spaces().openInvitation(fragment));
      else if (!isLocked) await findJoining();
      setRead(true);
    });
  useEffect(() => void load(), []);
  if (joining)
    return (
      <Frame title={t('people.join.title')}>
        <Waits joining={joining} />
      </Frame>
    );
  if (elsewhere)
    return (
      <Frame title={t('people.join.title')}>
        <WaitsElsewhere spaceId={elsewhere} />
      </Frame>
    );
  if (isRead && !offer) return <Nothing />;
  return (
    <Frame title={t('people.join.title')}>
      {act.error !== undefined && <Failure error={act.error} onRetry={() => void load()} />}
      {!offer && act.error === undefined && <Skeleton label={t('common.state.loading')} />}
      {offer && (
        <div class="stack">
          <OfferWords offer={offer} />
          {isLocked ? (
            <div>
              <ButtonLink href="/app/unlock" look="primary">
                {t('people.join.unlock')}
              </ButtonLink>
            </div>
          ) : (
            <Accept offer={offer} onAccepted={setJoining} />
          )}
        </div>
      )}
    </Frame>
  );
}

/** An invitation that does not work is forgotten by one press, so that it is not asked for again. */
function Failure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const code = codeOf(error);
  const isOver = code === 'not_found' || code === 'invalid_argument';
  const words =
    code === 'not_found'
      ? t('people.join.gone')
      : code === 'invalid_argument'
        ? t('people.join.broken')
        : sentenceOf(error);
  return (
    <Note look="error">
      <div class="stack">
        <p>{words}</p>
        <div>
          {isOver ? (
            <Button onClick={forgetInvitation}>{t('common.action.close')}</Button>
          ) : (
            <Button onClick={onRetry}>{t('common.action.retry')}</Button>
          )}
        </div>
      </div>
    </Note>
  );
}
