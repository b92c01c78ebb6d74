import { IntegrityError, KdfRefusedError, MemorySessionStore, MissingRecordsError } from '@app/client';
import type { Medication, Profile } from '@app/client';
import { anEmail } from '../support/factories';
import { aPersonWithPhrase, openClient, type Person } from '../support/people';
import { Proxy, type ProxiedAnswer, type ProxiedRequest } from '../support/proxy';
import { type SharedService, sharedService } from '../support/service';

/** A service that lies, by a proxy before the real one that changes its answers: each lie is caught with its own error. */
type Row = Record<string, any>;
let service: SharedService;
let proxy: Proxy;
let ada: Person & { phrase: string };
let rex: Profile;
let medications: Medication[];

beforeAll(async () => {
  service = await sharedService();
  proxy = await Proxy.start(service.api.url);
  ada = await aPersonWithPhrase(proxy.url);
  const { client, profileId } = ada;
  rex = await client.profiles.create({ kind: 'pet', details: { name: 'Rex', species: 'dog' } });
  medications = [];
  for (const [name, owner] of [
    ['Ibuprofen', profileId],
    ['Aspirin', profileId],
    ['Carprofen', rex.id],
  ]) {
    const medication = { profileId: owner, route: 'oral', schedule: { timesPerDay: 1 }, details: { name } };
    medications.push(await client.medications.create(medication));
  }
  await client.appointments.create({
    profileId,
    status: 'scheduled',
    details: { title: 'Check-up', startsAt: '2026-12-01T09:30:00Z' },
  });
});
afterAll(() => proxy.stop());
afterEach(() => {
  proxy.tamper = undefined;
});

/** A device that has seen nothing yet: what it is served first, it cannot compare with anything. */
async function freshDevice() {
  const client = openClient(proxy.url);
  await client.login(ada.email, ada.password);
  return client;
}

/** Changes the JSON of every answer to one path, elements of lists one by one. */
function tamperWith(path: string | RegExp, change: (row: Row) => Row): void {
  proxy.tamper = (request, answer) => {
    const isMeant = typeof path === 'string' ? request.path === path : path.test(request.path);
    if (!isMeant || answer.status >= 400 || answer.text === '') return answer;
    return withBody(answer, mapRows(JSON.parse(answer.text), change));
  };
}

function mapRows(body: any, change: (row: Row) => Row): any {
  return Array.isArray(body) ? body.map((row) => change(row)) : change(body);
}

function withBody(answer: ProxiedAnswer, body: unknown): ProxiedAnswer {
  return { ...answer, text: JSON.stringify(body) };
}

/** What the service itself holds. */
async function stored(path: string): Promise<any> {
  const sessionStore = new MemorySessionStore();
  await openClient(service.api.url, { sessionStore }).login(ada.email, ada.password);
  return (await service.api.get(path, { token: sessionStore.read()!.accessToken })).body;
}

const tampered = (id: string) =>
  expect.objectContaining({ code: 'tampered', record: expect.objectContaining({ id }) });

