import type { ExportedMedication, ExportedProfile } from '../transfer/export-document';
import type { JsonObject } from '../json';
import type { Bundle, BundleEntry, FhirResource, Medication, Reference } from 'fhir/r4';
import type { HealthFact } from '../documents/schemas/profile';
import { uuidIn, uuidOf } from './ids';
import { fromAdministration, fromMedication } from './medicines';
import { fromObservation } from './observations';
import { fromFact, fromPatient } from './people';
import { fromAppointment, fromImmunization } from './visits';

/** Why a resource of a file is not read. Each has a sentence in the catalogues. */
export type PassedOver = 'kind_unknown' | 'not_readable' | 'patient_unknown';

/** What a bundle holds. */
export interface FhirContent {
  /** People and pets with their records, by the patients of the bundle. */
  profiles: ExportedProfile[];
  /** Resources that were not read, counted by kind and reason. */
  passedOver: { kind: string; reason: PassedOver; count: number }[];
}

/** The file is no bundle of FHIR R4. */
export class FhirFileError extends Error {
  constructor(readonly code: 'not_json' | 'not_a_bundle' | 'no_records') {
    super(code);
    this.name = 'FhirFileError';
  }
}

/** Kinds that only say how the others belong together. */
const FRAME = [
  'Composition',
  'Device',
  'Medication',
  'Practitioner',
  'Organization',
  'Location',
  'Provenance',
];
const MOST_TITLE = 200;

/** Reads the text of a file. @throws FhirFileError */
export function parseBundle(text: string): Bundle {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text, (name, member: unknown) => (name === '__proto__' ? undefined : member));
  } catch {
    throw new FhirFileError('not_json');
  }
  const bundle = parsed as Partial<Bundle> | null;
  if (bundle?.resourceType !== 'Bundle' || !Array.isArray(bundle.entry))
    throw new FhirFileError('not_a_bundle');
  return bundle as Bundle;
}

class Reading {
  readonly profiles = new Map<string, ExportedProfile>();
  readonly #byReference = new Map<string, FhirResource>();
  readonly #passedOver = new Map<string, FhirContent['passedOver'][number]>();
  readonly #ids = new Map<FhirResource, string>();

  constructor(readonly untitled: string) {}

  async addAll(entries: readonly BundleEntry[]): Promise<FhirResource[]> {
    const resources: FhirResource[] = [];
    for (const { fullUrl, resource: any } of entries) {
      if (typeof any?.resourceType !== 'string') continue;
      const resource = any as FhirResource;
      const place = `${resource.resourceType}/${resource.id ?? ''}`;
      if (typeof fullUrl === 'string') this.#byReference.set(fullUrl, resource);
      if (resource.id) this.#byReference.set(place, resource);
      const id = uuidIn(resource.id) ?? uuidIn(fullUrl);
      this.#ids.set(
        resource,
        id ?? (await uuidOf(resource.id ? (fullUrl ?? place) : JSON.stringify(resource))),
      );
      resources.push(resource);
    }
    return resources;
  }

  idOf(resource: FhirResource): string {
    return this.#ids.get(resource)!;
  }

  find(reference: Reference | undefined): FhirResource | undefined {
    const to = reference?.reference;
    if (typeof to !== 'string') return undefined;
    const tail = to.split('/').slice(-2).join('/');
    return this.#byReference.get(to) ?? this.#byReference.get(tail);
  }

  /** The profile of a resource; where a bundle has one patient, everything is that patient's. */
  profileOf(subject: Reference | undefined): ExportedProfile | undefined {
    const patient = this.find(subject);
    const named = patient && this.profiles.get(this.idOf(patient));
    return named ?? (this.profiles.size === 1 ? [...this.profiles.values()][0] : undefined);
  }

  passOver({ resourceType: kind }: FhirResource, reason: PassedOver): void {
    const key = `${kind} ${reason}`;
    const before = this.#passedOver.get(key)?.count ?? 0;
    this.#passedOver.set(key, { kind, reason, count: before + 1 });
  }

  get passedOver() {
    return [...this.#passedOver.values()];
  }
}

/**
 * The people, pets and records of a bundle of any type. Sends nothing.
 * @param untitled the title of a visit that has none.
 * @throws FhirFileError `no_records`
 */
