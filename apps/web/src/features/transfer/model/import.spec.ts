import { newId } from '@app/client';
import { ADA, REX } from '../../../../../../libs/client/src/testing/example-profiles';
import { readCsv } from './csv-measurements';
import {
  holdingsOf,
  knownIn,
  likelyTarget,
  NEW_PERSON,
  planOf,
  profileOfRows,
  recordsIn,
} from './import-plan';
import { fileProblemOf, readIncoming } from './incoming-file';

const bytes = (text: string) => new TextEncoder().encode(text);
const read = (text: string) => readIncoming(bytes(text), 'Visit');
const document = {
  format: 'health-records-export',
  version: 1,
  exportedAt: '2026-11-22T12:00:00.000Z',
  profiles: [ADA, REX],
};

describe('a chosen file', () => {
  it('is the own export', async () => {
    expect(await read(JSON.stringify(document))).toEqual({
      from: 'own',
      exportedAt: document.exportedAt,
      profiles: [ADA, REX],
    });
  });

  it('is a bundle of FHIR', async () => {
    const patient = { resourceType: 'Patient', id: newId(), name: [{ text: 'Ada' }] };
    const bundle = { resourceType: 'Bundle', type: 'collection', entry: [{ resource: patient }] };
    expect(await read(`\n${JSON.stringify(bundle)}`)).toMatchObject({
      from: 'fhir',
      profiles: [{ id: patient.id, details: { name: 'Ada' } }],
      passedOver: [],
    });
  });

  it('is a table, in UTF-8 or as a spreadsheet of Windows writes it', async () => {
    expect(await read('date,weight\n2026-01-01,70')).toMatchObject({ from: 'csv' });
    const windows = Uint8Array.from([...bytes('Datum;Gr'), 0xf6, 0xdf, ...bytes('e\n1.1.2026;181')]);
    const incoming = await readIncoming(windows, 'Visit');
    const { rows } = readCsv((incoming as { text: string }).text, { now: new Date('2026-11-22') });
    expect(rows[0].reading!.details).toMatchObject({ metric: 'height', values: { value: 181 } });
  });

  it.each([
    ['{"format":"health-records-export","version":2}', 'import_version'],
    ['{"format":"health-records-export","version":1}', 'import_malformed'],
    ['{"a":1}', 'not_a_bundle'],
    ['{"a":', 'not_json'],
    ['PK\u0003\u0004\u0000\u0000', 'not_json'],
  ])('is refused by name: %s', async (text, code) => {
    const error: unknown = await read(text).catch((caught: unknown) => caught);
    expect(fileProblemOf(error)).toBe(code);
  });

  it('is refused where it is too large', async () => {
    const error: unknown = await readIncoming(new Uint8Array(50_000_001), 'Visit').catch(
      (caught: unknown) => caught,
    );
    expect(fileProblemOf(error)).toBe('too_large');
  });

  it('takes no error of the page for one of the file', () => {
    expect(fileProblemOf(new TypeError('x'))).toBeUndefined();
    expect(fileProblemOf({ code: 'empty' })).toBeUndefined();
  });
});

describe('the plan of an import', () => {
  it('counts what is there, and what is known', () => {
    expect(holdingsOf(ADA)).toEqual({ medicines: 4, doses: 2, visits: 4, stats: 11 });
    expect([recordsIn(ADA), recordsIn(REX)]).toEqual([21, 1]);
    expect(knownIn(ADA, new Set([ADA.medications[0].id, ADA.healthStats[3].id, 'other']))).toBe(2);
  });

  it('puts each profile where the person wants it', () => {
    expect([likelyTarget(ADA, [{ id: ADA.id }]), likelyTarget(ADA, [])]).toEqual([ADA.id, NEW_PERSON]);
    const targets = new Map([
      [ADA.id, NEW_PERSON],
      [REX.id, 'somebody'],
    ]);
    const { profiles } = planOf([ADA, REX], targets);
    expect(profiles.map(({ id }) => id)).toEqual([ADA.id, 'somebody']);
    expect(profiles[1].appointments).toEqual(REX.appointments);
  });

  it('gives the rows of a table the same ids again, and the same row once', async () => {
    const { rows } = readCsv('date,weight\n2026-01-01,70\n2026-01-01,70\n2026-01-02,\n2026-01-02,71', {
      now: new Date('2026-11-22'),
    });
    const [first, second] = [await profileOfRows(rows, ADA), await profileOfRows(rows, ADA)];
    expect(first).toEqual(second);
    expect(first.healthStats.map(({ details }) => details.values)).toEqual([{ value: 70 }, { value: 71 }]);
    expect((await profileOfRows(rows, REX)).healthStats[0].id).not.toBe(first.healthStats[0].id);
  });
});
