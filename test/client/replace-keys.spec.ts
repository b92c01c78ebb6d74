import { generateRecoveryPhrase, type HealthRecordsClient } from '@app/client';
import { forEachTest } from '../support/devices';
import { openClient, type Person } from '../support/people';
import type { Proxy } from '../support/proxy';

/** After a theft: another account key, other profile keys, another password and other words, and all records sealed anew. */
let proxy: Proxy;
let person: Person;
let phone: HealthRecordsClient;
let tablet: HealthRecordsClient;

forEachTest((devices) => ({ proxy, person, phone, tablet } = devices));

const NEW_PASSWORD = 'another long password of the family';
const sync = async (...devices: HealthRecordsClient[]) => {
  for (const device of devices) await device.sync.now();
};
const aMedicine = (device: HealthRecordsClient, name: string) =>
  device.medications.create({
    profileId: person.profileId,
    route: 'oral',
    schedule: null,
    details: { name },
  });
const namesOf = async (device: HealthRecordsClient) =>
  (await device.medications.list()).map(({ details }) => details.name).sort();
const problemsOf = ({ sync: { status } }: HealthRecordsClient) => [status.failure, status.problems];

async function rotate(device = phone, wasStolen = false): Promise<string> {
  const recoveryPhrase = await generateRecoveryPhrase();
  const currentPassword = person.password;
  await device.rotateKeys({ currentPassword, newPassword: NEW_PASSWORD, recoveryPhrase, wasStolen });
  return recoveryPhrase;
}

/** What the service stores of the account, as it gives it to a device. */
async function stored(device: HealthRecordsClient): Promise<any[]> {
  const { body } = await device.request({ method: 'GET', path: '/api/sync' });
  return (body as any).changes;
}

it('seals all records anew, on the device that replaced the keys, and every device reads them', async () => {
  const medicine = await aMedicine(phone, 'Warfarin');
  await phone.healthStats.create({
    profileId: person.profileId,
    recordedAt: new Date().toISOString(),
    details: { metric: 'weight', values: { value: 70 }, unit: 'kg' },
  });
  await phone.medications.logDose(medicine.id, { taken: true });
  await sync(phone, tablet);
  const before = await stored(phone);
  await rotate();
  await sync(phone);
  expect(problemsOf(phone)).toEqual([null, []]);
  const after = await stored(phone);
  for (const { id, record } of before) {
    const now = after.find((each) => each.id === id).record;
    const [was, is] = [record, now].map((each) => each.encrypted_data ?? each.proof ?? each.name_data);
    expect(is).not.toEqual(was);
  }
  expect(await namesOf(phone)).toEqual(['Warfarin']);
  expect((await phone.medications.doses(medicine.id)).map(({ confirmed }) => confirmed)).toEqual([true]);

  const fresh = openClient(proxy.url);
  await fresh.login(person.email, NEW_PASSWORD);
  expect(await namesOf(fresh)).toEqual(['Warfarin']);
  expect((await fresh.medications.doses(medicine.id)).map(({ confirmed }) => confirmed)).toEqual([true]);
});

it('attack 11: ends the other sessions; the other device goes on after a sign-in, and sends what it had not sent', async () => {
  const medicine = await aMedicine(phone, 'Warfarin');
  const other = await aMedicine(phone, 'Calcium');
  const third = await aMedicine(phone, 'Iron');
  await sync(phone, tablet);
  await aMedicine(tablet, 'Insulin');
  await tablet.medications.update(await tablet.medications.get(medicine.id), {
    details: { notes: 'at night' },
  });
  await tablet.medications.delete(await tablet.medications.get(other.id));
  await tablet.medications.logDose(third.id, { taken: true });
  const child = await tablet.profiles.create({ details: { name: 'Lena' } });
  await tablet.medications.create({
    profileId: child.id,
    route: 'oral',
    schedule: null,
    details: { name: 'Calpol' },
  });
  await rotate();
  await sync(phone);
  await expect(tablet.account()).rejects.toMatchObject({ code: 'session_ended' });
  await tablet.login(person.email, NEW_PASSWORD);
  await sync(tablet);
  expect(problemsOf(tablet)).toEqual([null, []]);
  expect(tablet.sync.status.pending).toBe(0);
  await sync(phone);
  expect(await namesOf(phone)).toEqual(['Calpol', 'Insulin', 'Iron', 'Warfarin']);
  expect((await phone.medications.get(medicine.id)).details.notes).toBe('at night');
  expect((await phone.medications.doses(third.id)).map(({ confirmed }) => confirmed)).toEqual([true]);
  expect((await phone.profiles.list()).map(({ details }) => details.name)).toContain('Lena');
  expect(problemsOf(phone)).toEqual([null, []]);
});

