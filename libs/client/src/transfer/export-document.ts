import { ImportError, ProtocolError } from '../errors';
import { isJsonObject, type Json, type JsonObject } from '../json';
import { ObjectReader, readArray } from '../http/object-reader';
import type { DoseSchedule } from '../records/record-types';

/** The name of the format of an export. */
export const EXPORT_FORMAT = 'health-records-export';
/** The version of the format that this library writes and reads. */
export const EXPORT_VERSION = 1;

/** One dose of an export. */
export interface ExportedDose {
  id: string;
  taken: boolean;
  loggedAt: string;
  /** `false` for one that no device of the account has proved. An import leaves it out. */
  confirmed?: false;
}

/** One medication of an export, with its doses. */
export interface ExportedMedication {
  id: string;
  route: string;
  schedule: DoseSchedule | null;
  details: JsonObject;
  doses: ExportedDose[];
}

/** One appointment of an export. */
export interface ExportedAppointment {
  id: string;
  status: string;
  details: JsonObject;
}

/** One health statistic of an export. */
export interface ExportedHealthStat {
  id: string;
  recordedAt: string;
  details: JsonObject;
}

/** One record of a registered kind. */
export interface ExportedRecord {
  id: string;
  /** The plaintext fields, with the names of the service. */
  fields: JsonObject;
  details: JsonObject;
}

/** One profile of an export, with all its records. */
export interface ExportedProfile {
  id: string;
  kind: 'human' | 'pet';
  relationship: string;
  details: JsonObject;
  medications: ExportedMedication[];
  appointments: ExportedAppointment[];
  healthStats: ExportedHealthStat[];
  /** By the name of the registered kind; absent where none is registered. */
  records?: { [kind: string]: ExportedRecord[] };
}

/** All data of an account in plaintext. As JSON, it is the readable export. */
export interface ExportDocument {
  format: typeof EXPORT_FORMAT;
  version: typeof EXPORT_VERSION;
  exportedAt: string;
  profiles: ExportedProfile[];
  /** Those of the account itself, by the name of the registered kind; absent where none is registered. */
  records?: { [kind: string]: ExportedRecord[] };
}

function details(reader: ObjectReader): JsonObject {
  const value = reader.raw('details');
  return isJsonObject(value) ? value : reader.fail('details', 'an object');
}

function list<T>(reader: ObjectReader, name: string, read: (each: ObjectReader) => T): T[] {
  return readArray(reader.raw(name), name).map((each, at) => read(new ObjectReader(each, `${name}[${at}]`)));
}

function schedule(reader: ObjectReader): DoseSchedule | null {
  return reader.nullable('schedule', () => {
    const own = reader.object('schedule');
    const days = own.nullable('daysOfWeek', () => readArray(own.raw('daysOfWeek'), 'daysOfWeek'));
    if (days && !days.every((day) => typeof day === 'number' || typeof day === 'string')) {
      own.fail('daysOfWeek', 'a list of days');
    }
    return {
      timesPerDay: own.integer('timesPerDay', 1),
      ...(days && { daysOfWeek: days as (number | string)[] }),
    };
  });
}

function profile(reader: ObjectReader): ExportedProfile {
  const kind = reader.text('kind');
  return {
    id: reader.id('id'),
    kind: kind === 'human' || kind === 'pet' ? kind : reader.fail('kind', 'human or pet'),
    relationship: reader.text('relationship'),
    details: details(reader),
    medications: list(reader, 'medications', (each) => ({
      id: each.id('id'),
      route: each.text('route'),
      schedule: schedule(each),
      details: details(each),
      doses: list(each, 'doses', (dose) => ({
        id: dose.id('id'),
        taken: dose.boolean('taken'),
        loggedAt: dose.timestamp('loggedAt'),
        ...(dose.raw('confirmed') === false && { confirmed: false as const }),
      })),
    })),
    appointments: list(reader, 'appointments', (each) => ({
      id: each.id('id'),
      status: each.text('status'),
      details: details(each),
    })),
    healthStats: list(reader, 'healthStats', (each) => ({
      id: each.id('id'),
      recordedAt: each.timestamp('recordedAt'),
      details: details(each),
    })),
    ...ofRegisteredKinds(reader),
  };
}

function ofRegisteredKinds(reader: ObjectReader): { records?: Record<string, ExportedRecord[]> } {
  const raw = reader.raw('records');
  if (raw === undefined) return {};
  if (!isJsonObject(raw)) return reader.fail('records', 'an object');
  const own = reader.object('records');
  const records = Object.keys(raw).map((kind): [string, ExportedRecord[]] => [
    kind,
    list(own, kind, (each) => {
      const fields = each.raw('fields');
      if (!isJsonObject(fields)) return each.fail('fields', 'an object');
      return { id: each.id('id'), fields, details: details(each) };
    }),
  ]);
  return { records: Object.fromEntries(records) };
}

/**
 * Checks a document. Copies only the members of the format; details are kept unchanged.
 * @throws ImportError `import_malformed`, which names the place; `import_version`
 */
export function parseExportDocument(value: Json): ExportDocument {
  try {
    const reader = new ObjectReader(value, 'export');
    if (reader.text('format') !== EXPORT_FORMAT) reader.fail('format', `"${EXPORT_FORMAT}"`);
    if (reader.integer('version', 1) !== EXPORT_VERSION) {
      throw new ImportError('import_version', 'The export is of a version that this library does not read.');
    }
    return {
      format: EXPORT_FORMAT,
      version: EXPORT_VERSION,
      exportedAt: reader.timestamp('exportedAt'),
      profiles: list(reader, 'profiles', profile),
      ...ofRegisteredKinds(reader),
    };
  } catch (cause) {
    if (!(cause instanceof ProtocolError)) throw cause;
    throw new ImportError('import_malformed', `This is not a valid export: ${cause.message}`, { cause });
  }
}