describe('exchanged ciphertexts', () => {
  it('of two medications of one profile', async () => {
    const [a, b]: Row[] = await Promise.all(
      [0, 1].map((at) => stored(`/api/medications/${medications[at].id}`)),
    );
    const exchanged: Record<string, Row> = { [a.id]: b, [b.id]: a };
    tamperWith(/^\/api\/medications/, (row) => ({
      ...row,
      encrypted_data: (exchanged[row.id] ?? row).encrypted_data,
    }));
    const client = await freshDevice();
    await expect(client.medications.get(a.id)).rejects.toEqual(tampered(a.id));
    await expect(client.medications.list({ profileId: ada.profileId })).rejects.toBeInstanceOf(
      IntegrityError,
    );
    const told: string[] = [];
    const readable = await client.medications.list({}, { onUnreadable: ({ id }) => told.push(id) });
    expect([readable.map((each) => each.id), told.sort()]).toEqual([
      [medications[2].id],
      [a.id, b.id].sort(),
    ]);
  });

  it('of a whole record: one id is answered with another record', async () => {
    const other = await stored(`/api/medications/${medications[1].id}`);
    tamperWith(`/api/medications/${medications[0].id}`, () => other);
    const client = await freshDevice();
    await expect(client.medications.get(medications[0].id)).rejects.toEqual(tampered(medications[1].id));
  });

  it('of two kinds of record', async () => {
    const [appointment] = await stored('/api/appointments');
    tamperWith(`/api/medications/${medications[0].id}`, (row) => ({
      ...row,
      encrypted_data: appointment.encrypted_data,
    }));
    const client = await freshDevice();
    await expect(client.medications.get(medications[0].id)).rejects.toEqual(tampered(medications[0].id));
  });

  it('with the record said to be of another profile', async () => {
    tamperWith(`/api/medications/${medications[2].id}`, (row) => ({ ...row, profile_id: ada.profileId }));
    const client = await freshDevice();
    await expect(client.medications.get(medications[2].id)).rejects.toEqual(tampered(medications[2].id));
  });

  it('with a bit that was changed', async () => {
    tamperWith(`/api/medications/${medications[0].id}`, (row) => {
      const bytes = Buffer.from(row.encrypted_data.ciphertext, 'base64');
      bytes[40] ^= 1;
      return { ...row, encrypted_data: { ...row.encrypted_data, ciphertext: bytes.toString('base64') } };
    });
    const client = await freshDevice();
    await expect(client.medications.get(medications[0].id)).rejects.toEqual(tampered(medications[0].id));
  });

  it('of the names of two profiles', async () => {
    const { name_data, name_iv } = await stored(`/api/profiles/${rex.id}`);
    tamperWith(`/api/profiles/${ada.profileId}`, (row) => ({ ...row, name_data, name_iv }));
    const client = await freshDevice();
    await expect(client.profiles.get(ada.profileId)).rejects.toEqual(tampered(ada.profileId));
  });
});

describe('exchanged keys', () => {
  it('of two profiles', async () => {
    const { wrapped_profile_dek, wrapped_profile_dek_iv } = await stored(`/api/profiles/${rex.id}`);
    tamperWith(`/api/profiles/${ada.profileId}`, (row) => ({
      ...row,
      wrapped_profile_dek,
      wrapped_profile_dek_iv,
    }));
    const client = await freshDevice();
    await expect(client.profiles.get(ada.profileId)).rejects.toEqual(tampered(ada.profileId));
    await expect(client.medications.get(medications[0].id)).rejects.toEqual(tampered(ada.profileId));
  });

  it('of the password and the recovery phrase, at login: the session is not taken up', async () => {
    const info = await service.api.get(`/api/auth/recovery-info?email=${ada.email}`);
    tamperWith('/api/auth/login', (row) => ({
      ...row,
      wrapped_dek: info.body.recovery_wrapped_dek,
      wrapped_dek_iv: info.body.recovery_wrapped_dek_iv,
    }));
    const client = openClient(proxy.url);
    await expect(client.login(ada.email, ada.password)).rejects.toMatchObject({ code: 'tampered' });
    expect(client.state).toBe('signed-out');
  });

  it('of the account, at recovery: nothing is reset', async () => {
    const { wrapped_dek, wrapped_dek_iv } = await stored('/api/users/me');
    tamperWith('/api/auth/recovery-info', () => ({
      recovery_wrapped_dek: wrapped_dek,
      recovery_wrapped_dek_iv: wrapped_dek_iv,
    }));
    const before = proxy.requests.length;
    const recovery = openClient(proxy.url).recover(ada.email, ada.phrase, 'another battery horse');
    await expect(recovery).rejects.toMatchObject({ code: 'recovery_failed' });
    const sent = proxy.requests.slice(before).map(({ path }) => path);
    expect(sent).not.toContain('/api/auth/recovery/reset-password');
    await freshDevice();
  });
});

