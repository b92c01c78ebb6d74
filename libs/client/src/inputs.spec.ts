import type { HealthRecordsClient } from './client';
import * as errors from './errors';
import { isCalendarDate, toCamelCase } from './inputs';
import { clientOf, registered } from './testing/fake-client';
import type { FakeService } from './testing/fake-service';

/** Mistakes in the code of a page: each is refused by name, before anything is sent. */
let service: FakeService;
let client: HealthRecordsClient;
let profileId: string;
beforeAll(async () => {
  ({ service, client, profileId } = await registered());
});
afterEach(() => {
  service.intercept = service.tamper = undefined;
});

const medication = (details = {}) => ({
  profileId,
  route: 'oral',
  schedule: null,
  details: { name: 'Ibuprofen', ...details },
});
const visit = (details = {}) => ({
  profileId,
  status: 'scheduled',
  details: { title: 'Check-up', startsAt: '2026-12-01T09:30:00+01:00', ...details },
});
/** As JavaScript calls it. */
const loosely = () => client as any;

describe.each<[string, () => Promise<unknown>, string]>([
  ['endDate', () => client.medications.create(medication({ endDate: '2026-13-01' })), 'endDate'],
  [
    'endDate of another form',
    () => client.medications.create(medication({ endDate: '01.12.2026' })),
    'endDate',
  ],
  ['startDate', () => client.medications.create(medication({ startDate: '2026-02-30' })), 'startDate'],
  ['a new medication', () => loosely().medications.create({ ...medication(), shedule: null }), 'shedule'],
  ['an option', () => loosely().medications.list({}, { pagesize: 3 }), 'pagesize'],
  ['an option of a login', () => loosely().login('a@b', 'a password', { devicelabel: 'x' }), 'devicelabel'],
  ['a filter', () => loosely().medications.list({ profileid: profileId }), 'profileid'],
  ['a filter of readings', () => loosely().healthStats.list({ from: '2026-01-01' }), 'from'],
  [
    'a trend',
    () => loosely().healthStats.trend({ profileId, metric: 'weight', timezone: 'UTC' }),
    'timezone',
  ],
  ['a profile', () => loosely().profiles.create({ name: 'Rex', details: { name: 'Rex' } }), 'name'],
  ['a registration', () => loosely().register({ mail: 'a@b', password: 'x' }), 'mail'],
  ['a check', () => loosely().interactions.check({ medications: ['x'], specie: 'dog' }), 'specie'],
  ['a client', () => Promise.resolve().then(() => clientOf(service, { baseURL: 'x' } as never)), 'baseURL'],
  ['a status', () => client.appointments.create({ ...visit(), status: 'shceduled' }), 'scheduled'],
  [
    'a start without an offset',
    () => client.appointments.create(visit({ startsAt: '2026-12-01T09:30' })),
    'offset',
  ],
  [
    'a start that is no time',
    () => client.appointments.create(visit({ startsAt: '2026-99-01T09:30:00Z' })),
    'start',
  ],
])('%s', (_what, call, named) => {
  it('is refused by name, and nothing is sent', async () => {
    const before = service.requests.length;
    const failure = (await call().catch((error: unknown) => error)) as Error;
    expect(failure).toMatchObject({ code: 'invalid_argument', message: expect.stringContaining(named) });
    expect(service.requests).toHaveLength(before);
  });
});

it('details keep members of the page, and stored values of other clients can be changed and imported', async () => {
  const kept = await client.medications.restore(medication({ endDate: 'in spring', mine: { a: [1] } }));
  const updated = await client.medications.update(kept, { route: 'nasal' });
  expect(updated.details).toEqual({ name: 'Ibuprofen', endDate: 'in spring', mine: { a: [1] } });
  await expect(client.medications.update(updated, { details: { endDate: 'soon' } })).rejects.toMatchObject({
    code: 'invalid_argument',
  });
  const odd = await client.appointments.restore({ ...visit(), status: 'postponed' });
  expect((await client.appointments.update(odd, { details: { notes: 'x' } })).status).toBe('postponed');
});

it('a medicine whose end cannot be read is checked, one that has ended is not', async () => {
  const check = jest.fn(() => []);
  const device = clientOf(service, {
    interactionEngine: () => ({ check, checkNew: () => [], resolve: () => [] }),
  });
  await device.login('ada@example.org', 'correct horse battery staple');
  await device.medications.restore(medication({ name: 'Unclear', endDate: '31/12/2020' }));
  await device.medications.create(medication({ name: 'Ended', endDate: '2020-12-31' }));
  await device.checkInteractionsOf(profileId);
  const { medications } = (check.mock.calls as unknown as [{ medications: string[] }][])[0][0];
  expect(medications).toContain('Unclear');
  expect(medications).not.toContain('Ended');
});

it('times are taken as Date or text, and the clock of the device gives the time of a dose', async () => {
  const at = new Date('2026-11-01T08:00:00Z');
  const reading = {
    profileId,
    recordedAt: at,
    details: { metric: 'weight', values: { value: 80 }, unit: 'kg' },
  };
  const stored = await client.healthStats.create(reading);
  expect(stored.recordedAt).toBe(at.toISOString());
  const later = new Date('2026-11-02T08:00:00Z');
  expect((await client.healthStats.update(stored, { recordedAt: later })).recordedAt).toBe(
    later.toISOString(),
  );
  const made = await client.appointments.create(visit({ startsAt: at }));
  expect(made.details.startsAt).toBe(at.toISOString());
  const { id } = await client.medications.create(medication());
  expect((await client.medications.logDose(id, { taken: true, loggedAt: at })).loggedAt).toBe(
    at.toISOString(),
  );
  const before = Date.now();
  const { loggedAt } = await client.medications.logDose(id, { taken: true });
  expect(Date.parse(loggedAt)).toBeGreaterThanOrEqual(before);
  expect(Date.parse(loggedAt)).toBeLessThanOrEqual(Date.now());
});

it('the time zone of the device is the default, for adherence too', async () => {
  const { id } = await client.medications.create(medication());
  await client.medications.adherence(id).catch(() => undefined);
  expect(service.requests.at(-1)!.query.get('tz')).toBe(Intl.DateTimeFormat().resolvedOptions().timeZone);
});

it('errors have their own name in a bundle whose classes are renamed', () => {
  for (const [name, type] of Object.entries(errors)) {
    if (name === 'HealthRecordsError' || !/^[A-Z]/.test(name)) continue;
    const renamed = class f extends (type as unknown as new (...values: unknown[]) => Error) {};
    expect(new renamed({ status: 400, code: 'x' }, {}, []).name).toBe(name);
  }
});

it.each([
  ['2024-02-29', true],
  ['2023-02-29', false],
  ['2023-2-9', false],
  [20230209, false],
])('%p is a calendar date: %p', (value, isDate) => expect(isCalendarDate(value)).toBe(isDate));

it('names of members in camelCase, values as they are', () => {
  const finding = {
    rule_id: 'a_b',
    in_short: { what_to_do: 'x_y' },
    partners: [{ is_class: true }],
    kind: 'a_b',
  };
  expect(toCamelCase(finding)).toEqual({
    ruleId: 'a_b',
    inShort: { whatToDo: 'x_y' },
    partners: [{ isClass: true }],
    kind: 'a_b',
  });
});
