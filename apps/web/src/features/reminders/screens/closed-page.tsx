import { useEffect, useState } from 'preact/hooks';
import { t } from '../../../i18n/i18n';
import { today } from '../../../platform/model/clock';
import { hasText } from '../../../i18n/i18n';
import { sentenceOf } from '../../../platform/model/failure';
import {
  planNow,
  pushAbility,
  pushFailure,
  pushState,
  type ReminderDevice,
  reminderDevices,
  removeReminderDevice,
  startPush,
  stopPush,
  testPush,
  type TestResult,
} from '../model/push';
import { whenWords } from '../../medications/model/words';
import { Button } from '../../../ui/button';
import { type Act, useAct } from '../../../ui/form';
import { Note } from '../../../ui/screen';

/** Reminders that the service sends: this device, a test, and the other devices of the account. */
export function ClosedPage() {
  const [devices, setDevices] = useState<ReminderDevice[]>([]);
  const act = useAct(sentenceOf);
  const ability = pushAbility();
  const load = async () => setDevices(await reminderDevices());
  const run = (change: () => Promise<void>) =>
    void act.run(async () => {
      await change();
      await load();
    });
  useEffect(() => run(planNow), []);
  return (
    <section class="stack">
      <h2>{t('remind.push.title')}</h2>
      <p>{t('remind.push.text')}</p>
      {ability !== 'possible' && <Note>{t(`remind.push.${ability}`)}</Note>}
      {ability === 'possible' && <ThisDevice act={act} run={run} />}
      {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
      <Devices devices={devices} act={act} run={run} />
    </section>
  );
}

interface Part {
  act: Act;
  run: (change: () => Promise<void>) => void;
}

function ThisDevice({ act, run }: Part) {
  const state = pushState.value;
  if (state === 'on')
    return (
      <>
        <p>{t('remind.push.on')}</p>
        {pushFailure.value !== undefined && <Note look="warn">{t('remind.push.failed')}</Note>}
        <Test />
        <div>
          <Button busy={act.busy} onClick={() => run(stopPush)}>
            {t('remind.push.stop')}
          </Button>
        </div>
      </>
    );
  return (
    <>
      {state === 'denied' && <Note look="warn">{t('remind.open.denied')}</Note>}
      {state === 'lost' && <Note look="warn">{t('remind.push.lost')}</Note>}
      {state === 'service-off' && <Note>{t('remind.push.serviceOff')}</Note>}
      {state !== 'service-off' && (
        <div>
          <Button look="primary" busy={act.busy} onClick={() => run(startPush)}>
            {t('remind.push.go')}
          </Button>
        </div>
      )}
    </>
  );
}

function Test() {
  const [result, setResult] = useState<TestResult | undefined>(undefined);
  const act = useAct(sentenceOf);
  const go = () => {
    setResult(undefined);
    void act.run(async () => setResult(await testPush()));
  };
  return (
    <>
      <div>
        <Button busy={act.busy} onClick={go}>
          {act.busy ? t('remind.push.testing') : t('remind.push.test')}
        </Button>
      </div>
      <div role="status">
        {result && (
          <Note look={result === 'arrived' ? 'info' : 'warn'}>{t(`remind.push.result.${result}`)}</Note>
        )}
      </div>
      {act.error !== undefined && <Note look="error">{sentenceOf(act.error)}</Note>}
    </>
  );
}

/** What is known of the last message to a device. */
function stateWords({ last_sent_at: sent, failure }: ReminderDevice): string {
  const key = `remind.devices.failure.${failure}`;
  if (failure !== null && hasText(key)) return t(key);
  return sent === null
    ? t('remind.devices.unused')
    : t('remind.devices.sent', { when: whenWords(new Date(sent), today.value) });
}

function Devices({ devices, act, run }: Part & { devices: readonly ReminderDevice[] }) {
  return (
    <>
      <h3>{t('remind.devices.title')}</h3>
      {devices.length === 0 && <p class="soft">{t('remind.devices.none')}</p>}
      <ul class="list">
        {devices.map((device) => (
          <li key={device.id} class="done-row">
            <span>
              <span class="list-title">
                {device.label}
                {device.current && ` (${t('more.security.thisDevice')})`}
              </span>
              <span class="list-sub">{stateWords(device)}</span>
            </span>
            {!device.current && (
              <Button
                busy={act.busy}
                aria-label={t('remind.devices.remove', { name: device.label })}
                onClick={() => run(() => removeReminderDevice(device.id))}
              >
                {t('remind.devices.removeGo')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
