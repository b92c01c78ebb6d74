import type { HealthRecordsClient } from '../client';
import { utf8 } from '../encoding';
import { registered } from '../testing/fake-client';
import { FakeService } from '../testing/fake-service';
import { parseExportDocument, type ExportDocument } from './export-document';

let client: HealthRecordsClient;
let document: ExportDocument;

beforeAll(async () => {
  const account = await registered();
  client = account.client;
  const { profileId } = account;
  const medication = await client.medications.create({
    profileId,
    route: 'oral',
    schedule: { timesPerDay: 1, daysOfWeek: [1] },
    details: { name: 'Canarine', extra: { nested: true } },
  });
  await client.medications.logDose(medication.id, { taken: true, loggedAt: '2025-01-01T08:00:00Z' });
  await client.medications.logDose(medication.id, { taken: false, loggedAt: '2025-01-02T08:00:00Z' });
  await client.appointments.create({
    profileId,
    status: 'scheduled',
    details: { title: 'Check', startsAt: '2025-03-01T10:00:00Z' },
  });
  for (let value = 60; value < 70; value += 1) {
    await client.healthStats.create({
      profileId,
      details: { metric: 'weight', values: { value }, unit: 'kg' },
    });
  }
  await client.profiles.create({ kind: 'pet', relationship: 'cat', details: { name: 'Tom' } });
  document = await client.transfer.exportAll();
});

it('holds everything, readable', async () => {
  expect(document.profiles.map((each) => each.details.name)).toEqual(['Ada Canary', 'Tom']);
  const [ada] = document.profiles;
  expect(ada.medications[0]).toMatchObject({
    schedule: { timesPerDay: 1, daysOfWeek: [1] },
    doses: [{}, {}],
  });
  expect([ada.appointments.length, ada.healthStats.length]).toEqual([1, 10]);
  const readable = await client.transfer.exportReadable();
  expect(readable).toContain('"name": "Canarine"');
  const read = await client.transfer.readFile(utf8(readable));
  expect({ ...read, exportedAt: '' }).toEqual({ ...document, exportedAt: '' });
});

it('goes through an encrypted file into another account, and is the same there', async () => {
  const file = await client.transfer.exportEncrypted({ password: 'the password of the file' });
  const service = new FakeService();
  const { client: target } = await registered(service);
  await expect(target.transfer.readFile(file)).rejects.toMatchObject({ code: 'import_secret_wrong' });
  const read = await target.transfer.readFile(file, { password: 'the password of the file' });
  const progress: number[] = [];
  const report = await target.transfer.importAll(read, {
    onProgress: (done, total) => progress.push(done / total),
  });
  expect(report).toEqual({ created: 16, skipped: 0 });
  expect(progress.at(-1)).toBe(1);

  const copy = await target.transfer.exportAll();
  const sorted = (each: ExportDocument) =>
    JSON.stringify(each.profiles, (_key, value: unknown) =>
      Array.isArray(value)
        ? [...value].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
        : value,
    );
  const imported = { ...copy, profiles: copy.profiles.slice(1) };
  expect(sorted(imported)).toBe(sorted(document));
  expect(service.wire).not.toMatch(/canar/i);
});

it('can be repeated after an interruption: what is there is left as it is', async () => {
  const service = new FakeService();
  const { client: target } = await registered(service);
  const stop = new AbortController();
  const call = target.transfer.importAll(document, {
    signal: stop.signal,
    onProgress: (done) => done === 5 && stop.abort(new Error('closed')),
  });
  await expect(call).rejects.toThrow('closed');
  const report = await target.transfer.importAll(document);
  expect(report.created + report.skipped).toBe(16);
  expect(report.skipped).toBeGreaterThanOrEqual(5);
  expect(await target.medications.list()).toHaveLength(1);
  expect(await target.healthStats.list()).toHaveLength(10);
});

it.each<[string, (copy: any) => void]>([
  ['another format', (copy) => (copy.format = 'x')],
  ['no profiles', (copy) => delete copy.profiles],
  ['a profile without an id', (copy) => delete copy.profiles[0].id],
  ['an id with a path', (copy) => (copy.profiles[0].medications[0].id = '../x')],
  ['details that are text', (copy) => (copy.profiles[0].details = 'Ada')],
  ['a schedule of text', (copy) => (copy.profiles[0].medications[0].schedule = 'daily')],
  ['a dose without time', (copy) => (copy.profiles[0].medications[0].doses[0].loggedAt = 'then')],
])('refuses %s', (_what, change) => {
  const copy = structuredClone(document);
  change(copy);
  expect(() => parseExportDocument(copy as never)).toThrow(
    expect.objectContaining({ code: 'import_malformed' }),
  );
});

it('refuses a newer version, and what is no JSON', async () => {
  expect(() => parseExportDocument({ ...document, version: 2 } as never)).toThrow(
    expect.objectContaining({ code: 'import_version' }),
  );
  for (const text of ['', '{', '[]', 'null', '"x"']) {
    await expect(client.transfer.readFile(utf8(text))).rejects.toMatchObject({ code: 'import_malformed' });
  }
});