export async function importFhir(bundle: Bundle, untitled: string): Promise<FhirContent> {
  const reading = new Reading(untitled);
  const resources = await reading.addAll(bundle.entry ?? []);
  for (const resource of resources) {
    if (resource.resourceType !== 'Patient') continue;
    const id = reading.idOf(resource);
    const lists = { medications: [], appointments: [], healthStats: [] };
    reading.profiles.set(id, { id, ...fromPatient(resource), ...lists });
  }
  const records = resources.filter(
    ({ resourceType }) => resourceType !== 'Patient' && !FRAME.includes(resourceType),
  );
  if (reading.profiles.size === 0 && records.length > 0) {
    // A file without a patient: the person says whose it is.
    const id = await uuidOf(`patient of ${JSON.stringify(bundle.entry).slice(0, 10_000)}`);
    const lists = { medications: [], appointments: [], healthStats: [] };
    reading.profiles.set(id, { id, kind: 'human', relationship: 'other', details: { name: '' }, ...lists });
  }
  // Doses last: each belongs to a medication.
  const isDose = ({ resourceType }: FhirResource) => resourceType === 'MedicationAdministration';
  for (const resource of [...records.filter((each) => !isDose(each)), ...records.filter(isDose)]) {
    const problem = attempt(() => readInto(reading, resource));
    if (problem) reading.passOver(resource, problem);
  }
  if (reading.profiles.size === 0) throw new FhirFileError('no_records');
  return { profiles: [...reading.profiles.values()], passedOver: reading.passedOver };
}

/** A file of another program may have any shape: what cannot be read is counted, and the rest is read. */
function attempt(read: () => PassedOver | undefined): PassedOver | undefined {
  try {
    return read();
  } catch {
    return 'not_readable';
  }
}

/** Adds the resource to its profile, or says why not. */
function readInto(reading: Reading, resource: FhirResource): PassedOver | undefined {
  const id = reading.idOf(resource);
  switch (resource.resourceType) {
    case 'MedicationStatement':
    case 'MedicationRequest': {
      const contained = resource.contained?.find(
        (each): each is Medication => each.resourceType === 'Medication',
      );
      const found = contained ?? reading.find(resource.medicationReference);
      const medication = found?.resourceType === 'Medication' ? found : undefined;
      return add(
        reading.profileOf(resource.subject),
        fromMedication(resource, medication),
        (profile, record) => profile.medications.push({ id, ...record, doses: [] }),
      );
    }
    case 'MedicationAdministration': {
      const medication = medicationOf(
        reading,
        reading.profileOf(resource.subject),
        resource.supportingInformation,
      );
      return add(medication, fromAdministration(resource), (of, dose) => of.doses.push({ id, ...dose }));
    }
    case 'Observation':
      return add(reading.profileOf(resource.subject), fromObservation(resource), (profile, record) =>
        profile.healthStats.push({ id, ...record }),
      );
    case 'Appointment': {
      const patient = resource.participant?.find(
        ({ actor }) => reading.find(actor)?.resourceType === 'Patient',
      );
      return add(reading.profileOf(patient?.actor), fromAppointment(resource), (profile, record) =>
        profile.appointments.push({ id, ...record, details: titled(record.details, reading.untitled) }),
      );
    }
    case 'Immunization':
      return add(reading.profileOf(resource.patient), fromImmunization(resource), (profile, record) =>
        profile.appointments.push({ id, ...record, details: titled(record.details, reading.untitled) }),
      );
    case 'AllergyIntolerance':
      return add(reading.profileOf(resource.patient), fromFact(resource), (profile, fact) =>
        addFact(profile.details, 'allergies', fact),
      );
    case 'Condition':
      return add(reading.profileOf(resource.subject), fromFact(resource), (profile, fact) =>
        addFact(profile.details, 'conditions', fact),
      );
    default:
      return 'kind_unknown';
  }
}

function add<To, T>(
  to: To | undefined,
  record: T | undefined,
  put: (to: To, record: T) => unknown,
): PassedOver | undefined {
  if (record === undefined) return 'not_readable';
  if (to === undefined) return 'patient_unknown';
  put(to, record);
  return undefined;
}

function medicationOf(
  reading: Reading,
  profile: ExportedProfile | undefined,
  references: readonly Reference[] | undefined,
): ExportedMedication | undefined {
  const ids = (references ?? [])
    .map((each) => reading.find(each))
    .map((found) => found && reading.idOf(found));
  return profile?.medications.find(({ id }) => ids.includes(id));
}

function titled(details: JsonObject, untitled: string): JsonObject {
  const title = typeof details.title === 'string' && details.title !== '' ? details.title : untitled;
  return { ...details, title: title.slice(0, MOST_TITLE) };
}

function addFact(details: JsonObject, list: 'allergies' | 'conditions', fact: HealthFact): void {
  const facts = Array.isArray(details[list]) ? details[list] : [];
  details[list] = [...facts, { ...fact }];
}
