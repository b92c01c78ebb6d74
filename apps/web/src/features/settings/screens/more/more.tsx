import {
  ArrowLeftRight,
  BellRing,
  IdCard,
  Info,
  LogOut,
  Printer,
  Search,
  Settings,
  ShieldCheck,
  Trash2,
  Users,
  UsersRound,
} from 'lucide-preact';
import { useState } from 'preact/hooks';
import { t } from '../../../../i18n/i18n';
import { email } from '../../../../platform/model/session';
import { Button } from '../../../../ui/button';
import { Screen } from '../../../../ui/screen';
import { members } from '../../../profiles/model/family';
import { SignOutDialog } from '../../../account/screens/account/sign-out-dialog';

/** Without a record there is nothing to share. */
const SHARED = '/app/shared';

const LINKS = [
  { href: '/app/search', icon: Search, key: 'find.title' },
  { href: '/app/emergency', icon: IdCard, key: 'card.title' },
  { href: '/app/doctor', icon: Printer, key: 'doctor.title' },
  { href: '/app/profiles', icon: Users, key: 'profiles.title' },
  { href: SHARED, icon: UsersRound, key: 'people.seen.title' },
  { href: '/app/reminders', icon: BellRing, key: 'more.reminders' },
  { href: '/app/security', icon: ShieldCheck, key: 'more.security.title' },
  { href: '/app/transfer', icon: ArrowLeftRight, key: 'transfer.title' },
  { href: '/app/trash', icon: Trash2, key: 'trash.title' },
  { href: '/app/settings', icon: Settings, key: 'more.settings.title' },
  { href: '/app/about', icon: Info, key: 'more.about.title' },
] as const;

export function More() {
  const [asking, setAsking] = useState(false);
  return (
    <Screen title={t('more.title')}>
      <ul class="list">
        {LINKS.filter(({ href }) => href !== SHARED || members.value.length > 0).map(
          ({ href, icon: Icon, key }) => (
            <li key={href}>
              <a class="list-link" href={href}>
                <Icon size={22} aria-hidden="true" />
                <span class="list-title">{t(key)}</span>
              </a>
            </li>
          ),
        )}
      </ul>
      <div class="stack">
        <p class="soft">{t('more.signedInAs', { email: email.value })}</p>
        <div>
          <Button icon={LogOut} onClick={() => setAsking(true)}>
            {t('more.signOut')}
          </Button>
        </div>
      </div>
      {asking && (
        <SignOutDialog
          title={t('more.signOut')}
          text={t('more.signOutText')}
          onClose={() => setAsking(false)}
        />
      )}
    </Screen>
  );
}
