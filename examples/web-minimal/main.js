import {
  HealthRecordsClient,
  HealthRecordsError,
  WebStorageSessionStore,
} from './node_modules/@health-records/client/dist/health-records-client.min.js';

const client = new HealthRecordsClient({
  baseUrl: new URLSearchParams(location.search).get('service') ?? 'http://127.0.0.1:3000',
  sessionStore: new WebStorageSessionStore(localStorage, window),
  idleLock: { afterMs: 10 * 60_000 },
});
const element = (id) => document.getElementById(id);
let profileId;

/** Shows what belongs to the state of the client. */
async function show() {
  element('sign-in').hidden = client.state !== 'signed-out';
  element('unlock').hidden = client.state !== 'locked';
  element('cabinet').hidden = client.state !== 'unlocked';
  if (client.state !== 'unlocked') return element('list').replaceChildren();
  const [profile] = await client.profiles.list();
  profileId = profile?.id ?? (await client.profiles.create({ details: { name: '' } })).id;
  const medicines = await client.medications.list({ profileId });
  // `textContent`, never `innerHTML`: a name is somebody's text.
  const items = medicines.map(({ details }) =>
    Object.assign(document.createElement('li'), { textContent: details.name }),
  );
  element('list').replaceChildren(...items);
}

/** Runs an action, and shows why it failed. */
async function run(action) {
  element('message').textContent = '';
  try {
    await action();
  } catch (error) {
    if (!(error instanceof HealthRecordsError)) throw error;
    element('message').textContent = `${error.message} (${error.code})`;
  }
  await show();
}

/** The fields of a form, by name; the form is emptied. */
function onSubmit(id, action) {
  element(id).addEventListener('submit', (event) => {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(event.target));
    event.target.reset();
    void run(() => action(fields, event.submitter?.value));
  });
}

onSubmit('sign-in', ({ email, password }, button) =>
  button === 'register'
    ? client.register({ email, password, recoveryPhrase: null, profile: { details: { name: '' } } })
    : client.login(email, password),
);
onSubmit('unlock', ({ password }) => client.unlock(password));
onSubmit('add', ({ name }) =>
  client.medications.create({ profileId, route: 'oral', schedule: null, details: { name } }),
);
element('lock').addEventListener('click', () => client.lock());
element('logout').addEventListener('click', () => run(() => client.logout()));
client.on('locked', () => void show());
client.on('session-ended', () => void show());

await run(async () => {
  if ((await client.resume()) !== null) await client.unlockFromOtherTab();
});