describe('attack 11: a stop at any moment', () => {
  /** The steps of a replacement that change something in the service. */
  const STEPS = ['rotate-keys', 'reseal', 'reseal', 'profiles'];

  it.each(
    STEPS.flatMap((_, at) => [
      [at, 'before the service hears of it'],
      [at, 'after the service has done it'],
    ]),
  )('at change %s, %s: another device goes on, and it ends once', async (at, when) => {
    const medicine = await aMedicine(phone, 'Warfarin');
    await phone.medications.logDose(medicine.id, { taken: true });
    await sync(phone, tablet);
    await aMedicine(tablet, 'Insulin');
    let left = Number(at);
    const isKilled = ({ method, path }: { method: string; path: string }) =>
      method !== 'GET' && STEPS.some((step) => path.includes(step)) && left-- <= 0;
    const dead = Promise.reject(new Error('cut'));
    dead.catch(() => undefined);
    if (when.startsWith('before')) proxy.hold = (request) => (isKilled(request) ? dead : undefined);
    else proxy.tamper = (request, answer) => (isKilled(request) ? dead : answer);
    await rotate().catch(() => undefined);
    await phone.sync.now().catch(() => undefined);
    expect(left).toBeLessThan(0);
    proxy.mend();

    const signIn = async (device: HealthRecordsClient) =>
      device.login(person.email, NEW_PASSWORD).catch(() => device.login(person.email, person.password));
    await signIn(tablet);
    await sync(tablet);
    expect(problemsOf(tablet)).toEqual([null, []]);
    await signIn(phone);
    await sync(phone, tablet, phone);
    for (const device of [phone, tablet]) {
      expect(problemsOf(device)).toEqual([null, []]);
      expect(device.sync.status.pending).toBe(0);
      expect(await namesOf(device)).toEqual(['Insulin', 'Warfarin']);
      expect((await device.medications.doses(medicine.id)).map(({ confirmed }) => confirmed)).toEqual([true]);
    }
    const resealed = proxy.calls('POST /api/reseal').length;
    await sync(phone, tablet);
    expect(proxy.calls('POST /api/reseal').length).toBe(resealed);
  });
});

