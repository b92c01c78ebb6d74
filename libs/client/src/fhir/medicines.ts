import type { DoseSchedule } from '../records/record-types';
import type { ExportedDose, ExportedMedication } from '../transfer/export-document';
import type { Json, JsonObject } from '../json';
import type {
  Dosage,
  Medication,
  MedicationAdministration,
  MedicationRequest,
  MedicationStatement,
  TimingRepeat,
} from 'fhir/r4';
import { asMedicine, remarkOf } from '../documents/medicine';
import { readDetails } from '../documents/read-details';
import { MEDICATION } from '../documents/schemas/medication';
import { substancesOf } from '../documents/substances';
import { dosagesOf, type PlanText, quantityOf, WEEKDAYS } from './dosages';
import { type FlatRecord, keep, restore } from './kept';
import { concept, conceptText, fhirText, fullDate, fullTime, optional, referenceTo } from './text';

/** A medication without its id and its doses. */
export type MedicationRecord = { route: string; schedule: DoseSchedule | null; details: JsonObject };

const MOST_TIMES = 24;

const objectOf = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};

/** The status on a day, `YYYY-MM-DD`. */
function statusOf(details: JsonObject, today: string): MedicationStatement['status'] {
  const pauses = Array.isArray(details.pauses) ? details.pauses.map(objectOf) : [];
  const day = (value: Json | undefined) => (typeof value === 'string' ? value : '');
  const end = [day(details.endDate), day(objectOf(details.schedule).until)].filter(Boolean).sort()[0];
  if (end && end < today) return 'completed';
  const isPaused = pauses.some(
    ({ from, until }) => day(from) <= today && (!day(until) || today <= day(until)),
  );
  return isPaused ? 'on-hold' : 'active';
}

export function toMedicationStatement(
  medication: ExportedMedication,
  patientId: string,
  today: string,
  textOf?: PlanText,
): MedicationStatement {
  const { id, route, schedule, details } = medication;
  const strength = fhirText(details.strength);
  const [start, end] = [fullDate(details.startDate), fullDate(details.endDate)];
  const resource: MedicationStatement = {
    resourceType: 'MedicationStatement',
    id,
    status: statusOf(details, today),
    ...withOrder(
      medicationOf(details, [fhirText(details.name), strength].filter(Boolean).join(' ')),
      fhirText(details.prescriber),
      patientId,
    ),
    subject: referenceTo(patientId),
    ...((start || end) && { effectivePeriod: { ...optional('start', start), ...optional('end', end) } }),
    ...(fhirText(details.reason) && { reasonCode: [concept(details.reason)] }),
    ...(fhirText(details.notes) && { note: [{ text: fhirText(details.notes)! }] }),
    dosage: dosagesOf(medication, textOf),
  };
  return keep(resource, asFlat({ route, schedule, details }), asFlat(readStatement(resource, undefined)));
}

/** The medicine by its name, with its substances where a person has confirmed them. */
function medicationOf(
  details: JsonObject,
  name: string,
): Pick<MedicationStatement, 'contained' | 'medicationCodeableConcept' | 'medicationReference'> {
  const { reading } = readDetails(MEDICATION, details);
  const substances = substancesOf({ name, reading }).flatMap((each) => fhirText(each) ?? []);
  if (substances.length === 0) return { medicationCodeableConcept: concept(name) };
  const contained: Medication = {
    resourceType: 'Medication',
    id: 'medication',
    code: concept(name),
    ingredient: substances.map((each) => ({ itemCodeableConcept: concept(each), isActive: true })),
  };
  return {
    contained: [contained],
    medicationReference: { reference: '#medication', display: contained.code!.text! },
  };
}

/** FHIR has no prescriber of what is taken, only of an order: so the order is named of which nothing else is known. */
function withOrder(
  taken: ReturnType<typeof medicationOf>,
  prescriber: string | undefined,
  patientId: string,
): Pick<MedicationStatement, 'basedOn'> & typeof taken {
  if (prescriber === undefined) return taken;
  const { contained = [], ...medication } = taken;
  const order: MedicationRequest = {
    resourceType: 'MedicationRequest',
    id: 'order',
    status: 'unknown',
    intent: 'order',
    ...medication,
    subject: referenceTo(patientId),
    requester: { display: prescriber },
  };
  return { ...medication, contained: [...contained, order], basedOn: [{ reference: '#order' }] };
}

const asFlat = (record: MedicationRecord) => record as unknown as FlatRecord;

function readTimes(repeat: TimingRepeat | undefined): { schedule: DoseSchedule | null; own: JsonObject } {
  const times = (repeat?.timeOfDay ?? []).map((time) => time.slice(0, 5));
  const weekdays = (repeat?.dayOfWeek ?? []).map((day) => WEEKDAYS.indexOf(day));
  const inDays =
    repeat?.periodUnit === 'd' ? (repeat.period ?? 1) : repeat?.periodUnit === 'wk' ? 7 : undefined;
  const everyDays = inDays !== undefined && inDays > 1 && Number.isInteger(inDays) ? inDays : undefined;
  const everyMonths =
    repeat?.periodUnit === 'mo' && (repeat.frequency ?? 1) === 1 ? repeat.period : undefined;
  const perDay = times.length || (inDays === 1 ? (repeat?.frequency ?? 1) : 0);
  const isCounted = perDay >= 1 && perDay <= MOST_TIMES && !everyDays;
  return {
    schedule: isCounted
      ? { timesPerDay: perDay, ...(weekdays.length > 0 && weekdays.length < 7 && { daysOfWeek: weekdays }) }
      : null,
    own: {
      times,
      ...(weekdays.length > 0 && { weekdays }),
      ...(everyDays !== undefined && { everyDays }),
      ...(everyMonths !== undefined && { everyMonths }),
    },
  };
}

