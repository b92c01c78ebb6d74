import { type HealthRecordsClient, historyOf, questionsOf } from '@app/client';
import { forEachTest } from '../support/devices';
import { type Person } from '../support/people';
import type { Proxy } from '../support/proxy';

/** Two honest devices that change one record: the later change stands, and the other one is asked for. */
let proxy: Proxy;
let person: Person;
let phone: HealthRecordsClient;
let tablet: HealthRecordsClient;

forEachTest((devices) => ({ proxy, person, phone, tablet } = devices));

const sync = async (...devices: HealthRecordsClient[]) => {
  for (const device of devices) await device.sync.now();
};
async function shared(details: Record<string, string> = {}) {
  const { id } = await phone.medications.create({
    profileId: person.profileId,
    route: 'oral',
    schedule: null,
    details: { name: 'Morphine', ...details },
  });
  await sync(phone, tablet);
  return id;
}
const edit = async (device: HealthRecordsClient, id: string, details: Record<string, string>) =>
  void (await device.medications.update(await device.medications.get(id), { details }));

it.each([
  ['the first', () => [phone, tablet, phone]],
  ['the later', () => [tablet, phone, tablet]],
])(
  'the later dose stands, when %s is synced first, whatever the service says of times',
  async (_which, order) => {
    const id = await shared({ strength: '10 mg' });
    proxy.tamper = (_request, answer) => ({
      ...answer,
      text: answer.text.replace(/"updated_at":"[^"]+"/g, '"updated_at":"2001-01-01T00:00:00.000Z"'),
    });
    await edit(phone, id, { strength: '15 mg' });
    await edit(tablet, id, { strength: '7.5 mg' });
    await sync(...order());
    await sync(phone, tablet);
    for (const device of [phone, tablet]) {
      const record = await device.medications.get(id);
      expect(record.details.strength).toBe('7.5 mg');
      const [question, ...others] = questionsOf(record);
      expect(others).toEqual([]);
      expect(question.fields).toEqual([{ field: 'details.strength', standing: '7.5 mg', other: '15 mg' }]);
      expect(Date.parse(question.otherAt!)).toBeLessThanOrEqual(Date.parse(question.standingAt!));
    }
    const record = await tablet.medications.get(id);
    await tablet.medications.answer(record, questionsOf(record)[0], 'standing');
    await sync(tablet, phone);
    const settled = await phone.medications.get(id);
    expect([settled.details.strength, questionsOf(settled)]).toEqual(['7.5 mg', []]);
    expect(historyOf(settled)).toMatchObject([{ field: 'details.strength', value: '15 mg' }]);
  },
);

it('name and instructions of two devices are never mixed, and notes of both are kept', async () => {
  const id = await shared({ instructions: '2 tablets up to 4 times a day' });
  await edit(phone, id, { name: 'Paracetamol', notes: 'for pain' });
  await edit(tablet, id, { instructions: '1 tablet at night', prescriber: 'Dr. Who' });
  await sync(phone, tablet, phone);
  const record = await phone.medications.get(id);
  expect(record.details).toMatchObject({
    name: 'Morphine',
    instructions: '1 tablet at night',
    notes: 'for pain',
    prescriber: 'Dr. Who',
  });
  expect(questionsOf(record)).toMatchObject([
    {
      unit: 'medicine',
      fields: expect.arrayContaining([
        { field: 'details.name', standing: 'Morphine', other: 'Paracetamol' },
      ]) as unknown,
    },
  ]);
});

it('a change that was replaced on its own device is no question any more', async () => {
  const id = await shared({ strength: '10 mg' });
  await edit(tablet, id, { strength: '5 mg' });
  await edit(phone, id, { strength: '15 mg' });
  await edit(phone, id, { strength: '20 mg' });
  await sync(tablet, phone, tablet);
  const record = await tablet.medications.get(id);
  expect(record.details.strength).toBe('20 mg');
  expect(questionsOf(record).map(({ fields }) => fields[0].other)).toEqual(['5 mg']);
});

it('allergies of two devices: the later list stands, and the other one is a question', async () => {
  const profile = async (device: HealthRecordsClient) => device.profiles.get(person.profileId);
  await phone.profiles.update(await profile(phone), {
    details: { allergies: [{ text: 'penicillin' }], notes: 'one' },
  });
  await tablet.profiles.update(await profile(tablet), { details: { allergies: [{ text: 'egg' }] } });
  await sync(phone, tablet, phone);
  for (const device of [phone, tablet]) {
    const merged = await profile(device);
    expect(merged.details).toMatchObject({ allergies: [{ text: 'egg' }], notes: 'one' });
    expect(questionsOf(merged)).toMatchObject([
      { unit: 'allergies', fields: [{ field: 'details.allergies', other: [{ text: 'penicillin' }] }] },
    ]);
  }
  const merged = await profile(tablet);
  await tablet.profiles.answer(merged, questionsOf(merged)[0], 'other');
  await sync(tablet, phone);
  expect((await profile(phone)).details.allergies).toEqual([{ text: 'penicillin' }]);
  expect(questionsOf(await profile(phone))).toEqual([]);
});

it.each([
  ['conditions', [{ text: 'asthma' }], [{ text: 'kidney failure' }]],
  ['weight', { kg: 12 }, { kg: 21 }],
  ['birthDate', '1970-01-02', '2017-02-01'],
])('%s of two devices are never mixed, and the other one is a question', async (field, one, other) => {
  const profile = async (device: HealthRecordsClient) => device.profiles.get(person.profileId);
  await phone.profiles.update(await profile(phone), { details: { [field]: one } });
  await tablet.profiles.update(await profile(tablet), { details: { [field]: other } });
  await sync(phone, tablet, phone);
  for (const device of [phone, tablet]) {
    const merged = await profile(device);
    expect(merged.details[field]).toEqual(other);
    expect(questionsOf(merged)).toMatchObject([
      { unit: field, fields: [{ field: `details.${field}`, other: one }] },
    ]);
  }
});

it('a reading of two devices keeps its value with its unit, and the other one is a question', async () => {
  const { id } = await phone.healthStats.create({
    profileId: person.profileId,
    recordedAt: '2026-11-20T08:00:00Z',
    details: { metric: 'weight', values: { value: 80 }, unit: 'kg' },
  });
  await sync(phone, tablet);
  const reading = async (device: HealthRecordsClient) => device.healthStats.get(id);
  await phone.healthStats.update(await reading(phone), {
    details: { values: { value: 176 }, unit: 'lb', note: 'with shoes' },
  });
  await tablet.healthStats.update(await reading(tablet), { details: { values: { value: 81 } } });
  await sync(phone, tablet, phone);
  for (const device of [phone, tablet]) {
    const merged = await reading(device);
    expect(merged.details).toMatchObject({ values: { value: 81 }, unit: 'kg', note: 'with shoes' });
    const [question, ...others] = questionsOf(merged);
    expect(others).toEqual([]);
    expect(question.unit).toBe('reading');
    expect(question.fields.map(({ field, other }) => [field, other]).sort()).toEqual([
      ['details.unit', 'lb'],
      ['details.values', { value: 176 }],
    ]);
  }
});
