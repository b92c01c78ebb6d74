import { type HealthRecordsClient, MemorySessionStore } from '@app/client';
import { offlineStore, type RowStore } from '@app/client/offline';
import { memoryRows } from '../../libs/client/src/offline/row-store';
import { aPhoneAndATablet, forEachTest } from '../support/devices';
import { openClient, type Person } from '../support/people';
import type { ProxiedAnswer, ProxiedRequest, Proxy } from '../support/proxy';
import { sharedService } from '../support/service';

/** A service that lies to a device with a copy: what it says is checked before it is stored, merged or sealed. */
let proxy: Proxy;
let person: Person;
let rows: RowStore;
let session: MemorySessionStore;
let phone: HealthRecordsClient;
let tablet: HealthRecordsClient;

forEachTest(
  (devices) => ({ proxy, person, phone, tablet } = devices),
  () => {
    [rows, session] = [memoryRows(), new MemorySessionStore()];
    return { offline: offlineStore(rows), sessionStore: session, retry: { attempts: 1 } };
  },
);

type Body = Record<string, any>;
const medication = (name = 'Ibuprofen', more: Body = {}) => ({
  profileId: person.profileId,
  route: 'oral',
  schedule: null,
  details: { name, ...more },
});
const sync = async (...devices: HealthRecordsClient[]) => {
  for (const device of devices) await device.sync.now().catch(() => undefined);
};
const problemsOf = (device: HealthRecordsClient) => device.sync.status.problems.map(({ code }) => code);
/** A medication that both devices know. */
async function shared(more: Body = {}) {
  const { id } = await phone.medications.create(medication('Ibuprofen', more));
  await sync(phone, tablet);
  return id;
}
const change = async (device: HealthRecordsClient, id: string, details: Body) => {
  await device.medications.update(await device.medications.get(id), { details });
  await sync(device);
};

/** Changes the answers with a status of success to requests whose line matches. */
function lie(line: RegExp, make: (body: any, request: ProxiedRequest) => unknown, times = Infinity) {
  let left = times;
  proxy.tamper = (request, answer) => {
    if (!line.test(`${request.method} ${request.path}`) || answer.status >= 300 || left-- <= 0) return answer;
    const made = make(answer.text === '' ? undefined : JSON.parse(answer.text), request);
    return { ...answer, text: typeof made === 'string' ? made : JSON.stringify(made) };
  };
}
/** Changes what the feed says of each record. */
const lieInFeed = (make: (change: Body) => Body | undefined, times = Infinity) =>
  lie(
    / \/api\/sync$/,
    (page) => ({ ...page, changes: page.changes.map((each: Body) => make(each) ?? each) }),
    times,
  );
const answers = (line: RegExp, answer: Partial<ProxiedAnswer>) => {
  proxy.tamper = (request, real) =>
    line.test(`${request.method} ${request.path}`)
      ? { status: 200, headers: { 'content-type': 'application/json' }, text: '', ...answer }
      : real;
};
async function stored(path: string): Promise<Body> {
  const answer = await person.client.request({ method: 'GET', path });
  return answer.body as Body;
}

