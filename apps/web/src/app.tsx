import { useEffect } from 'preact/hooks';
import { ErrorBoundary, lazy, LocationProvider, Route, Router, useLocation } from 'preact-iso';
import type { ComponentType } from 'preact';
import { NotFound } from './screens/shell/not-found';
import { NotLoaded } from './screens/shell/not-loaded';
import { Shell } from './screens/shell/shell';
import { SignIn } from './screens/sign-in/sign-in';
import { Unlock } from './screens/unlock/unlock';
import { Welcome } from './screens/welcome/welcome';
import { needAllTexts } from './i18n/i18n';
import { invitation, JOIN_PATH } from './model/invited';
import { sessionState } from './model/session';
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

const SignUp = firstScreen(() => import('./screens/sign-up/sign-up'), 'SignUp');
const ConfirmEmail = screen(() => import('./screens/confirm-email/confirm-email'), 'ConfirmEmail');
const Recover = firstScreen(() => import('./screens/recover/recover'), 'Recover');
const Today = firstScreen(() => import('./screens/today/today'), 'Today');
const Cabinet = firstScreen(() => import('./screens/cabinet/cabinet'), 'Cabinet');
const Together = screen(() => import('./screens/together/together'), 'Together');
const AddMedicine = screen(() => import('./screens/medicine-form/add-medicine'), 'AddMedicine');
const EditMedicine = screen(() => import('./screens/medicine-form/edit-medicine'), 'EditMedicine');
const MedicineScreen = screen(() => import('./screens/medicine/medicine-screen'), 'MedicineScreen');
const Measures = screen(() => import('./screens/measures/measures'), 'Measures');
const MeasureScreen = screen(() => import('./screens/measures/measure-screen'), 'MeasureScreen');
const Visits = screen(() => import('./screens/visits/visits'), 'Visits');
const VisitForm = screen(() => import('./screens/visits/visit-form'), 'VisitForm');
const Doctor = screen(() => import('./screens/doctor/doctor'), 'Doctor');
const Emergency = screen(() => import('./screens/emergency/emergency'), 'Emergency');
const Search = screen(() => import('./screens/search/search'), 'Search');
const ReplaceKeys = screen(() => import('./screens/keys/replace-keys'), 'ReplaceKeys');
const Trash = screen(() => import('./screens/trash/trash'), 'Trash');
const More = screen(() => import('./screens/more/more'), 'More');
const Profiles = screen(() => import('./screens/profiles/profiles'), 'Profiles');
const ProfileForm = screen(() => import('./screens/profiles/profile-form'), 'ProfileForm');
const Security = screen(() => import('./screens/security/security'), 'Security');
const Transfer = screen(() => import('./screens/transfer/transfer'), 'Transfer');
const Settings = screen(() => import('./screens/settings/settings'), 'Settings');
const Reminders = screen(() => import('./screens/reminders/reminders'), 'Reminders');
const People = screen(() => import('./screens/people/people'), 'People');
const Join = screen(() => import('./screens/join/join'), 'Join');
const About = screen(() => import('./screens/about/about'), 'About');

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
