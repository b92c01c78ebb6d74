import { generateRecoveryPhrase, inspectFile, localDate } from '@app/client';
import type { ExportDocument } from '@app/client';
import { anEmail } from '../support/factories';
import { aPerson, openClient, type Person } from '../support/people';
import { Proxy } from '../support/proxy';
import { type SharedService, sharedService } from '../support/service';

/** Everything out of one account of the real service, and into another one. */
let service: SharedService;
let ada: Person;
beforeAll(async () => {
  service = await sharedService();
  ada = await aPerson(service.api.url);
  const { client, profileId } = ada;
  const rex = await client.profiles.create({
    kind: 'pet',
    relationship: 'pet',
    details: { name: 'Rex', species: 'dog', chip: 'Größe 7 ☕' },
  });
  for (const owner of [profileId, rex.id]) {
    const medication = await client.medications.create({
      profileId: owner,
      route: 'oral',
      schedule: { timesPerDay: 2, daysOfWeek: ['mon', 3] },
      details: { name: 'Ibuprofen', notes: 'with food' },
    });
    await client.medications.logDose(medication.id, { taken: true, loggedAt: '2026-11-01T08:00:00Z' });
    await client.medications.logDose(medication.id, { taken: false, loggedAt: '2026-11-02T08:00:00Z' });
    await client.medications.create({
      profileId: owner,
      route: 'nasal',
      schedule: null,
      details: { name: 'Budesonide' },
    });
    for (const status of ['completed', 'scheduled'])
      await client.appointments.create({
        profileId: owner,
        status,
        details: { title: 'Check-up', startsAt: '2026-10-01T09:30:00+02:00' },
      });
    await client.healthStats.create({
      profileId: owner,
      recordedAt: '2026-11-01T07:00:00Z',
      details: { metric: 'weight', values: { value: 70.5 }, unit: 'kg' },
    });
  }
});

const withoutTime = ({ exportedAt: _exportedAt, ...document }: ExportDocument) => document;

it('an account leaves readable, with everything in it', async () => {
  const text = await ada.client.transfer.exportReadable();
  const document = JSON.parse(text) as ExportDocument;
  expect(localDate(new Date(document.exportedAt), 'UTC')).toBe(localDate(new Date(), 'UTC'));
  expect(document.profiles.map(({ details }) => details.name)).toEqual(['Ada', 'Rex']);
  for (const { medications, appointments, healthStats } of document.profiles) {
    expect(medications).toMatchObject([
      { route: 'nasal', schedule: null, details: { name: 'Budesonide' }, doses: [] },
      {
        route: 'oral',
        schedule: { timesPerDay: 2, daysOfWeek: ['mon', 3] },
        details: { name: 'Ibuprofen', notes: 'with food' },
        doses: [{ taken: false }, { taken: true, loggedAt: '2026-11-01T08:00:00.000Z' }],
      },
    ]);
    expect([appointments, healthStats]).toMatchObject([
      [{ status: 'scheduled' }, { status: 'completed' }],
      [{ details: { unit: 'kg' } }],
    ]);
  }
});

it('an export in pages is the same', async () => {
  const [whole, paged] = [
    await ada.client.transfer.exportAll(),
    await ada.client.transfer.exportAll({ pageSize: 1 }),
  ];
  expect(withoutTime(paged)).toEqual(withoutTime(whole));
});

it('a readable file enters another account, in the same order, under the same ids and its own keys', async () => {
  const client = openClient(service.api.url);
  await client.register({ email: anEmail(), password: ada.password, recoveryPhrase: null });
  const file = new TextEncoder().encode(await ada.client.transfer.exportReadable());
  const document = await client.transfer.readFile(file);
  const progress: number[] = [];
  const report = await client.transfer.importAll(document, {
    onProgress: (done, total) => progress.push(done / total),
  });
  expect(report).toEqual({ created: 16, skipped: 0 });
  expect([progress.length, progress.at(-1)]).toEqual([16, 1]);
  expect(withoutTime(await client.transfer.exportAll())).toEqual(withoutTime(document));
});

it('an encrypted file opens with its own password, and with nothing else', async () => {
  const file = await ada.client.transfer.exportEncrypted({ password: 'the password of the file' });
  expect(inspectFile(file)).toBeDefined();
  const text = Buffer.from(file).toString('latin1');
  expect(text).not.toMatch(/Ada|Rex|Ibuprofen|medication/);
  const { transfer } = ada.client;
  expect(withoutTime(await transfer.readFile(file, { password: 'the password of the file' }))).toEqual(
    withoutTime(await transfer.exportAll()),
  );
  for (const secret of [
    undefined,
    { password: ada.password },
    { recoveryPhrase: await generateRecoveryPhrase() },
  ])
    await expect(transfer.readFile(file, secret)).rejects.toMatchObject({ code: 'import_secret_wrong' });
});

it('an encrypted file opens with a phrase', async () => {
  const recoveryPhrase = await generateRecoveryPhrase();
  const file = await ada.client.transfer.exportEncrypted({ recoveryPhrase });
  const typed = { recoveryPhrase: recoveryPhrase.toUpperCase() };
  expect((await ada.client.transfer.readFile(file, typed)).profiles).toHaveLength(2);
});

it('an import that broke off is repeated, and nothing is there twice', async () => {
  const proxy = await Proxy.start(service.api.url);
  try {
    const document = await ada.client.transfer.exportAll();
    const { client } = await aPerson(proxy.url, {}, { retry: { attempts: 1 } });
    let creates = 0;
    proxy.tamper = (request, answer) => {
      const isCreate = request.method === 'POST' && answer.status === 201;
      return isCreate && (creates += 1) === 5 ? Promise.reject(new Error('lost')) : answer;
    };
    await expect(client.transfer.importAll(document)).rejects.toMatchObject({ code: 'network_failed' });
    proxy.tamper = undefined;
    const report = await client.transfer.importAll(document);
    expect(report.created + report.skipped).toBe(16);
    expect(report.skipped).toBeGreaterThanOrEqual(5);
    const { profiles } = withoutTime(await client.transfer.exportAll());
    expect(profiles.slice(1)).toEqual(withoutTime(document).profiles);
  } finally {
    await proxy.stop();
  }
});
