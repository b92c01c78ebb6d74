import { useEffect, useState } from 'preact/hooks';
import { t } from '../../i18n/i18n';
import { spaceStates } from '../../model/people';
import { askService } from '../../model/space-watch';
import { forgetJoining, type Joining } from '../../model/spaces';
import { ButtonLink } from '../../ui/button';
import { Progress } from '../../ui/progress';
import { Note } from '../../ui/screen';
import { Digits } from '../people/compare';
import '../people/people.css';

/** How often the service is asked: at first the other person stands beside this one, later perhaps not. */
const SOON_MS = 2000;
const LATER_MS = 60_000;
const SOON_TIMES = 90;

/** After the acceptance: the numbers that the other device shows, too, until it has confirmed. */
export function Waits({ joining: { offer, acceptance } }: { joining: Joining }) {
  const [asked, setAsked] = useState(0);
  const state = spaceStates.value.find(({ id }) => id === acceptance.spaceId)?.state ?? 'waiting';
  const isWaiting = state === 'waiting';
  const values = { who: offer.from.name, name: offer.profile.name };
  useEffect(() => {
    if (!isWaiting) return void forgetJoining();
    const ask = () =>
      void askService()
        .catch(() => undefined)
        .then(() => setAsked((count) => count + 1));
    const timer = setTimeout(ask, asked < SOON_TIMES ? SOON_MS : LATER_MS);
    return () => clearTimeout(timer);
  }, [isWaiting, asked]);
  if (state === 'member')
    return (
      <div class="stack">
        <p class="lead" role="status">
          <strong>{t('people.join.in')}.</strong> {t('people.join.inText', values)}
        </p>
        <div>
          <ButtonLink href="/app/today" look="primary">
            {t('common.nav.today')}
          </ButtonLink>
        </div>
      </div>
    );
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