describe('a key derivation', () => {
  it.each([
    ['cheaper', { iterations: 1000 }],
    ['just below the least', { iterations: 599_999 }],
    ['that would hang the device', { iterations: 2 ** 31 }],
    ['of another kind', { kdf: 'pbkdf2-sha1' }],
    ['without a salt', { salt: '' }],
  ])('%s is refused, and no secret is sent', async (_what, change) => {
    // The sign-ins of the other tests have ended the first session.
    const own = await freshDevice();
    tamperWith('/api/auth/prelogin', (row) => ({ ...row, ...change }));
    const before = proxy.requests.length;
    const { email, password, phrase } = ada;
    const client = openClient(proxy.url);
    for (const attempt of [
      () => client.login(email, password),
      () => client.register({ email: anEmail(), password, recoveryPhrase: null }),
      () => client.recover(email, phrase, 'another battery horse'),
      () => own.unlock(password),
      () => own.changePassword(password, 'another battery horse'),
      () => own.setRecoveryPhrase(password, phrase),
      () => own.deleteAccount(password),
    ])
      await expect(attempt()).rejects.toBeInstanceOf(KdfRefusedError);
    const bodies = proxy.requests.slice(before).filter(({ method }) => method !== 'GET');
    const asked = new Set(bodies.map(({ path }) => path));
    expect(asked).toEqual(new Set(['/api/auth/prelogin', '/api/auth/recovery-info']));
    expect(bodies.every(({ text }) => /^\{"email":"[^"]+"\}$/.test(text))).toBe(true);
  });
});

describe('within a session', () => {
  it('a list without a record that was seen: proven by the record itself', async () => {
    const client = await freshDevice();
    expect(await client.medications.list()).toHaveLength(3);
    proxy.tamper = shorten('/api/medications', medications[1].id);
    const failure = await client.medications.list().catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(MissingRecordsError);
    expect(failure).toMatchObject({
      code: 'records_missing',
      missing: [{ kind: 'medication', id: medications[1].id }],
    });
  });

  it('the same for profiles, and lists in pages', async () => {
    const client = await freshDevice();
    await client.profiles.list();
    await client.medications.list();
    proxy.tamper = shorten('/api/profiles', rex.id);
    await expect(client.profiles.list()).rejects.toBeInstanceOf(MissingRecordsError);
    // The list ends after its first page.
    proxy.tamper = ({ path }, answer) => {
      const { link, ...headers } = answer.headers;
      return path === '/api/medications' && link ? { ...answer, headers } : answer;
    };
    await expect(client.medications.list({}, { pageSize: 1 })).rejects.toBeInstanceOf(MissingRecordsError);
  });

  it('a record that another device deleted is told, not claimed to be withheld', async () => {
    const [client, other] = [await freshDevice(), await freshDevice()];
    const medication = { profileId: rex.id, route: 'oral', schedule: null, details: { name: 'Meloxicam' } };
    const { id } = await client.medications.create(medication);
    await other.medications.delete(id);
    const gone: unknown[] = [];
    client.on('records-gone', ({ records }) => gone.push(...records));
    expect(await client.medications.list()).toHaveLength(3);
    expect(gone).toEqual([{ kind: 'medication', id }]);
  });

  it('an older revision, by itself and in a list', async () => {
    const client = await freshDevice();
    const medication = { profileId: rex.id, route: 'oral', schedule: null, details: { name: 'Meloxicam' } };
    const first = await client.medications.create(medication);
    const older = await stored(`/api/medications/${first.id}`);
    const second = await client.medications.update(first, { details: { notes: 'half' } });
    tamperWith(/^\/api\/medications/, (row) => (row.id === first.id ? older : row));
    await expect(client.medications.get(first.id)).rejects.toMatchObject({ code: 'stale_revision' });
    await expect(client.medications.list()).rejects.toMatchObject({ code: 'stale_revision' });
    // The older content under the newer number, too.
    tamperWith(/^\/api\/medications/, (row) =>
      row.id === first.id ? { ...older, revision: second.revision } : row,
    );
    await expect(client.medications.get(first.id)).rejects.toMatchObject({ code: 'stale_revision' });
    proxy.tamper = undefined;
    expect(await client.medications.get(first.id)).toEqual(second);
    await client.medications.delete(second);
  });
});

it('plaintext fields that were changed are named', async () => {
  tamperWith(/^\/api\/(medications|profiles|appointments)/, (row) => ({
    ...row,
    ...('route' in row && { route: 'nasal', dose_schedule: { times_per_day: 9 } }),
    ...('status' in row && { status: 'cancelled' }),
    ...('relationship' in row && { kind: 'human' }),
  }));
  const client = await freshDevice();
  expect((await client.medications.get(medications[0].id)).altered).toEqual(['route', 'dose_schedule']);
  expect((await client.appointments.list())[0].altered).toEqual(['status']);
  expect((await client.profiles.list()).map((each) => each.altered)).toEqual([[], ['kind']]);
});

/** A liar that leaves one record out of a list. */
function shorten(path: string, id: string) {
  return (request: ProxiedRequest, answer: ProxiedAnswer): ProxiedAnswer =>
    request.path === path && answer.status === 200
      ? withBody(
          answer,
          JSON.parse(answer.text).filter((row: Row) => ![row.id, row.profile_id].includes(id)),
        )
      : answer;
}