describe('the words and the second replacement', () => {
  it('the new words open the account, the old ones do not', async () => {
    const first = await generateRecoveryPhrase();
    await phone.setRecoveryPhrase(person.password, first);
    const words = await rotate();
    await aMedicine(phone, 'Warfarin');
    await sync(phone);
    const fresh = openClient(proxy.url);
    const third = 'a third long password of the family';
    await expect(fresh.recover(person.email, first, third)).rejects.toMatchObject({
      code: 'recovery_failed',
    });
    expect(await fresh.verifyRecoveryPhrase(person.email, words)).toBe(true);
    await fresh.recover(person.email, words, third);
    expect(await namesOf(fresh)).toEqual(['Warfarin']);
    const another = openClient(proxy.url);
    await another.login(person.email, third);
    expect(await namesOf(another)).toEqual(['Warfarin']);
  });

  it('words that are set after it open the account, too, and so does another password or email', async () => {
    await aMedicine(phone, 'Warfarin');
    await rotate();
    await sync(phone);
    const words = await generateRecoveryPhrase();
    const [third, fourth] = ['a third long password of the family', 'a fourth long password of the family'];
    await phone.setRecoveryPhrase(NEW_PASSWORD, words);
    await phone.changePassword(NEW_PASSWORD, third);
    const email = `new.${person.email}`;
    await phone.changeEmail(email, third);
    const fresh = openClient(proxy.url);
    await fresh.recover(email, words, fourth);
    expect(await namesOf(fresh)).toEqual(['Warfarin']);
    fresh.lock();
    await fresh.unlock(fourth);
    expect(await namesOf(fresh)).toEqual(['Warfarin']);
  });

  it('a change that waits for a person is sealed anew on the very device, and can be sent afterwards', async () => {
    const medicine = await aMedicine(phone, 'Warfarin');
    await sync(phone);
    await aMedicine(phone, 'Insulin');
    await phone.medications.update(await phone.medications.get(medicine.id), {
      details: { notes: 'at night' },
    });
    proxy.tamper = ({ method, path }, answer) =>
      method === 'POST' && path.startsWith('/api/medications')
        ? { ...answer, status: 409, text: JSON.stringify({ code: 'quota_exceeded', error: 'Full.' }) }
        : answer;
    await sync(phone);
    const waiting = phone.sync.status.problems.map(({ code }) => code);
    expect(waiting).toEqual(['quota_exceeded', 'quota_exceeded']);
    await rotate();
    await sync(phone);
    proxy.mend();
    for (const { id } of phone.sync.status.problems) await phone.sync.resolve(id, 'retry');
    await sync(phone);
    expect(problemsOf(phone)).toEqual([null, []]);
    const web = openClient(proxy.url);
    await web.login(person.email, NEW_PASSWORD);
    expect(await namesOf(web)).toEqual(['Insulin', 'Warfarin']);
    expect((await web.medications.get(medicine.id)).details.notes).toBe('at night');
  });

  it('an export of the time in between holds no former key', async () => {
    await aMedicine(phone, 'Warfarin');
    await sync(phone);
    proxy.hold = ({ path }) => (path.includes('reseal') ? Promise.reject(new Error('cut')) : undefined);
    await rotate();
    await phone.sync.now().catch(() => undefined);
    const { changes } = (await phone.request({ method: 'GET', path: '/api/sync' })).body as any;
    expect(changes.length).toBeGreaterThan(1);
    expect(await phone.transfer.exportReadable()).not.toMatch(/keyChain|wrapped/);
  });

  it('a second one before all is sealed anew keeps every former key', async () => {
    await aMedicine(phone, 'Warfarin');
    await sync(phone);
    proxy.hold = ({ path }) => (path.includes('reseal') ? Promise.reject(new Error('cut')) : undefined);
    await rotate();
    await phone.sync.now().catch(() => undefined);
    const recoveryPhrase = await generateRecoveryPhrase();
    const newPassword = 'a third long password of the family';
    await phone.rotateKeys({ currentPassword: NEW_PASSWORD, newPassword, recoveryPhrase, wasStolen: true });
    // Devices without a store read with the former keys, too.
    const web = openClient(proxy.url);
    await web.login(person.email, newPassword);
    expect(await namesOf(web)).toEqual(['Warfarin']);
    proxy.mend();
    await sync(phone);
    expect(problemsOf(phone)).toEqual([null, []]);
    expect(await namesOf(phone)).toEqual(['Warfarin']);
  });

  it('a device two replacements behind keeps its records, and says that its unsent changes do not open', async () => {
    await aMedicine(phone, 'Warfarin');
    await sync(phone, tablet);
    await aMedicine(tablet, 'Insulin');
    await rotate();
    await sync(phone);
    const recoveryPhrase = await generateRecoveryPhrase();
    const newPassword = 'a third long password of the family';
    await phone.rotateKeys({ currentPassword: NEW_PASSWORD, newPassword, recoveryPhrase, wasStolen: false });
    await sync(phone);
    await tablet.login(person.email, newPassword);
    await sync(tablet);
    expect(tablet.sync.status.problems).toEqual([expect.objectContaining({ code: 'access_ended' })]);
    await tablet.sync.resolve(tablet.sync.status.problems[0].id, 'discard');
    await sync(tablet);
    expect(problemsOf(tablet)).toEqual([null, []]);
    expect(await namesOf(tablet)).toEqual(['Warfarin']);
  });

  it('replaces nothing while the service withholds a profile: it would open nowhere afterwards', async () => {
    const child = await phone.profiles.create({ details: { name: 'Lena' } });
    await sync(phone);
    proxy.tamper = ({ path, method }, answer) => {
      if (method !== 'GET' || path !== '/api/profiles') return answer;
      const shown = (JSON.parse(answer.text) as { profile_id: string }[]).filter(
        ({ profile_id }) => profile_id !== child.id,
      );
      return { ...answer, text: JSON.stringify(shown) };
    };
    await expect(rotate()).rejects.toMatchObject({ code: 'records_missing' });
    proxy.mend();
    expect(
      proxy.calls('POST /api/users/me/rotate-keys').filter(({ text }) => text.includes(child.id)),
    ).toEqual([]);
    await rotate();
    await sync(phone);
    expect((await phone.profiles.list()).map(({ details }) => details.name)).toEqual(['Ada', 'Lena']);
  });

  it('keeps the former keys while there are records of a kind that the client does not know', async () => {
    await aMedicine(phone, 'Warfarin');
    await sync(phone);
    proxy.tamper = ({ path }, answer) => {
      if (path !== '/api/sync') return answer;
      const page = JSON.parse(answer.text);
      page.changes.push({ kind: 'allergy', id: person.profileId, record: { id: person.profileId } });
      return { ...answer, text: JSON.stringify(page) };
    };
    await rotate();
    await sync(phone, phone);
    const isChained = () => proxy.calls(`PUT /api/profiles/${person.profileId}`).length;
    const before = isChained();
    await sync(phone);
    expect(isChained()).toBe(before);
    const resealed = proxy.calls('POST /api/reseal').length;
    await sync(phone);
    expect(proxy.calls('POST /api/reseal').length).toBe(resealed);
    expect(await namesOf(phone)).toEqual(['Warfarin']);
  });

  it('changes nothing for a wrong password, and names what is wrong', async () => {
    await aMedicine(phone, 'Warfarin');
    await sync(phone, tablet);
    const recoveryPhrase = await generateRecoveryPhrase();
    const wrong = { currentPassword: 'wrong', newPassword: NEW_PASSWORD, recoveryPhrase, wasStolen: false };
    await expect(phone.rotateKeys(wrong)).rejects.toMatchObject({ code: 'password_wrong' });
    await expect(
      phone.rotateKeys({ ...wrong, currentPassword: person.password, newPassword: 'passwordpassword' }),
    ).rejects.toMatchObject({ code: 'secret_weak' });
    await expect(openClient(proxy.url).rotateKeys(wrong)).rejects.toMatchObject({ code: 'invalid_argument' });
    await sync(phone, tablet);
    expect(problemsOf(tablet)).toEqual([null, []]);
  });
});

