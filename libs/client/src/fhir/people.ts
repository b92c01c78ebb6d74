import type { ExportedProfile } from '../transfer/export-document';
import type { Json, JsonObject } from '../json';
import type { AllergyIntolerance, Condition, Extension, Patient } from 'fhir/r4';
import type { HealthFact } from '../documents/schemas/profile';
import { ACTIVE_ALLERGY, ACTIVE_CONDITION, ANIMAL, SPECIES_CODES, UNCONFIRMED_ALLERGY } from './codes';
import { keep, restore } from './kept';
import { concept, conceptText, fhirText, fullDate, optional, referenceTo } from './text';

/** What is told of a profile by the resource Patient alone. */
export type PatientRecord = { kind: 'human' | 'pet'; relationship: string; details: JsonObject };

/** `data:image/png;base64,…` → its parts. */
const DATA_ADDRESS = /^data:(image\/[a-z+.-]+);base64,([A-Za-z0-9+/]+={0,2})$/;

const FACTS = ['allergies', 'conditions'] as const;

function speciesOf(details: JsonObject): Extension {
  const species = fhirText(details.species) ?? 'animal';
  return { url: 'species', valueCodeableConcept: concept(species, SPECIES_CODES[species]) };
}

export function toPatient({ id, kind, relationship, details }: ExportedProfile): Patient {
  const name = fhirText(details.name);
  const sex: Patient['gender'] = details.sex === 'female' || details.sex === 'male' ? details.sex : undefined;
  const picture = DATA_ADDRESS.exec(typeof details.picture === 'string' ? details.picture : '');
  const patient: Patient = {
    resourceType: 'Patient',
    id,
    ...(kind === 'pet' && { extension: [{ url: ANIMAL, extension: [speciesOf(details)] }] }),
    ...(name && { name: [{ text: name }] }),
    ...(sex && { gender: sex }),
    ...optional('birthDate', fullDate(details.birthDate)),
    ...(picture && { photo: [{ contentType: picture[1], data: picture[2] }] }),
  };
  // Allergies and conditions are resources of their own.
  const own = Object.fromEntries(
    Object.entries(details).filter(([member]) => !FACTS.some((fact) => fact === member)),
  );
  return keep(patient, { kind, relationship, details: own }, readPatient(patient));
}

function readPatient(patient: Patient): PatientRecord {
  const animal = patient.extension?.find(({ url }) => url === ANIMAL);
  const species = animal?.extension?.find(({ url }) => url === 'species')?.valueCodeableConcept;
  const coded = Object.entries(SPECIES_CODES).find(([, { code }]) =>
    species?.coding?.some((coding) => coding.code === code),
  );
  const [name] = patient.name ?? [];
  const whole = [...(name?.given ?? []), name?.family].filter(Boolean).join(' ');
  const photo = patient.photo?.[0];
  const picture = photo && `data:${photo.contentType};base64,${photo.data}`;
  return {
    kind: animal ? 'pet' : 'human',
    relationship: animal ? 'pet' : 'other',
    details: {
      name: fhirText(name?.text) ?? fhirText(whole) ?? '',
      ...optional('birthDate', fullDate(patient.birthDate)),
      ...(animal && optional('species', coded?.[0] ?? conceptText(species))),
      ...((patient.gender === 'female' || patient.gender === 'male') && { sex: patient.gender }),
      ...(picture && DATA_ADDRESS.test(picture) && { picture }),
    },
  };
}

export const fromPatient = (patient: Patient): PatientRecord => restore(patient, readPatient(patient));

/** The allergies and conditions of a profile, and those that cannot be read as such. */
export function factsOf(details: JsonObject, of: (typeof FACTS)[number]): HealthFact[] {
  const facts = details[of];
  if (!Array.isArray(facts)) return [];
  return facts.flatMap((fact: Json) => {
    const { text, code } = (fact ?? {}) as JsonObject;
    if (typeof text !== 'string' || text === '') return [];
    return [{ text, ...(typeof code === 'string' && { code }) }];
  });
}

/** The codes of the checks have no terminology of their own; they are kept by the extension. */
const factRecord = (fact: HealthFact) => ({ details: { ...fact } as JsonObject });
const readFact = (resource: AllergyIntolerance | Condition) => ({
  details: { text: conceptText(resource.code) ?? '' } as JsonObject,
});

export function toAllergy(fact: HealthFact, id: string, patientId: string): AllergyIntolerance {
  const resource: AllergyIntolerance = {
    resourceType: 'AllergyIntolerance',
    id,
    clinicalStatus: ACTIVE_ALLERGY,
    verificationStatus: UNCONFIRMED_ALLERGY,
    code: concept(fact.text),
    patient: referenceTo(patientId),
  };
  return keep(resource, factRecord(fact), readFact(resource));
}

export function toCondition(fact: HealthFact, id: string, patientId: string): Condition {
  const resource: Condition = {
    resourceType: 'Condition',
    id,
    clinicalStatus: ACTIVE_CONDITION,
    code: concept(fact.text),
    subject: referenceTo(patientId),
  };
  return keep(resource, factRecord(fact), readFact(resource));
}

/** The fact; `undefined` where the resource says that it is over, refuted or has no words. */
export function fromFact(resource: AllergyIntolerance | Condition): HealthFact | undefined {
  const over = /^(inactive|resolved|remission|refuted|entered-in-error)$/;
  const states = [resource.clinicalStatus, resource.verificationStatus].flatMap((each) => each?.coding ?? []);
  const { text, code } = restore(resource, readFact(resource)).details;
  if (typeof text !== 'string' || text === '' || states.some((state) => over.test(state.code ?? '')))
    return undefined;
  return { text, ...(typeof code === 'string' && { code }) };
}
