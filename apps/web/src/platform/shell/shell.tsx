import { Activity, CalendarDays, Lock, Menu, PillBottle, Sun, UserPlus } from 'lucide-preact';
import { computed } from '@preact/signals';
import type { SyncStatus } from '@app/client';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { t } from '../../i18n/i18n';
import { chosen, isShown, members } from '../../features/profiles/model/family';
import { medicineOf } from '../../features/medications/model/medicines';
import { today } from '../model/clock';
import { loadError, loadRecords, loadState } from '../model/records';
import { undecrypted } from '../model/rollback';
import { codeSentence, isOfDevice, sentenceOf } from '../model/failure';
import { demoAccount, eraseDemoFamily, isDemo } from '../../features/account/model/demo';
import { placeOf, sharedNotice } from '../../features/profiles/model/people';
import { lock, notice } from '../model/session';
import { isOffline, syncStatus } from '../model/sync';
import { whenWords } from '../../features/medications/model/words';
import { takeUpdate, updateWaiting } from '../offline/register';
import { Avatar } from '../../ui/avatar';
import { Button } from '../../ui/button';
import { useAct } from '../../ui/form';
import { Progress } from '../../ui/progress';
import { AfterAWhile, Note, Skeleton } from '../../ui/screen';
import { toldFailure, Toasts } from '../../ui/toast';
import { Questions } from '../../features/questions/screens/questions';
import { RolledBackNotice } from './rolled-back';

const SECTIONS = [
  { path: '/app/today', icon: Sun, key: 'common.nav.today' },
  { path: '/app/cabinet', icon: PillBottle, key: 'common.nav.cabinet' },
  { path: '/app/measures', icon: Activity, key: 'common.nav.measures' },
  { path: '/app/visits', icon: CalendarDays, key: 'common.nav.visits' },
  { path: '/app/more', icon: Menu, key: 'common.nav.more' },
] as const;

/** The section that an address belongs to. All other URLs belong to “More”. */
function sectionOf(path: string): string {
  return SECTIONS.find((section) => path.startsWith(section.path))?.path ?? '/app/more';
}

/** Tells the shell how high the bar of places is: in large letters it has a second row. */
function followHeight(places: HTMLElement): () => void {
  const { style } = places.closest<HTMLElement>('.shell')!;
  const observer = new ResizeObserver(() => {
    // On a wide screen they stand at the side.
    if (getComputedStyle(places.parentElement!).position !== 'fixed') style.removeProperty('--nav-height');
    else style.setProperty('--nav-height', `${places.offsetHeight}px`);
  });
  observer.observe(places);
  return () => observer.disconnect();
}