describe('what does not pass the gate is kept aside, and the last good row stays', () => {
  const lies: [string, string, (body: Body) => Body][] = [
    [
      'a flipped bit',
      'tampered',
      (body) => {
        const bytes = Buffer.from(body.encrypted_data.ciphertext, 'base64');
        bytes[40] ^= 1;
        return { ...body, encrypted_data: { ...body.encrypted_data, ciphertext: bytes.toString('base64') } };
      },
    ],
    ['an odd revision', 'protocol_violation', (body) => ({ ...body, revision: 1.5 })],
    ['another id', 'protocol_violation', (body) => ({ ...body, id: body.profile_id })],
  ];
  it.each(lies)('%s in one row of the feed', async (_what, code, make) => {
    const id = await shared();
    await change(tablet, id, { notes: 'newer' });
    const bad = ({ record, ...rest }: Body) =>
      rest.id === id && record ? { ...rest, record: make(record) } : undefined;
    proxy.tamper = (request, answer) => {
      const line = `${request.method} ${request.path}`;
      if (answer.status !== 200) return answer;
      const body = JSON.parse(answer.text);
      if (line === 'GET /api/sync') body.changes = body.changes.map((each: Body) => bad(each) ?? each);
      const text = line === `GET /api/medications/${id}` ? make(body) : body;
      return { ...answer, text: JSON.stringify(text) };
    };
    await sync(phone, phone);
    expect(await phone.medications.get(id)).toMatchObject({
      details: { name: 'Ibuprofen' },
      doubt: { code },
    });
    expect(phone.sync.status.problems).toMatchObject([{ recordId: id, code }]);
    proxy.mend();
    await sync(phone);
    expect(await phone.medications.get(id)).toMatchObject({ details: { notes: 'newer' } });
    expect((await phone.medications.get(id)).doubt).toBeUndefined();
    expect(problemsOf(phone)).toEqual([]);
  });

  it('an older authentic state, in the feed and after a 412', async () => {
    const id = await shared({ strength: '10 mg', plan: 'DAILY' });
    const old = await stored(`/api/medications/${id}`);
    await change(tablet, id, { plan: 'WEEKLY' });
    await sync(phone);
    const record = await phone.medications.get(id);
    await change(tablet, id, { prescriber: 'Dr. Who' });
    const newest = await stored(`/api/medications/${id}`);
    const isOf = (body: Body) => (body.id === id ? { ...old, revision: newest.revision } : body);
    proxy.tamper = (request, answer) => {
      if (request.method !== 'GET' || answer.status !== 200) return answer;
      const body = JSON.parse(answer.text);
      if (request.path === '/api/sync') {
        for (const each of body.changes) if (each.record) each.record = isOf(each.record);
      }
      const text = JSON.stringify(request.path === `/api/medications/${id}` ? isOf(body) : body);
      return { ...answer, text };
    };
    await phone.medications.update(record, { details: { notes: 'a note' } });
    await sync(phone, phone);
    expect((await stored(`/api/medications/${id}`)).encrypted_data).toBeDefined();
    expect(await phone.medications.get(id)).toMatchObject({ details: { plan: 'WEEKLY', notes: 'a note' } });
    expect(phone.sync.status).toMatchObject({ pending: 1, problems: [{ code: 'rolled_back' }] });
    proxy.mend();
    await sync(tablet);
    expect((await tablet.medications.get(id)).details).toMatchObject({
      plan: 'WEEKLY',
      prescriber: 'Dr. Who',
    });
    await sync(phone, tablet);
    expect(phone.sync.status).toMatchObject({ pending: 0, problems: [] });
    expect((await tablet.medications.get(id)).details).toMatchObject({
      plan: 'WEEKLY',
      prescriber: 'Dr. Who',
      notes: 'a note',
    });
  });

  it('an old profile in the feed: no head is sealed over the newest one', async () => {
    const id = await shared();
    const old = await stored(`/api/profiles/${person.profileId}`);
    const profile = await tablet.profiles.get(person.profileId);
    await tablet.profiles.update(profile, { details: { allergies: [{ text: 'PENICILLIN' }] } });
    await sync(tablet, phone);
    await tablet.profiles.update(await tablet.profiles.get(person.profileId), { relationship: 'child' });
    await sync(tablet);
    lieInFeed((each) =>
      each.kind === 'profile' ? { ...each, record: { ...old, revision: each.record.revision } } : undefined,
    );
    await change(phone, id, { notes: 'x' });
    await sync(phone);
    proxy.mend();
    await sync(phone, tablet);
    expect((await tablet.profiles.get(person.profileId)).details.allergies).toEqual([{ text: 'PENICILLIN' }]);
    expect((await phone.profiles.get(person.profileId)).details.allergies).toEqual([{ text: 'PENICILLIN' }]);
    expect(problemsOf(phone)).toEqual([]);
  });

  it('a record under another profile', async () => {
    const other = await phone.profiles.create({ kind: 'pet', details: { name: 'Rex', species: 'dog' } });
    const id = await shared();
    await change(tablet, id, { notes: 'newer' });
    lieInFeed((each) =>
      each.id === id ? { ...each, record: { ...each.record, profile_id: other.id } } : undefined,
    );
    await sync(phone);
    expect(await phone.medications.list({ profileId: person.profileId })).toHaveLength(1);
    expect(await phone.medications.list({ profileId: other.id })).toEqual([]);
  });
});

