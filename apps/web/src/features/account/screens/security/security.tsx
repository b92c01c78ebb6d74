import { OutboxNotEmptyError } from '@app/client';
import { useEffect, useState } from 'preact/hooks';
import { hasText, t } from '../../../../i18n/i18n';
import { today } from '../../../../platform/model/clock';
import { sentenceOf } from '../../../../platform/model/failure';
import { endDevice, type SecurityView, securityView } from '../../model/security';
import { signOutEverywhere } from '../../model/sign-out';
import { whenWords } from '../../../medications/model/words';
import { Button } from '../../../../ui/button';
import { Confirm } from '../../../../ui/dialog';
import { useAct } from '../../../../ui/form';
import { Note, Screen, Skeleton } from '../../../../ui/screen';
import { Passkeys } from './passkeys';
import { Quota } from './quota';
import { SecondStepSettings } from './second-step';
import { ChangeSecret, Erase, NewWords } from './secrets';
import { Sync } from './sync';

const FIRST_EVENTS = 10;

function eventWords(kind: string): string {
  const key = `more.security.event.${kind}`;
  return hasText(key) ? t(key) : kind;
}

export function Security() {
  const [view, setView] = useState<SecurityView | undefined>(undefined);
  const [isAll, setAll] = useState(false);
  const [endingAll, setEndingAll] = useState(false);
  const act = useAct(sentenceOf);
  const load = () => act.run(async () => setView(await securityView()));
  useEffect(() => void load(), []);
  return (
    <Screen title={t('more.security.title')} back={{ href: '/app/more', label: t('more.title') }}>
      <ChangeSecret onChanged={() => void load()} />
      <Sync />
      {act.error !== undefined && (
        <Note look="error">
          {sentenceOf(act.error)} <Button onClick={() => void load()}>{t('common.action.retry')}</Button>
        </Note>
      )}
      {!view && act.error === undefined && <Skeleton label={t('common.state.loading')} />}
      {view && (
        <section class="stack">
          <h2>{t('more.security.devices')}</h2>
          <ul class="list">
            {view.devices.map(({ id, deviceLabel, lastUsedAt, current }) => {
              const name = deviceLabel ?? t('more.security.unnamed');
              return (
                <li key={id} class="done-row">
                  <span>
                    <span class="list-title">
                      {name} {current && <span class="soft">({t('more.security.thisDevice')})</span>}
                    </span>
                    <span class="list-sub">
                      {t('more.security.lastUsed', { when: whenWords(new Date(lastUsedAt), today.value) })}
                    </span>
                  </span>
                  {!current && (
                    <Button
                      aria-label={t('more.security.endOf', { name })}
                      onClick={() =>
                        void act.run(async () => {
                          await endDevice(id);
                          setView(await securityView());
                        })
                      }
                    >
                      {t('more.security.end')}
                    </Button>
                  )}
                </li>
              );
            })}
          </ul>
          <div>
            <Button onClick={() => setEndingAll(true)}>{t('more.security.endAll')}</Button>
          </div>
        </section>
      )}
      {view && <Quota usage={view.usage} />}
      <Passkeys onChanged={() => void load()} />
      <SecondStepSettings onChanged={() => void load()} />
      <NewWords />
      {view && (
        <section class="stack">
          <h2>{t('more.security.events')}</h2>
          <ul class="list">
            {view.events.slice(0, isAll ? undefined : FIRST_EVENTS).map(({ id, kind, createdAt, count }) => (
              <li key={id} class="done-row">
                <span>
                  {eventWords(kind)}
                  {count > 1 && `, ${t('more.security.eventTimes', { count })}`}
                </span>
                <span class="soft">{whenWords(new Date(createdAt), today.value)}</span>
              </li>
            ))}
          </ul>
          {!isAll && view.events.length > FIRST_EVENTS && (
            <div>
              <Button onClick={() => setAll(true)}>{t('more.security.moreEvents')}</Button>
            </div>
          )}
        </section>
      )}
      <Erase />
      {endingAll && <EndAll onNo={() => setEndingAll(false)} />}
    </Screen>
  );
}

function EndAll({ onNo }: { onNo: () => void }) {
  const act = useAct(sentenceOf);
  const waits = act.error instanceof OutboxNotEmptyError;
  const told = act.error === undefined ? t('more.security.endAllText') : sentenceOf(act.error);
  return (
    <Confirm
      title={t('more.security.endAll')}
      text={waits ? t('more.sync.unsent') : told}
      yes={waits ? t('more.sync.loseUnsent') : t('more.security.endAll')}
      no={t('common.action.cancel')}
      isDangerous={waits}
      busy={act.busy}
      onNo={onNo}
      onYes={() => void act.run(() => signOutEverywhere(waits))}
    />
  );
}
