import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { spaceStates } from '../../../profiles/model/people';
import { askService } from '../../model/space-watch';
import { forgetJoining, type Joining } from '../../model/spaces';
import { ButtonLink } from '../../../../ui/button';
import { Progress } from '../../../../ui/progress';
import { Note } from '../../../../ui/screen';
import { Digits } from '../people/compare';
import '../people/people.css';

/** How often the service is asked: at first the other person stands beside this one, later perhaps not. */
const SOON_MS = 2000;
const LATER_MS = 60_000;
const SOON_TIMES = 90;

/** Asks the service again and again while this account waits in a space. */
function useAsking(isWaiting: boolean): void {
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    if (!isWaiting) return;
    const ask = () =>
      void askService()
        .catch(() => undefined)
        .then(() => setAsked((count) => count + 1));
    const timer = setTimeout(ask, asked < SOON_TIMES ? SOON_MS : LATER_MS);
    return () => clearTimeout(timer);
  }, [isWaiting, asked]);
}

const stateOf = (spaceId: string) => spaceStates.value.find(({ id }) => id === spaceId)?.state ?? 'waiting';

/** After the acceptance: the numbers that the other device shows, too, until it has confirmed. */
export function Waits({ joining: { offer, acceptance } }: { joining: Joining }) {
  const state = stateOf(acceptance.spaceId);
  const isWaiting = state === 'waiting';
  const values = { who: offer.from.name, name: offer.profile.name };
  useAsking(isWaiting);
  useEffect(() => {
    if (!isWaiting) void forgetJoining();
  }, [isWaiting]);
  if (state === 'member') return <In text={t('people.join.inText', values)} />;
  if (!isWaiting) return <Note look="warn">{t('people.news.removedNoName')}</Note>;
  return (
    <div class="stack">
      <p class="lead">
        <strong>{t('people.join.waits', values)}</strong>
      </p>
      <p>{t('people.join.numbers', values)}</p>
      <Digits digits={acceptance.digits} />
      <Progress label={t('people.join.waitsText', values)} />
    </div>
  );
}

/** On another device than the one that has accepted. It knows no numbers, and not who invites. */
export function WaitsElsewhere({ spaceId }: { spaceId: string }) {
  const state = stateOf(spaceId);
  useAsking(state === 'waiting');
  if (state === 'member') return <In />;
  if (state !== 'waiting') return <Note look="warn">{t('people.news.removedNoName')}</Note>;
  return (
    <div class="stack">
      <p class="lead">
        <strong>{t('people.join.waitsElsewhere')}</strong>
      </p>
      <p>{t('people.join.numbersElsewhere')}</p>
      <Progress label={t('people.join.waitsElsewhereText')} />
    </div>
  );
}

function In({ text }: { text?: string }) {
  return (
    <div class="stack">
      <p class="lead" role="status">
        <strong>{t('people.join.in')}.</strong> {text}
      </p>
      <div>
        <ButtonLink href="/app/today" look="primary">
          {t('common.nav.today')}
        </ButtonLink>
      </div>
    </div>
  );
}