describe('a write is confirmed only by its own ciphertext', () => {
  it.each([
    ['{}', 200, '{}'],
    ['[]', 200, '[]'],
    ['nothing', 204, ''],
    ['the JSON of a portal', 200, '{"login":"https://portal"}'],
    ['404 of a portal', 404, '<html>not here</html>'],
    ['410 of a cache', 410, '{}'],
    ['400 of a cache', 400, '{"error":"bad"}'],
  ])('%s to a write', async (_what, status, text) => {
    const id = await shared();
    await phone.medications.update(await phone.medications.get(id), { details: { notes: 'mine' } });
    const fresh = await phone.medications.create(medication('Fresh'));
    answers(/^POST \/api\/medications/, { status, text });
    await sync(phone, phone);
    expect(phone.sync.status).toMatchObject({ pending: 2, problems: [] });
    expect(phone.sync.status.state).not.toBe('idle');
    expect(await phone.medications.list()).toHaveLength(2);
    proxy.mend();
    await sync(phone, tablet);
    expect(phone.sync.status).toMatchObject({ pending: 0, problems: [], state: 'idle', failure: null });
    expect((await tablet.medications.get(id)).details.notes).toBe('mine');
    expect((await tablet.medications.get(fresh.id)).details.name).toBe('Fresh');
  });

  it('a create that was answered by 503, and a tombstone of its id', async () => {
    answers(/^POST \/api\/medications$/, { status: 503, text: '{}' });
    const { id } = await phone.medications.create(medication());
    await sync(phone);
    lie(/ \/api\/sync$/, (page) => ({ ...page, changes: [{ kind: 'medication', id, deleted: true }] }));
    await sync(phone);
    proxy.mend();
    await sync(phone, tablet);
    expect((await tablet.medications.get(id)).details.name).toBe('Ibuprofen');
  });
});

describe('the cursor and the epoch', () => {
  it('a cursor that the service refuses begins a new listing', async () => {
    const id = await shared();
    lie(/ \/api\/sync$/, (page) => ({ ...page, cursor: 'no-cursor-of-this-service' }), 1);
    await sync(phone);
    proxy.mend();
    await change(tablet, id, { notes: 'newer' });
    await sync(phone);
    expect(phone.sync.status).toMatchObject({ state: 'idle', problems: [] });
    expect((await phone.medications.get(id)).details.notes).toBe('newer');
  });

  it.each([
    ['an epoch with a line feed', (page: Body) => ({ ...page, epoch: 'ab\nc' })],
    ['a cursor with a line feed', (page: Body) => ({ ...page, cursor: '2.1\n2' })],
    ['an endless feed', (page: Body) => ({ ...page, has_more: true })],
  ])('%s stores nothing, and heals', async (_what, make) => {
    const id = await shared();
    await change(tablet, id, { notes: 'newer' });
    lie(/ \/api\/sync$/, make);
    proxy.requests.length = 0;
    await sync(phone);
    expect(phone.sync.status.state).toBe('failed');
    expect(proxy.requests.length).toBeLessThan(20);
    proxy.mend();
    await change(phone, id, { prescriber: 'Dr. Who' });
    await sync(phone);
    expect(phone.sync.status).toMatchObject({ state: 'idle', pending: 0, failure: null });
    expect((await phone.medications.get(id)).details.notes).toBe('newer');
  });

  it('410 to every cursor: a few requests, and an end', async () => {
    await shared();
    const text = JSON.stringify({ error: 'Again.', code: 'sync_reset', request_id: 'r' });
    answers(/ \/api\/sync$/, { status: 410, text });
    proxy.requests.length = 0;
    await sync(phone);
    expect(proxy.requests.length).toBeLessThan(10);
    expect(phone.sync.status.state).toBe('failed');
    proxy.mend();
    await sync(phone);
    expect(phone.sync.status).toMatchObject({ state: 'idle', problems: [] });
    expect(await phone.medications.list()).toHaveLength(1);
  });
});

