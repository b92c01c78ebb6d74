/** A page of a team with React, in StrictMode: the service is in memory. Bundled by react.spec.ts. */
import { clientOfFake, FakeService } from '@health-records/client/testing';
import { useClientState, useRecords, useSession, useSyncStatus } from '@health-records/client/react';
import { createElement as h, StrictMode, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';

const service = new FakeService();
const client = clientOfFake(service);
const counts = { resumed: 0, listed: 0 };
const resume = client.resume.bind(client);
client.resume = () => ((counts.resumed += 1), resume());

function Medicines({ profileId }) {
  const { data, error, isReading } = useRecords(
    client,
    ['medication'],
    (each) => ((counts.listed += 1), each.medications.list({ profileId })),
    [profileId],
  );
  if (error) return h('p', { id: 'error' }, error.code);
  const names = (data ?? []).map(({ id, details }) => h('li', { key: id }, details.name));
  return h('div', null, h('ul', { id: 'list' }, names), h('i', { id: 'reading' }, String(isReading)));
}

function App() {
  const { isResumed, state, email } = useSession(client);
  const alone = useClientState(client);
  const { pending } = useSyncStatus(client);
  const [profileId, setProfileId] = useState();
  globalThis.page.setProfileId = setProfileId;
  const line = [isResumed, state, alone, email, pending].join(' ');
  return h('main', null, h('p', { id: 'state' }, line), profileId && h(Medicines, { profileId }));
}

const app = h(StrictMode, null, h(App));
globalThis.page = { client, service, counts, onServer: () => renderToString(app) };
globalThis.page.root = createRoot(document.body.appendChild(document.createElement('div')));
globalThis.page.html = renderToString(app);
globalThis.page.root.render(app);
