import type { Bundle, FhirResource } from 'fhir/r4';
import { ADA, PLANS, REX } from '../testing/example-profiles';
import { fhirProblems } from '../testing/fhir-validators';
import { exportFhir } from './bundle-export';
import { importFhir, parseBundle } from './bundle-import';

const options = {
  now: new Date('2026-11-22T12:00:00Z'),
  today: '2026-11-22',
  language: 'en',
  titles: {
    document: 'Summary of Ada Canary',
    medicines: 'Medicines',
    allergies: 'Allergies',
    problems: 'Conditions',
    immunizations: 'Vaccinations',
    vitals: 'Measurements',
    plan: 'Visits',
    nothing: 'Nothing <known> & written',
  },
};

const of = <T extends FhirResource['resourceType']>(bundle: Bundle, kind: T) =>
  bundle
    .entry!.map(({ resource }) => resource!)
    .filter(
      (resource): resource is Extract<FhirResource, { resourceType: T }> => resource.resourceType === kind,
    );

/** What another program makes of a file: everything passes through text. */
const reread = async (bundle: Bundle) => importFhir(parseBundle(JSON.stringify(bundle)), 'Visit');

describe('the export as FHIR R4', () => {
  it.each([ADA, PLANS, REX])('is valid for two independent validators (%#)', async (profile) => {
    expect(fhirProblems(await exportFhir(profile, options))).toEqual([]);
  });

  it.each<[string, (bundle: Bundle) => void]>([
    ['a status that is no code', (bundle) => (of(bundle, 'Observation')[0].status = 'done' as never)],
    ['a missing member', (bundle) => delete (of(bundle, 'MedicationStatement')[0] as any).status],
    ['an unknown member', (bundle) => ((of(bundle, 'Patient')[0] as any).shoeSize = 39)],
    ['a number as a text', (bundle) => (of(bundle, 'Observation')[0].valueQuantity!.value = '72.5' as never)],
    ['a date that is none', (bundle) => (of(bundle, 'Patient')[0].birthDate = '10.12.1951')],
    ['a resource of no kind', (bundle) => ((bundle.entry![3].resource as any).resourceType = 'Thing')],
  ])('would be refused with %s', async (_what, plant) => {
    const bundle = await exportFhir(ADA, options);
    plant(bundle);
    expect(fhirProblems(bundle)).not.toEqual([]);
  });

  it('is a summary: a composition first, then all that its sections name', async () => {
    const bundle = await exportFhir(ADA, options);
    expect(bundle.type).toBe('document');
    const [composition] = of(bundle, 'Composition');
    expect(bundle.entry![0].resource).toBe(composition);
    const named = composition.section!.flatMap(({ entry }) =>
      (entry ?? []).map(({ reference }) => reference),
    );
    const urls = bundle.entry!.map(({ fullUrl }) => fullUrl);
    expect(named.length).toBe(4 + 2 + 1 + 1 + 11 + 3);
    expect(named.filter((url) => !urls.includes(url))).toEqual([]);
    expect(new Set(urls).size).toBe(urls.length);
  });

  it('has LOINC and UCUM codes, both blood pressures as components', async () => {
    const bundle = await exportFhir(ADA, options);
    const codes = of(bundle, 'Observation').map(({ code, valueQuantity, component }) => [
      code.coding?.[0].code ?? code.text,
      valueQuantity?.code ??
        valueQuantity?.unit ??
        component!.map((each) => [each.code.coding?.[0].code, each.valueQuantity!.code]),
    ]);
    expect(codes).toEqual([
      ['29463-7', 'kg'],
      [
        '85354-9',
        [
          ['8480-6', 'mm[Hg]'],
          ['8462-4', 'mm[Hg]'],
        ],
      ],
      ['8867-4', '/min'],
      ['8310-5', '[degF]'],
      ['15074-8', 'mmol/L'],
      ['2339-0', 'mg/dL'],
      ['2708-6', '%'],
      ['9279-1', '/min'],
      ['8302-2', 'cm'],
      ['Steps', 'steps'],
      [
        'Grip',
        [
          [undefined, 'kg'],
          [undefined, 'kg'],
        ],
      ],
    ]);
  });

  it('tells how a medicine is taken', async () => {
    const statements = of(await exportFhir(ADA, options), 'MedicationStatement');
    expect(statements.map(({ status }) => status)).toEqual(['active', 'on-hold', 'completed', 'active']);
    expect(statements[0]).toMatchObject({
      medicationCodeableConcept: { text: 'Ibuprofen 400 mg' },
      effectivePeriod: { start: '2026-10-01' },
      dosage: [
        {
          text: 'With food',
          asNeededBoolean: false,
          timing: {
            repeat: {
              period: 1,
              periodUnit: 'd',
              dayOfWeek: ['mon', 'wed', 'fri'],
              timeOfDay: ['08:00:00', '20:00:00'],
            },
          },
          doseAndRate: [{ doseQuantity: { value: 1, unit: 'tablet' } }],
        },
      ],
    });
    expect(statements[1].dosage![0].asNeededBoolean).toBe(true);
    expect(statements[2].dosage![0].timing!.repeat).toMatchObject({ period: 7, periodUnit: 'd' });
    expect(statements[3].dosage![0].timing!.repeat).toEqual({ frequency: 3, period: 1, periodUnit: 'd' });
  });

  it('tells plans of several amounts by one dosage each, in words too', async () => {
    const planText = ({ name }: { name: string }) => `How ${name} is taken`;
    const dosages = of(await exportFhir(PLANS, { ...options, planText }), 'MedicationStatement').map(
      ({ dosage }) => dosage!,
    );
    const said = (at: number) =>
      dosages[at].map(({ doseAndRate, timing }) => [
        doseAndRate![0].doseQuantity!.value,
        timing!.repeat!.dayOfWeek ?? timing!.repeat!.boundsDuration?.value ?? timing!.repeat!.timeOfDay,
      ]);
    expect(dosages.map(([{ text }]) => text)).toEqual(
      ['Phenprocoumon', 'Prednisolone', 'Paracetamol', 'Insulin lispro', 'Insulin glargine'].map(
        (name) => `How ${name} is taken`,
      ),
    );
    expect(said(0)).toEqual([
      [1, ['sun', 'tue', 'thu', 'sat']],
      [1.5, ['mon', 'fri']],
    ]);
    expect([dosages[1].map(({ sequence }) => sequence), said(1)]).toEqual([
      [1, 2, 3],
      [
        [4, 5],
        [2, 5],
        [1, ['08:00:00']],
      ],
    ]);
    expect(dosages[2][0]).toMatchObject({
      asNeededBoolean: true,
      timing: { repeat: { frequency: 1, period: 6, periodUnit: 'h' } },
      maxDosePerPeriod: { numerator: { value: 8, unit: 'tablet' }, denominator: { value: 24, code: 'h' } },
    });
    expect(dosages[3][0].additionalInstruction).toEqual([{ text: '1 more for each 50 mg/dl above 150' }]);
    expect(said(3)).toEqual([
      [8, ['08:00:00']],
      [6, ['20:00:00']],
    ]);
  });

  it('says how a medicine is taken only where that is sure', async () => {
    const route = async (profile: typeof PLANS) =>
      of(await exportFhir(profile, options), 'MedicationStatement').map(
        ({ dosage }) => dosage![0].route?.text,
      );
    expect(await route(PLANS)).toEqual(['oral', 'oral', 'oral', 'subcutaneous', 'subcutaneous']);
    // Of the third one nobody knows.
    expect(await route(ADA)).toEqual(['oral', 'inhalation', undefined, undefined]);
  });

  it('says how much a dose was where a person has noted it', async () => {
    const doses = of(await exportFhir(ADA, options), 'MedicationAdministration');
    expect(doses.map(({ dosage }) => dosage)).toEqual([{ dose: { value: 2, unit: 'tablet' } }, undefined]);
  });

  it('names who has prescribed it', async () => {
    const statements = of(await exportFhir(PLANS, options), 'MedicationStatement');
    const orders = statements.map(({ basedOn, contained = [] }) =>
      (contained as FhirResource[]).flatMap((each) =>
        each.resourceType === 'MedicationRequest' ? [each.requester?.display, basedOn?.[0].reference] : [],
      ),
    );
    expect(orders).toEqual([['Dr. Ito', '#order'], ['Dr. Kim', '#order'], [], [], []]);
  });

  it('takes no single amount of several that another program wrote', async () => {
    const bundle = await exportFhir(PLANS, options);
    for (const statement of of(bundle, 'MedicationStatement')) delete statement.extension;
    const [{ medications }] = (await reread(bundle)).profiles;
    const insulin = medications.find(({ details }) => details.name === 'Insulin lispro')!;
    expect(insulin.schedule).toBeNull();
    expect(insulin.details).toMatchObject({ instructions: '8 unit 08:00; 6 unit 20:00' });
    expect(insulin.details).not.toHaveProperty('dose');
    expect(insulin.details).not.toHaveProperty('schedule');
  });

  it('names the substance that a person confirmed, never one that was guessed', async () => {
    const statements = of(await exportFhir(ADA, options), 'MedicationStatement');
    expect(statements.map(({ medicationCodeableConcept }) => medicationCodeableConcept?.text)).toEqual([
      'Ibuprofen 400 mg',
      undefined,
      'Methotrexate',
      'Vitamin D',
    ]);
    expect(statements[1]).toMatchObject({
      contained: [
        { code: { text: 'Ventilan' }, ingredient: [{ itemCodeableConcept: { text: 'salbutamol' } }] },
      ],
      medicationReference: { reference: '#medication', display: 'Ventilan' },
    });
  });

  it('comes back without loss', async () => {
    for (const profile of [ADA, PLANS, REX]) {
      const { profiles, passedOver } = await reread(await exportFhir(profile, options));
      const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
      const sorted = { ...profiles[0], appointments: [...profiles[0].appointments].sort(byId) };
      expect([sorted, passedOver]).toEqual([profile, []]);
    }
  });
});