function Navigation() {
  const current = sectionOf(useLocation().path);
  const places = useRef<HTMLUListElement>(null);
  useEffect(() => followHeight(places.current!), []);
  return (
    <nav class="nav" aria-label={t('common.nav.label')}>
      <div class="nav-brand" aria-hidden="true">
        <img src="/assets/icon.svg" alt="" width="32" height="32" />
        {t('common.appName')}
      </div>
      <ul ref={places}>
        {SECTIONS.map(({ path, icon: Icon, key }) => (
          <li key={path}>
            <a href={path} aria-current={path === current ? 'page' : undefined}>
              <Icon size={22} aria-hidden="true" />
              <span>{t(key)}</span>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The list to show where the address is that of a record of somebody who is not chosen. */
function listInsteadOf(path: string, reader: string | undefined): string | undefined {
  const [, medicine] = /^\/app\/cabinet\/([^/]+)/.exec(path) ?? [];
  const of = medicine && medicineOf(medicine)?.profileId;
  if (of && !isShown(of)) return '/app/cabinet';
  return path.startsWith('/app/measures/') && reader && !isShown(reader) ? '/app/measures' : undefined;
}

function People() {
  const { path, query, route } = useLocation();
  if (members.value.length === 0) return <div />;
  const press = (id: string) => () => {
    chosen.value = id;
    const list = listInsteadOf(path, query.of);
    // What belongs to another one must not stay in reach under this name.
    if (list) route(list);
  };
  // A browser leaves a button as it is that is half in sight.
  const show = (event: JSX.TargetedFocusEvent<HTMLButtonElement>) =>
    event.currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  const isFamily = members.value.length > 1;
  const isAll = !members.value.some(({ id }) => id === chosen.value);
  return (
    <div class="people" role="group" aria-label={t('common.person.label')}>
      {isFamily && (
        <button type="button" class="everyone" aria-pressed={isAll} onClick={press('all')}>
          {t('common.person.everyone')}
        </button>
      )}
      {(isFamily ? members.value : []).map((member) => {
        const { id, kind, details } = member;
        return (
          <button
            key={id}
            type="button"
            aria-pressed={id === chosen.value}
            onClick={press(id)}
            onFocus={show}
          >
            <Avatar
              name={details.name}
              picture={details.picture}
              species={details.species}
              isPet={kind === 'pet'}
              isShared={placeOf(member) !== undefined}
            />
            <span class="person-name">{details.name}</span>
            {placeOf(member) && <span class="visually-hidden">, {t('common.share.shared')}</span>}
          </button>
        );
      })}
      <a href="/app/profiles/add">
        <UserPlus size={22} aria-hidden="true" />
        <span class="person-name">{t('common.person.add')}</span>
      </a>
    </div>
  );
}

/** The first sync of a device fetches every record, which takes longer than a look into its copy. */
function Loading() {
  if (syncStatus.value.lastSuccess !== null) return <Skeleton label={t('common.state.loading')} />;
  return (
    <AfterAWhile>
      <Progress label={t('common.state.firstLoad')} />
    </AfterAWhile>
  );
}

function LoadedContent({ children }: { children: ComponentChildren }) {
  if (loadState.value === 'failed')
    return (
      <Note look="error">
        <p>
          {t('common.state.failed')} {sentenceOf(loadError.value)}
        </p>
        <Button onClick={() => void loadRecords()}>{t('common.action.retry')}</Button>
      </Note>
    );
  if (loadState.value !== 'ready') return <Loading />;
  return <>{children}</>;
}

function DemoBanner() {
  const act = useAct(sentenceOf);
  const account = demoAccount.value;
  if (!account || !isDemo()) return <div />;
  return (
    <aside class="banner" aria-label={t('more.demo.banner')}>
      <span>
        <strong>{t('more.demo.banner')}</strong> {t('more.demo.secret', { secret: account.secret })}
      </span>
      <Button busy={act.busy} onClick={() => void act.run(eraseDemoFamily)}>
        {t('more.demo.erase')}
      </Button>
      {act.error !== undefined && <strong>{sentenceOf(act.error)}</strong>}
    </aside>
  );
}

/** What the line needs of the status, which changes several times with each tap. */
const syncTrouble = computed((): SyncStatus | undefined => {
  const status = syncStatus.value;
  return isOffline.value || status.failure || status.problems.length > 0 ? status : undefined;
});

const whenSynced = ({ lastSuccess }: SyncStatus) =>
  lastSuccess && whenWords(new Date(lastSuccess), today.value);

/** Since when the page is offline, and how many writes wait. */
function offlineWords(status: SyncStatus): string {
  const when = whenSynced(status);
  const since = when ? t('common.state.offline', { when }) : t('common.state.offlineNever');
  const { pending } = status;
  return pending > 0 ? `${since} ${t('more.sync.waiting', { count: pending })}` : since;
}

/** What is wrong with the device or the service, and what the person must decide. */
function SyncTrouble({ status }: { status: SyncStatus }) {
  const { problems, failure } = status;
  const when = whenSynced(status);
  return (
    <>
      {failure && isOfDevice(failure.code) && failure.code !== toldFailure.value && (
        <Note look="error">{codeSentence(failure.code)}</Note>
      )}
      {failure && !isOfDevice(failure.code) && !isOffline.value && (
        <Note look="warn">
          {when
            ? t('more.sync.stuck', { reason: codeSentence(failure.code), when })
            : t('more.sync.stuckNever', { reason: codeSentence(failure.code) })}
        </Note>
      )}
      {problems.length > 0 && (
        <Note look="warn">
          <a href="/app/security">{t('more.sync.needYou', { count: problems.length })}</a>
        </Note>
      )}
    </>
  );
}

/** One line. It is in the page before its first words: else no screen reader says them. */
function SyncLine() {
  const status = syncTrouble.value;
  return (
    <>
      <p class="soft small" role="status">
        {status && isOffline.value ? offlineWords(status) : ''}
      </p>
      {status && <SyncTrouble status={status} />}
    </>
  );
}

/** What is around every screen: the sections, the person, lines about the state of the page. */
export function Shell({ children }: { children: ComponentChildren }) {
  useEffect(() => void loadRecords(), []);
  return (
    <div class="shell">
      <a class="skip-link" href="#content">
        {t('common.action.skipToContent')}
      </a>
      <Navigation />
      <DemoBanner />
      <header class="top">
        <People />
        <Button look="quiet" icon={Lock} onClick={lock}>
          {t('common.action.lock')}
        </Button>
      </header>
      <main class="content" id="content" tabIndex={-1}>
        {updateWaiting.value && (
          <Note>
            {t('common.state.update')} <Button onClick={takeUpdate}>{t('common.action.reload')}</Button>
          </Note>
        )}
        <SyncLine />
        {notice.value && <notice.value.Show />}
        {sharedNotice.value && <sharedNotice.value.Show />}
        <RolledBackNotice />
        <Questions />
        {undecrypted.value.length > 0 && (
          <Note look="warn">{t('common.state.unreadable', { count: undecrypted.value.length })}</Note>
        )}
        <LoadedContent>{children}</LoadedContent>
        <Toasts closeLabel={t('common.action.close')} />
      </main>
    </div>
  );
}
