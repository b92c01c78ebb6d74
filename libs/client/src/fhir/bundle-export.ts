import type { ExportedProfile } from '../transfer/export-document';
import type { Bundle, BundleEntry, Composition, CompositionSection, Device, FhirResource } from 'fhir/r4';
import { SECTIONS, SUMMARY } from './codes';
import type { PlanText } from './dosages';
import { uuidOf } from './ids';
import { toAdministration, toMedicationStatement } from './medicines';
import { toObservation } from './observations';
import { factsOf, toAllergy, toCondition, toPatient } from './people';
import { referenceTo, urn } from './text';
import { isImmunization, toAppointment, toImmunization } from './visits';

/** The titles of an export in English. */
export const FHIR_TITLES: Record<keyof typeof SECTIONS | 'document' | 'nothing', string> = {
  document: 'Health summary',
  medicines: 'Medicines',
  allergies: 'Allergies',
  problems: 'Conditions',
  immunizations: 'Vaccinations',
  vitals: 'Measurements',
  plan: 'Visits',
  nothing: 'Nothing is recorded.',
};

/** Options of an export. */
export interface FhirExportOptions {
  /** The time of the document. */
  now: Date;
  /** The local date, `YYYY-MM-DD`. It decides which medicines are active. */
  today: string;
  /** The title of the document and of each section, in the language of the reader. Default: English. */
  titles?: typeof FHIR_TITLES;
  /** BCP 47. Default: English. */
  language?: string;
  /** Says how a medicine is taken, in the language of the reader. */
  planText?: PlanText;
}

const entryOf = (resource: FhirResource): BundleEntry => ({ fullUrl: urn(resource.id!), resource });

const escapeXml = (text: string) =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c]!);

/**
 * One profile as a document of FHIR R4: first a composition with the sections of the International Patient Summary, then
 * the patient and all records. `importFhir` reads it back without loss.
 * Source: HL7 FHIR R4, Documents; International Patient Summary.
 */
export async function exportFhir(profile: ExportedProfile, options: FhirExportOptions): Promise<Bundle> {
  const { now, today, titles = FHIR_TITLES, language = 'en', planText } = options;
  const derived = (what: string) => uuidOf(`${profile.id}/${what}`);
  const all = <T, R>(items: readonly T[], make: (item: T, at: number) => Promise<R>) =>
    Promise.all(items.map(make));
  const sections: Record<keyof typeof SECTIONS, FhirResource[]> = {
    medicines: profile.medications.map((each) => toMedicationStatement(each, profile.id, today, planText)),
    allergies: await all(factsOf(profile.details, 'allergies'), async (fact, at) =>
      toAllergy(fact, await derived(`allergies/${at}`), profile.id),
    ),
    problems: await all(factsOf(profile.details, 'conditions'), async (fact, at) =>
      toCondition(fact, await derived(`conditions/${at}`), profile.id),
    ),
    immunizations: profile.appointments
      .filter(isImmunization)
      .map((each) => toImmunization(each, profile.id)),
    vitals: profile.healthStats.map((each) => toObservation(each, profile.id)),
    plan: profile.appointments
      .filter((each) => !isImmunization(each))
      .map((each) => toAppointment(each, profile.id)),
  };
  const doses = profile.medications.flatMap((medication) =>
    medication.doses.map((dose) => toAdministration(dose, medication, profile.id)),
  );
  const device: Device = {
    resourceType: 'Device',
    id: await derived('device'),
    deviceName: [{ name: 'Health Records', type: 'user-friendly-name' }],
  };
  const section = (key: keyof typeof SECTIONS): CompositionSection => ({
    title: titles[key],
    code: { coding: [SECTIONS[key]] },
    ...(sections[key].length > 0
      ? { entry: sections[key].map(({ id }) => referenceTo(id!)) }
      : {
          text: {
            status: 'generated',
            div: `<div xmlns="http://www.w3.org/1999/xhtml">${escapeXml(titles.nothing)}</div>`,
          },
        }),
  });
  const composition: Composition = {
    resourceType: 'Composition',
    id: await derived(`composition/${now.toISOString()}`),
    language,
    status: 'final',
    type: { coding: [SUMMARY] },
    subject: referenceTo(profile.id),
    date: now.toISOString(),
    author: [referenceTo(device.id!)],
    title: titles.document,
    section: (Object.keys(SECTIONS) as (keyof typeof SECTIONS)[]).map(section),
  };
  const resources = [composition, toPatient(profile), device, ...Object.values(sections).flat(), ...doses];
  return {
    resourceType: 'Bundle',
    id: await derived(`bundle/${now.toISOString()}`),
    identifier: { system: 'urn:ietf:rfc:3986', value: urn(await derived(`document/${now.toISOString()}`)) },
    type: 'document',
    timestamp: now.toISOString(),
    entry: resources.map((resource) => entryOf(resource)),
  };
}