describe('a bundle of another program', () => {
  const patient = {
    resourceType: 'Patient',
    id: 'p1',
    name: [{ given: ['Grace'], family: 'Roe' }],
    birthDate: '1980-02',
  };
  const bundle = (...resources: object[]) =>
    ({
      resourceType: 'Bundle',
      type: 'collection',
      entry: resources.map((resource) => ({ resource })),
    }) as Bundle;

  it('is read by its codes and references', async () => {
    const { profiles, passedOver } = await reread(
      bundle(
        patient,
        { resourceType: 'Medication', id: 'm', code: { coding: [{ display: 'Amoxicillin 500 mg' }] } },
        {
          resourceType: 'MedicationRequest',
          id: 'r',
          status: 'active',
          intent: 'order',
          subject: { reference: 'Patient/p1' },
          medicationReference: { reference: 'Medication/m' },
          authoredOn: '2026-03-04T10:00:00Z',
          dosageInstruction: [
            { text: 'Three times a day', timing: { repeat: { frequency: 3, period: 1, periodUnit: 'd' } } },
          ],
        },
        {
          resourceType: 'Observation',
          id: 'o',
          status: 'final',
          code: { coding: [{ system: 'http://loinc.org', code: '8310-5' }] },
          subject: { reference: 'https://example.org/fhir/Patient/p1' },
          effectiveDateTime: '2026-03-04T10:00:00+02:00',
          valueQuantity: { value: 38.2, unit: 'degrees', code: 'Cel' },
        },
        {
          resourceType: 'Immunization',
          id: 'i',
          status: 'completed',
          vaccineCode: { text: 'Tetanus' },
          patient: { reference: 'Patient/p1' },
          occurrenceDateTime: '2020-01-02',
        },
        {
          resourceType: 'Condition',
          id: 'c',
          code: { text: 'Old cold' },
          subject: { reference: 'Patient/p1' },
          clinicalStatus: { coding: [{ code: 'resolved' }] },
        },
        {
          resourceType: 'Condition',
          id: 'd',
          code: { text: 'Hay fever' },
          subject: { reference: 'Patient/p1' },
        },
        { resourceType: 'Encounter', id: 'e' },
        { resourceType: 'Encounter', id: 'f' },
      ),
    );
    const [{ details, medications, healthStats, appointments }] = profiles;
    expect(details).toEqual({ name: 'Grace Roe', conditions: [{ text: 'Hay fever' }] });
    expect(medications).toMatchObject([
      {
        schedule: { timesPerDay: 3 },
        details: { name: 'Amoxicillin 500 mg', instructions: 'Three times a day', startDate: '2026-03-04' },
      },
    ]);
    expect(healthStats).toMatchObject([
      {
        recordedAt: '2026-03-04T08:00:00.000Z',
        details: { metric: 'temperature', values: { value: 38.2 }, unit: 'Cel' },
      },
    ]);
    expect(appointments).toMatchObject([
      {
        status: 'completed',
        details: { type: 'vaccination', vaccine: 'Tetanus', startsAt: '2020-01-02T12:00:00Z' },
      },
    ]);
    expect(passedOver).toEqual([
      { kind: 'Condition', reason: 'not_readable', count: 1 },
      { kind: 'Encounter', reason: 'kind_unknown', count: 2 },
    ]);
  });

  it('gives the same records when it is read again', async () => {
    const file = bundle(patient, {
      resourceType: 'Condition',
      code: { text: 'Gout' },
      subject: { reference: 'Patient/p1' },
    });
    const [first, second] = [await reread(file), await reread(file)];
    expect(first).toEqual(second);
    expect(first.profiles[0].id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab]/);
  });

  it('passes over what has any other shape, and reads the rest', async () => {
    const { profiles, passedOver } = await reread(
      bundle(
        patient,
        { resourceType: 'Observation', status: 'final', code: 7, component: 'none' },
        { resourceType: 'Appointment', status: 'booked', participant: 'everyone' },
        {
          resourceType: 'MedicationAdministration',
          status: 'completed',
          effectiveDateTime: '2026-01-01T00:00:00Z',
        },
        { resourceType: 'Appointment', status: 'booked', start: '2026-12-01T08:00:00Z', participant: [] },
      ),
    );
    expect(profiles[0].appointments).toMatchObject([{ status: 'scheduled', details: { title: 'Visit' } }]);
    expect(passedOver.map(({ kind, reason }) => [kind, reason])).toEqual([
      ['Observation', 'not_readable'],
      ['Appointment', 'not_readable'],
      ['MedicationAdministration', 'patient_unknown'],
    ]);
  });

  it.each([
    ['{', 'not_json'],
    ['[]', 'not_a_bundle'],
    ['null', 'not_a_bundle'],
    ['{"resourceType":"Patient"}', 'not_a_bundle'],
  ])('is refused where it is none: %s', (text, code) => {
    expect(() => parseBundle(text)).toThrow(expect.objectContaining({ code }));
  });

  it('is refused where it is empty', async () => {
    await expect(reread(bundle())).rejects.toMatchObject({ code: 'no_records' });
  });
});
