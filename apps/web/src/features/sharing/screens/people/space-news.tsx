import type { SpaceState } from '@app/client/spaces';
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { t } from '../../../../i18n/i18n';
import { sentenceOf } from '../../../../platform/model/failure';
import { memberOf, members } from '../../../profiles/model/family';
import { JOIN_PATH } from '../../model/invited';
import { hasEnded, knownPeople, placeOf, spaceStates } from '../../../profiles/model/people';
import { forgetSpace } from '../../model/spaces';
import { Button, ButtonLink } from '../../../../ui/button';
import { Confirm } from '../../../../ui/dialog';
import { useAct } from '../../../../ui/form';
import { Note } from '../../../../ui/screen';
import { blockWords } from './blocked';
import { namesText } from './words';
import './people.css';

const memberIn = (id: string) => members.value.find((member) => placeOf(member)?.id === id);
const pathOf = (profileId: string) => `/app/profiles/${profileId}/people`;

/** What has happened to shared profiles, above every screen, until it is settled. The screens of one say it by themselves. */
export function SpaceNews() {
  const { path } = useLocation();
  const states = spaceStates.value;
  const blocked = members.value.flatMap((member) => {
    const place = placeOf(member);
    return place?.blocked && !hasEnded(place) && path !== pathOf(member.id)
      ? [{ member, block: place.blocked }]
      : [];
  });
  return (
    <div class="space-news">
      {states.map((state) => (
        <News key={state.id} state={state} path={path} />
      ))}
      {blocked.map(({ member, block }) => (
        <Note key={member.id} look="warn">
          <strong>{member.details.name}: </strong>
          {blockWords(block)} <a href={pathOf(member.id)}>{t('people.news.why')}</a>
        </Note>
      ))}
    </div>
  );
}

function News({ state, path }: { state: SpaceState; path: string }) {
  if (state.state === 'waiting' && path === JOIN_PATH) return null;
  if (state.state === 'waiting')
    return (
      <Note>
        {t('people.news.joiningNoName')} <a href={JOIN_PATH}>{t('people.news.look')}</a>
      </Note>
    );
  if (state.state === 'removed' || state.state === 'deleted') return <Ended state={state} />;
  if (state.accepted === 0 || state.profileId === undefined || path === pathOf(state.profileId)) return null;
  return (
    <Note>
      <div class="row">
        <span>{t('people.news.accepted', { name: memberOf(state.profileId)?.details.name ?? '' })}</span>
        <ButtonLink href={pathOf(state.profileId)} look="primary">
          {t('people.news.letIn')}
        </ButtonLink>
      </div>
    </Note>
  );
}

/**
 * That the access has ended, and who can have ended it. The list of members that says so is not for who is removed: what is
 * known is who could.
 */
function endedWords(id: string, state: SpaceState['state']): string {
  const circle = knownPeople.value.circles?.[id];
  const name = memberIn(id)?.details.name ?? circle?.name;
  const key = state === 'removed' ? 'removed' : 'deleted';
  if (!name) return t(`people.news.${key}NoName`);
  const owners = Object.entries(circle?.roles ?? {}).filter(([, role]) => role === 'owner');
  const who = namesText(
    owners.map(([accountId]) => accountId),
    'disjunction',
  );
  return state === 'removed' && who
    ? t('people.news.removedBy', { name, who })
    : t(`people.news.${key}`, { name });
}

/** The access has ended. What an editor or owner still has on this device can be exported first. */
function Ended({ state: { id, state } }: { state: SpaceState }) {
  const [asking, setAsking] = useState(false);
  const act = useAct(sentenceOf);
  const member = memberIn(id);
  return (
    <Note look="warn">
      <div class="stack">
        <p>
          {endedWords(id, state)} {member && t('people.news.stays')}
        </p>
        {act.error !== undefined && <p>{sentenceOf(act.error)}</p>}
        <div class="row">
          {member && <ButtonLink href="/app/transfer">{t('people.news.export')}</ButtonLink>}
          <Button
            busy={act.busy}
            onClick={() => (member ? setAsking(true) : void act.run(() => forgetSpace(id)))}
          >
            {t('people.news.forget')}
          </Button>
        </div>
      </div>
      {asking && (
        <Confirm
          title={t('people.news.forget')}
          text={t('people.news.forgetText')}
          yes={t('people.news.forget')}
          no={t('common.action.cancel')}
          isDangerous
          busy={act.busy}
          onNo={() => setAsking(false)}
          onYes={() => void act.run(() => forgetSpace(id)).then(() => setAsking(false))}
        />
      )}
    </Note>
  );
}
