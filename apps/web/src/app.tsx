import { useEffect } from 'preact/hooks';
import { ErrorBoundary, lazy, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import type { ComponentType } from 'preact';
import { NotFound } from './platform/shell/not-found';
import { NotLoaded } from './platform/shell/not-loaded';
import { Shell } from './platform/shell/shell';
import { SignIn } from './features/account/screens/sign-in/sign-in';
import { Unlock } from './features/account/screens/unlock/unlock';
import { Welcome } from './features/account/screens/welcome/welcome';
import { needAllTexts } from './i18n/i18n';
import { invitation, JOIN_PATH } from './features/sharing/model/invited';
import { sessionState } from './platform/model/session';
import { LiveRegions } from './ui/announce';

/** A screen that is loaded when it opens, as one of the first. Those that a visit begins with come with the page. */
const firstScreen = <T extends object>(load: () => Promise<T>, name: keyof T) =>
  lazy(async () => {
    const loaded = await load().catch(() => undefined);
    return { default: loaded ? (loaded[name] as ComponentType) : NotLoaded };
  });

/** As {@link firstScreen}, with the texts that the first screens do not need. */
const screen = <T extends object>(load: () => Promise<T>, name: keyof T) =>
  firstScreen(async () => (await Promise.all([load(), needAllTexts()]))[0], name);

const SignUp = firstScreen(() => import('./features/account/screens/sign-up/sign-up'), 'SignUp');
const ConfirmEmail = screen(
  () => import('./features/account/screens/confirm-email/confirm-email'),
  'ConfirmEmail',
);
const Recover = firstScreen(() => import('./features/account/screens/recover/recover'), 'Recover');
const Today = firstScreen(() => import('./features/doses/screens/today'), 'Today');
const Cabinet = firstScreen(() => import('./features/medications/screens/cabinet/cabinet'), 'Cabinet');
const Together = screen(() => import('./features/medications/screens/together/together'), 'Together');
const AddMedicine = screen(
  () => import('./features/medications/screens/medicine-form/add-medicine'),
  'AddMedicine',
);
const EditMedicine = screen(
  () => import('./features/medications/screens/medicine-form/edit-medicine'),
  'EditMedicine',
);
const MedicineScreen = screen(
  () => import('./features/medications/screens/medicine/medicine-screen'),
  'MedicineScreen',
);
const Measures = screen(() => import('./features/health-stats/screens/measures'), 'Measures');
const MeasureScreen = screen(() => import('./features/health-stats/screens/measure-screen'), 'MeasureScreen');
const Visits = screen(() => import('./features/appointments/screens/visits'), 'Visits');
const VisitForm = screen(() => import('./features/appointments/screens/visit-form'), 'VisitForm');
const Doctor = screen(() => import('./features/doctor/screens/doctor/doctor'), 'Doctor');
const Emergency = screen(() => import('./features/doctor/screens/emergency/emergency'), 'Emergency');
const Search = screen(() => import('./features/search/screens/search'), 'Search');
const ReplaceKeys = screen(() => import('./features/account/screens/keys/replace-keys'), 'ReplaceKeys');
const Trash = screen(() => import('./features/trash/screens/trash'), 'Trash');
const More = screen(() => import('./features/settings/screens/more/more'), 'More');
const Profiles = screen(() => import('./features/profiles/screens/profiles'), 'Profiles');
const ProfileForm = screen(() => import('./features/profiles/screens/profile-form'), 'ProfileForm');
const Security = screen(() => import('./features/account/screens/security/security'), 'Security');
const Transfer = screen(() => import('./features/transfer/screens/transfer'), 'Transfer');
const Settings = screen(() => import('./features/settings/screens/settings/settings'), 'Settings');
const Reminders = screen(() => import('./features/reminders/screens/reminders'), 'Reminders');
const People = screen(() => import('./features/sharing/screens/people/people'), 'People');
const Shared = screen(() => import('./features/sharing/screens/shared/shared'), 'Shared');
const Join = screen(() => import('./features/sharing/screens/join/join'), 'Join');
const About = screen(() => import('./features/settings/screens/about/about'), 'About');

const Nothing = () => null;

function SignedOut() {
  return (
    <Router>
      <Route path="/app/sign-up" component={SignUp} />
      <Route path="/app/sign-in" component={SignIn} />
      <Route path="/app/recover" component={Recover} />
      <Route path="/app/confirm" component={ConfirmEmail} />
      <Route path={JOIN_PATH} component={Join} />
      <Route default component={Welcome} />
    </Router>
  );
}

function Locked() {
  return (
    <Router>
      <Route path="/app/recover" component={Recover} />
      <Route path="/app/confirm" component={ConfirmEmail} />
      <Route path={JOIN_PATH} component={Join} />
      <Route default component={Unlock} />
    </Router>
  );
}

/** The addresses of the way in. Whoever is in sees what is due. */
const WAY_IN = /^\/(?:app\/(?:sign-up|sign-in|recover|unlock))?$/;

function Unlocked() {
  const { path, route } = useLocation();
  useEffect(() => {
    // An invitation has waited for the way in.
    if (WAY_IN.test(path)) route(invitation.value ? JOIN_PATH : '/app/today', true);
  }, [path]);
  return (
    <Shell>
      <Router>
        <Route path="/app/today" component={Today} />
        {/* Until the address is that of Today. */}
        <Route path="/" component={Nothing} />
        <Route path="/app/sign-up" component={Nothing} />
        <Route path="/app/sign-in" component={Nothing} />
        <Route path="/app/recover" component={Nothing} />
        <Route path="/app/unlock" component={Nothing} />
        <Route path="/app/cabinet" component={Cabinet} />
        <Route path="/app/cabinet/together" component={Together} />
        <Route path="/app/cabinet/add" component={AddMedicine} />
        <Route path="/app/cabinet/:id" component={MedicineScreen} />
        <Route path="/app/cabinet/:id/edit" component={EditMedicine} />
        <Route path="/app/measures" component={Measures} />
        <Route path="/app/measures/:reading" component={MeasureScreen} />
        <Route path="/app/visits" component={Visits} />
        <Route path="/app/visits/add" component={VisitForm} />
        <Route path="/app/visits/:id" component={VisitForm} />
        <Route path="/app/doctor" component={Doctor} />
        <Route path="/app/emergency" component={Emergency} />
        <Route path="/app/search" component={Search} />
        <Route path="/app/trash" component={Trash} />
        <Route path="/app/more" component={More} />
        <Route path="/app/profiles" component={Profiles} />
        <Route path="/app/profiles/add" component={ProfileForm} />
        <Route path="/app/profiles/:id" component={ProfileForm} />
        <Route path="/app/profiles/:id/people" component={People} />
        <Route path="/app/shared" component={Shared} />
        <Route path="/app/security" component={Security} />
        <Route path="/app/replace-keys" component={ReplaceKeys} />
        <Route path="/app/transfer" component={Transfer} />
        <Route path="/app/settings" component={Settings} />
        <Route path="/app/reminders" component={Reminders} />
        <Route path="/app/about" component={About} />
        <Route path="/app/confirm" component={ConfirmEmail} />
        <Route path={JOIN_PATH} component={Join} />
        <Route default component={NotFound} />
      </Router>
    </Shell>
  );
}

/** The routes. A locked page keeps its URL, so that the person continues there after the unlock. */
export function App() {
  const state = sessionState.value;
  return (
    <LocationProvider scope={/^\/(?:$|app\/)/}>
      <ErrorBoundary>
        {state === 'signed-out' && <SignedOut />}
        {state === 'locked' && <Locked />}
        {state === 'unlocked' && <Unlocked />}
      </ErrorBoundary>
      <LiveRegions />
    </LocationProvider>
  );
}