/** Several amounts of another program: their words are kept, and no single one of them becomes the plan. */
function onlyText(dosages: readonly Dosage[]): Dosage {
  const [{ route }] = dosages;
  const words = dosages.map(({ text, patientInstruction, doseAndRate, timing }) => {
    const { value, unit } = doseAndRate?.[0]?.doseQuantity ?? {};
    const { timeOfDay = [], dayOfWeek = [] } = timing?.repeat ?? {};
    return (
      fhirText(text) ??
      fhirText(patientInstruction) ??
      [value, unit, ...timeOfDay.map((time) => time.slice(0, 5)), ...dayOfWeek].filter(Boolean).join(' ')
    );
  });
  const text = words.filter(Boolean).join('; ');
  return { ...(text && { text }), ...(route && { route }) };
}

/** Common to statements and requests, which differ in the names of their members. */
function readStatement(
  resource: MedicationStatement | MedicationRequest,
  medication: Medication | undefined,
): MedicationRecord {
  const isStatement = resource.resourceType === 'MedicationStatement';
  const dosages = (isStatement ? resource.dosage : resource.dosageInstruction) ?? [];
  const dosage = dosages.length > 1 ? onlyText(dosages) : dosages[0];
  const period = isStatement ? resource.effectivePeriod : undefined;
  const begun = isStatement ? (period?.start ?? resource.effectiveDateTime) : resource.authoredOn;
  const name =
    conceptText(resource.medicationCodeableConcept) ??
    conceptText(medication?.code) ??
    fhirText(resource.medicationReference?.display);
  const { schedule, own } = readTimes(dosage?.timing?.repeat);
  const asNeeded = dosage?.asNeededBoolean === true || dosage?.asNeededCodeableConcept !== undefined;
  const hasTimes = Array.isArray(own.times) && own.times.length > 0;
  const quantity = dosage?.doseAndRate?.[0]?.doseQuantity;
  const instructions = fhirText(dosage?.text) ?? fhirText(dosage?.patientInstruction);
  return {
    route: fhirText(conceptText(dosage?.route))?.slice(0, 64) ?? 'oral',
    schedule: asNeeded ? null : schedule,
    details: {
      name: name ?? '',
      ...optional('instructions', instructions),
      ...(asNeeded && { schedule: { times: [], asNeeded: true } }),
      ...(!asNeeded && hasTimes && { schedule: own }),
      ...(quantity?.value !== undefined && {
        dose: { amount: quantity.value, ...optional('unit', fhirText(quantity.unit)) },
      }),
      ...optional('startDate', fullDate(begun)),
      ...optional('endDate', fullDate(period?.end)),
      ...optional('reason', conceptText(resource.reasonCode?.[0])),
      ...optional('notes', fhirText(resource.note?.[0]?.text)),
    },
  };
}

/** The medication; `undefined` where it has no name, was never taken, or was entered in error. */
export function fromMedication(
  resource: MedicationStatement | MedicationRequest,
  medication: Medication | undefined,
): MedicationRecord | undefined {
  const read = restore(resource, asFlat(readStatement(resource, medication))) as unknown as MedicationRecord;
  const isVoid = /^(entered-in-error|not-taken|draft|cancelled)$/.test(resource.status ?? '');
  return isVoid || read.details.name === '' ? undefined : read;
}

export function toAdministration(
  dose: ExportedDose,
  of: ExportedMedication,
  patientId: string,
): MedicationAdministration {
  const { amount, unit } = remarkOf(asMedicine(of), dose.id) ?? {};
  const isNoted = dose.taken && typeof amount === 'number' && Number.isFinite(amount);
  return {
    resourceType: 'MedicationAdministration',
    id: dose.id,
    status: dose.taken ? 'completed' : 'not-done',
    medicationCodeableConcept: concept(of.details.name),
    subject: referenceTo(patientId),
    supportingInformation: [referenceTo(of.id)],
    effectiveDateTime: dose.loggedAt,
    // What was taken, where a person said that it was not as planned.
    ...(isNoted && { dosage: { dose: quantityOf({ amount, unit }, amount) } }),
  };
}

/** The dose without its id; `undefined` where it has no time or says neither that it was taken nor that it was not. */
export function fromAdministration(resource: MedicationAdministration): Omit<ExportedDose, 'id'> | undefined {
  const at = fullTime(resource.effectiveDateTime ?? resource.effectivePeriod?.start);
  const taken = { completed: true, 'not-done': false }[resource.status as string];
  return at === undefined || taken === undefined
    ? undefined
    : { taken, loggedAt: new Date(at).toISOString() };
}