describe('deletions', () => {
  it('a forged tombstone: the record stays, marked, and comes back to certainty when the service is honest', async () => {
    const id = await shared();
    const page = { changes: [{ kind: 'medication', id, deleted: true }] };
    lie(/ \/api\/sync$/, (real) => ({ ...real, ...page }), 1);
    await sync(phone);
    expect(await phone.medications.list()).toHaveLength(1);
    await sync(phone);
    expect((await phone.medications.get(id)).doubt).toBeUndefined();
    expect(problemsOf(phone)).toEqual([]);
  });

  it('a forged tombstone and a 404: the person decides', async () => {
    const id = await shared();
    const notFound = JSON.stringify({ error: 'Gone.', code: 'not_found', request_id: 'r' });
    proxy.tamper = (request, answer) => {
      if (request.path === '/api/sync' && answer.status === 200) {
        const body = { ...JSON.parse(answer.text), changes: [{ kind: 'medication', id, deleted: true }] };
        return { ...answer, text: JSON.stringify(body) };
      }
      const isItem = request.method === 'GET' && request.path.endsWith(id);
      return isItem ? { ...answer, status: 404, text: notFound } : answer;
    };
    await sync(phone, phone);
    expect(await phone.medications.get(id)).toMatchObject({ doubt: { code: 'deletion_unproven' } });
    expect(phone.sync.status.problems).toMatchObject([
      { code: 'deletion_unproven', recordId: id, resolutions: ['retry', 'keep', 'discard'] },
    ]);
    proxy.mend();
    await phone.sync.resolve(phone.sync.status.problems[0].id, 'keep');
    await sync(phone, phone, tablet);
    expect(phone.sync.status).toMatchObject({ pending: 0, problems: [] });
    expect(await tablet.medications.list()).toHaveLength(1);
  });

  it('an honest deletion is sealed in the head, and asks nobody', async () => {
    const id = await shared();
    await tablet.medications.logDose(id, { taken: true });
    await sync(tablet, phone);
    await tablet.medications.delete(await tablet.medications.get(id));
    await sync(tablet, phone);
    expect(await phone.medications.list()).toEqual([]);
    expect(problemsOf(phone)).toEqual([]);
    const rex = await phone.profiles.create({ kind: 'pet', details: { name: 'Rex' } });
    await phone.medications.create({ ...medication('Pill'), profileId: rex.id });
    await sync(phone, tablet);
    await tablet.profiles.delete(rex.id);
    await sync(tablet, phone, phone);
    expect(await phone.profiles.list()).toHaveLength(1);
    expect(await phone.medications.list()).toEqual([]);
    expect(problemsOf(phone)).toEqual([]);
  });
});

describe('withheld records', () => {
  it('a new device finds out that a medicine is not shown', async () => {
    const id = await shared();
    const hide = (list: Body[]) => list.filter((each) => each.id !== id);
    const notFound = JSON.stringify({ error: 'Gone.', code: 'not_found', request_id: 'r' });
    proxy.tamper = (request, answer) => {
      if (request.path === '/api/sync' && answer.status === 200) {
        const body = JSON.parse(answer.text);
        return { ...answer, text: JSON.stringify({ ...body, changes: hide(body.changes) }) };
      }
      return request.path.endsWith(id) ? { ...answer, status: 404, text: notFound } : answer;
    };
    const fresh = openClient(proxy.url, { offline: offlineStore(memoryRows()), retry: { attempts: 1 } });
    await fresh.login(person.email, person.password);
    fresh.sync.stop();
    await sync(fresh, fresh);
    expect(fresh.sync.status.problems).toMatchObject([
      { code: 'withheld', kind: 'medication', recordId: id },
    ]);
    proxy.mend();
    await sync(fresh, fresh);
    expect(problemsOf(fresh)).toEqual([]);
    expect(await fresh.medications.list()).toHaveLength(1);
  });
});

it('two accounts on one device: neither has the position of the other', async () => {
  const id = await shared();
  const stranger = (await aPhoneAndATablet((await sharedService()).api.url)).person;
  await phone.login(stranger.email, stranger.password);
  phone.sync.stop();
  await sync(phone);
  expect(await phone.medications.list()).toEqual([]);
  await phone.login(person.email, person.password);
  phone.sync.stop();
  await sync(phone);
  expect((await phone.medications.get(id)).details.name).toBe('Ibuprofen');
});
