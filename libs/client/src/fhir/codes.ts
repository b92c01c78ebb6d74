import type { Coding } from 'fhir/r4';

export const LOINC = 'http://loinc.org';
export const UCUM = 'http://unitsofmeasure.org';
export const SNOMED = 'http://snomed.info/sct';

const loinc = (code: string, display: string): Coding => ({ system: LOINC, code, display });

/** The LOINC codes of the known measures. Source: the vital signs profiles of FHIR R4; glucose by its unit. */
export const METRIC_CODES: Record<string, Coding> = {
  weight: loinc('29463-7', 'Body weight'),
  blood_pressure: loinc('85354-9', 'Blood pressure panel with all children optional'),
  pulse: loinc('8867-4', 'Heart rate'),
  temperature: loinc('8310-5', 'Body temperature'),
  glucose: loinc('15074-8', 'Glucose [Moles/volume] in Blood'),
  oxygen_saturation: loinc('2708-6', 'Oxygen saturation in Arterial blood'),
  respiratory_rate: loinc('9279-1', 'Respiratory rate'),
  height: loinc('8302-2', 'Body height'),
};
export const GLUCOSE_BY_MASS = loinc('2339-0', 'Glucose [Mass/volume] in Blood');

export const COMPONENT_CODES: Record<string, Coding> = {
  systolic: loinc('8480-6', 'Systolic blood pressure'),
  diastolic: loinc('8462-4', 'Diastolic blood pressure'),
};

/** Other codes for the same measures in files of others. */
const ALSO: Record<string, string> = {
  '3141-9': 'weight',
  '55284-4': 'blood_pressure',
  '8310-5': 'temperature',
  '8331-1': 'temperature',
  '2339-0': 'glucose',
  '2345-7': 'glucose',
  '14749-6': 'glucose',
  '41653-7': 'glucose',
  '59408-5': 'oxygen_saturation',
  '8308-9': 'height',
};

const metricByCode = new Map([
  ...Object.entries(METRIC_CODES).map(([metric, { code }]) => [code, metric] as const),
  ...Object.entries(ALSO),
]);

/** The metric of a LOINC coding; `undefined` for another code. */
export function metricOfCodings(codings: readonly Coding[] | undefined): string | undefined {
  const known = (codings ?? []).map(({ system, code }) =>
    system === LOINC ? metricByCode.get(code) : undefined,
  );
  return known.find((metric) => metric !== undefined);
}

/** The component of a LOINC coding; `undefined` for another code. */
export function componentOfCodings(codings: readonly Coding[] | undefined): string | undefined {
  const names = Object.keys(COMPONENT_CODES);
  return names.find((name) =>
    (codings ?? []).some(({ system, code }) => system === LOINC && code === COMPONENT_CODES[name].code),
  );
}

/** Species with a SNOMED CT code, as the value set of the extension `patient-animal` has them. */
export const SPECIES_CODES: Record<string, Coding> = {
  dog: { system: SNOMED, code: '448771007', display: 'Canis lupus subspecies familiaris' },
  cat: { system: SNOMED, code: '448169003', display: 'Felis catus' },
};

export const ANIMAL = 'http://hl7.org/fhir/StructureDefinition/patient-animal';

/** Sections of the summary. Source: International Patient Summary, sections and their LOINC codes. */
export const SECTIONS = {
  medicines: loinc('10160-0', 'History of Medication use Narrative'),
  allergies: loinc('48765-2', 'Allergies and adverse reactions Document'),
  problems: loinc('11450-4', 'Problem list - Reported'),
  immunizations: loinc('11369-6', 'History of Immunization Narrative'),
  vitals: loinc('8716-3', 'Vital signs'),
  plan: loinc('18776-5', 'Plan of care note'),
} as const;
export const SUMMARY = loinc('60591-5', 'Patient summary Document');

const VALUE = (system: string, code: string): { coding: Coding[] } => ({
  coding: [{ system: `http://terminology.hl7.org/CodeSystem/${system}`, code }],
});
export const VITAL_SIGNS = VALUE('observation-category', 'vital-signs');
export const ACTIVE_ALLERGY = VALUE('allergyintolerance-clinical', 'active');
export const UNCONFIRMED_ALLERGY = VALUE('allergyintolerance-verification', 'unconfirmed');
export const ACTIVE_CONDITION = VALUE('condition-clinical', 'active');
export const PARTICIPATION = 'http://terminology.hl7.org/CodeSystem/v3-ParticipationType';