describe('attack 10: a service that shows what was before', () => {
  /** Answers of before the replacement, by path. */
  async function before(...paths: string[]): Promise<Map<string, string>> {
    const answers = await Promise.all(paths.map((path) => phone.request({ method: 'GET', path } as never)));
    return new Map(paths.map((path, at) => [path, JSON.stringify(answers[at].body)]));
  }
  const show = (old: ReadonlyMap<string, string>) => {
    proxy.tamper = ({ method, url }, answer) => {
      const text = method === 'GET' ? old.get(url) : undefined;
      return text === undefined ? answer : { ...answer, text };
    };
  };

  it('the old wrap at a sign-in does not open', async () => {
    const me = (await phone.request({ method: 'GET', path: '/api/users/me' })).body as any;
    await rotate();
    proxy.tamper = ({ path }, answer) =>
      path === '/api/auth/login'
        ? {
            ...answer,
            text: JSON.stringify({
              ...JSON.parse(answer.text),
              wrapped_dek: me.wrapped_dek,
              wrapped_dek_iv: me.wrapped_dek_iv,
            }),
          }
        : answer;
    await expect(openClient(proxy.url).login(person.email, NEW_PASSWORD)).rejects.toMatchObject({
      code: 'tampered',
    });
  });

  it('an old profile does not open, on a device with a copy and on one without', async () => {
    await sync(phone, tablet);
    const path = `/api/profiles/${person.profileId}`;
    const old = await before(path, '/api/profiles');
    await rotate();
    await sync(phone);
    show(old);
    const web = openClient(proxy.url);
    await web.login(person.email, NEW_PASSWORD);
    await expect(web.profiles.get(person.profileId)).rejects.toMatchObject({ code: 'key_mismatch' });
    await sync(phone, phone);
    expect((await phone.profiles.list()).map(({ details }) => details.name)).toEqual(['Ada']);
  });

  it('an old trust book does not open under the new key', async () => {
    await rotate();
    const first = (await phone.request({ method: 'GET', path: '/api/trust-book' })).body as any;
    const recoveryPhrase = await generateRecoveryPhrase();
    const newPassword = 'a third long password of the family';
    const second = { currentPassword: NEW_PASSWORD, newPassword, recoveryPhrase, wasStolen: false };
    proxy.tamper = ({ method, path }, answer) =>
      method === 'GET' && path === '/api/trust-book'
        ? { ...answer, text: JSON.stringify({ ...first, revision: 0, encrypted_data: '' }) }
        : answer;
    await expect(phone.rotateKeys(second)).rejects.toMatchObject({ code: 'rolled_back' });
    proxy.mend();
    await phone.rotateKeys(second);
    proxy.tamper = ({ method, path }, answer) =>
      method === 'GET' && path === '/api/trust-book' ? { ...answer, text: JSON.stringify(first) } : answer;
    await expect(
      phone.rotateKeys({ ...second, currentPassword: newPassword, newPassword: NEW_PASSWORD }),
    ).rejects.toMatchObject({ code: 'tampered' });
  });

  it('an old record is refused once all is sealed anew, even where the service brings the former keys back', async () => {
    const { id } = await aMedicine(phone, 'Warfarin');
    await sync(phone);
    const path = `/api/medications/${id}`;
    const old = JSON.parse((await before(path)).get(path)!);
    let chained: string | undefined;
    let isReplaced = false;
    proxy.tamper = ({ method, path: asked }, answer) => {
      isReplaced ||= method === 'POST' && asked.endsWith('rotate-keys');
      if (isReplaced && asked === '/api/sync' && !chained && answer.text.includes('"kind":"profile"'))
        chained = answer.text;
      return answer;
    };
    await rotate();
    await sync(phone);
    const profile = JSON.parse(chained!).changes.find(
      ({ kind }: { kind: string }) => kind === 'profile',
    ).record;
    const web = openClient(proxy.url);
    await web.login(person.email, NEW_PASSWORD);
    await web.profiles.list();
    const lie = (from: RegExp, record: { revision: number }) => {
      proxy.tamper = ({ method, path: asked }, answer) => {
        if (method !== 'GET' || !from.test(asked)) return answer;
        const { revision } = JSON.parse(answer.text);
        return { ...answer, text: JSON.stringify({ ...record, revision: revision + 1 }) };
      };
    };
    lie(/medications/, old);
    await expect(web.medications.get(id)).rejects.toMatchObject({ code: 'tampered' });
    lie(/profiles/, profile);
    await expect(web.profiles.get(person.profileId)).rejects.toMatchObject({ code: 'rolled_back' });
    lie(/medications/, old);
    await expect(web.medications.get(id)).rejects.toMatchObject({ code: 'tampered' });
  });
});
