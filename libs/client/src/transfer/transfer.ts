import { ApiError, ExportIncompleteError, ImportError, type RecordReference } from '../errors';
import { requireStrongSecret } from '../account/strength';
import { fromUtf8, type Bytes } from '../encoding';
import { ObjectReader } from '../http/object-reader';
import { parseJson, type JsonObject } from '../json';
import type { Appointments } from '../records/appointments';
import type { HealthStats } from '../records/health-stats';
import type { Medications } from '../records/medications';
import type { Profiles } from '../records/profiles';
import type { AnyCollection } from '../records/record-kind';
import type {
  AppointmentDetails,
  CallOptions,
  DomainRecord,
  HealthStatDetails,
  ListOptions,
  MedicationDetails,
  ProfileDetails,
} from '../records/record-types';
import { decryptFile, encryptFile, inspectFile, type FileSecret } from './encrypted-file';
import {
  EXPORT_FORMAT,
  EXPORT_VERSION,
  parseExportDocument,
  type ExportDocument,
  type ExportedMedication,
  type ExportedProfile,
  type ExportedRecord,
} from './export-document';

/** The number of concurrent requests. It keeps an import within the limits of the service. */
const PARALLEL = 4;

/** The result of an import. */
export interface ImportReport {
  created: number;
  /** Records whose id already exists, which stay unchanged, and doses that were not confirmed. */
  skipped: number;
}

/** Options of an import. */
export interface ImportOptions extends CallOptions {
  /** Called after each record. */
  onProgress?: (done: number, total: number) => void;
}

/** Options of an export. */
export interface ExportOptions extends ListOptions {
  /**
   * Called for each record whose plaintext fields were altered on the service. The export holds the sealed
   * values.
   */
  onAltered?: (record: RecordReference & { fields: readonly string[] }) => void;
  /**
   * Called where the account has records of kinds that this client does not know: the export lacks them. Without it, they
   * end the export.
   */
  onLeftOut?: (leftOut: { records: number }) => void;
}

/** Called before an export. @returns how many records a client cannot see, once it has seen so many. */
export type Census = () => Promise<(seen: number) => Promise<number>>;

/** Records of registered kinds: of a profile, or of the account. */
type Registered = Pick<ExportDocument, 'records'>;

interface Records {
  profiles: Profiles;
  medications: Medications;
  appointments: Appointments;
  healthStats: HealthStats;
}

/** Exports all data of an account, and imports them into an account. */
export class Transfer {
  readonly #records: Records;
  readonly #hold: () => () => void;
  readonly #census: Census;
  readonly #registered: ReadonlyMap<string, AnyCollection>;

  /**
   * @param hold called at the start; its result throws after a lock or in another session.
   * @param registered the collections of the registered kinds.
   */
  constructor(
    records: Records,
    hold: () => () => void,
    census: Census,
    registered: readonly AnyCollection[],
  ) {
    this.#records = records;
    this.#hold = hold;
    this.#census = census;
    this.#registered = new Map(registered.map((each) => [each.kind, each]));
  }

  /**
   * All data of the account in plaintext. A record that cannot be decrypted ends the export unless
   * `onUnreadable` is given, because an incomplete backup must not look complete.
   * @throws ExportIncompleteError; IntegrityError
   */
  async exportAll({ onLeftOut, ...call }: ExportOptions = {}): Promise<ExportDocument> {
    const assertOurs = this.#hold();
    const leftOut = await this.#census();
    let unreadable = 0;
    const options: ExportOptions = {
      ...call,
      ...(call.onUnreadable && {
        onUnreadable: (record) => {
          unreadable += 1;
          call.onUnreadable!(record);
        },
      }),
    };
    const profiles: ExportedProfile[] = [];
    const tell = (of: string, { id, altered }: { id: string; altered: readonly string[] }) => {
      if (altered.length > 0) options.onAltered?.({ kind: of, id, fields: altered });
    };
    for (const profile of await this.#records.profiles.list(options)) {
      const { id, kind, relationship, details } = profile;
      tell('profile', profile);
      const of = { profileId: id };
      const medications: ExportedMedication[] = [];
      for (const each of await this.#records.medications.list(of, options)) {
        tell('medication', each);
        const doses = await this.#records.medications.doses(each.id, options);
        medications.push({
          id: each.id,
          route: each.route,
          schedule: each.schedule,
          details: each.details as JsonObject,
          doses: doses.map(({ id: doseId, taken, loggedAt, confirmed }) => ({
            ...{ id: doseId, taken, loggedAt },
            ...(!confirmed && { confirmed }),
          })),
        });
      }
      const appointments = await this.#records.appointments.list(of, options);
      const healthStats = await this.#records.healthStats.list(of, options);
      for (const each of appointments) tell('appointment', each);
      for (const each of healthStats) tell('health-stat', each);
      profiles.push({
        id,
        kind,
        relationship,
        details: details as JsonObject,
        medications,
        appointments: appointments.map((each) => ({
          id: each.id,
          status: each.status,
          details: each.details as JsonObject,
        })),
        healthStats: healthStats.map((each) => ({
          id: each.id,
          recordedAt: each.recordedAt,
          details: each.details as JsonObject,
        })),
        ...(await this.#exportRegistered(of, options, tell)),
      });
    }
    const ofAccount = await this.#exportRegistered(undefined, options, tell);
    assertOurs();
    const seen = profiles.reduce((sum, each) => sum + countRecords(each), countRegistered(ofAccount));
    const records = await leftOut(unreadable + seen);
    if (records > 0 && !onLeftOut) throw new ExportIncompleteError(records);
    if (records > 0) onLeftOut!({ records });
    return {
      format: EXPORT_FORMAT,
      version: EXPORT_VERSION,
      exportedAt: new Date().toISOString(),
      profiles,
      ...ofAccount,
    };
  }

  /** @param of `undefined` for the records of the account itself. */
  async #exportRegistered(
    of: { profileId: string } | undefined,
    options: ListOptions,
    tell: (kind: string, record: { id: string; altered: readonly string[] }) => void,
  ): Promise<Registered> {
    const registered = [...this.#registered].filter(([, { isOfAccount }]) => isOfAccount === !of);
    if (registered.length === 0) return {};
    const records: Record<string, ExportedRecord[]> = {};
    for (const [kind, collection] of registered) {
      const all = (await collection.list(of, options)) as DomainRecord<JsonObject, object>[];
      for (const each of all) tell(kind, each);
      records[kind] = all.map((each) => ({
        id: each.id,
        fields: collection.fieldsOf(each),
        details: each.details,
      }));
    }
    return { records };
  }

  async #importRegistered(
    { records = {} }: Registered,
    profileId: string,
    call: CallOptions,
    step: (create: () => Promise<unknown>) => Promise<void>,
  ): Promise<void> {
    for (const [kind, all] of Object.entries(records)) {
      const collection = this.#registered.get(kind)!;
      for (const { id, fields, details } of [...all].reverse()) {
        const meta = collection.readFields(new ObjectReader(fields, kind)) as object;
        await step(() => collection.restore({ ...meta, id, profileId, details }, call));
      }
    }
  }

  /**
   * The readable form: indented JSON.
   * Security: it is plaintext; tell the person before the file is saved.
   */
  async exportReadable(options: ExportOptions = {}): Promise<string> {
    return `${JSON.stringify(await this.exportAll(options), null, 2)}\n`;
  }

  /** The encrypted form, for its own password or a recovery phrase. */
  async exportEncrypted(secret: FileSecret, options: ExportOptions = {}): Promise<Bytes> {
    if ('password' in secret) await requireStrongSecret(secret.password);
    return encryptFile((await this.exportAll(options)) as unknown as JsonObject, secret);
  }

  /**
   * Reads a file of either form. Sends nothing.
   * @param secret for an encrypted file; `inspectFile` returns the required kind.
   * @throws ImportError, KdfRefusedError, RecoveryPhraseError
   */
  async readFile(file: Uint8Array, secret?: FileSecret): Promise<ExportDocument> {
    if (inspectFile(file) !== undefined) {
      if (!secret)
        throw new ImportError(
          'import_secret_wrong',
          'The file is encrypted; it needs its password or phrase.',
        );
      return parseExportDocument(await decryptFile(file, secret));
    }
    try {
      return parseExportDocument(parseJson(fromUtf8(file)));
    } catch (cause) {
      if (cause instanceof ImportError) throw cause;
      throw new ImportError('import_malformed', 'The file is neither an encrypted export nor JSON.', {
        cause,
      });
    }
  }

  /**
   * Creates all records of a document under their ids, encrypted again for this account. Records whose id
   * exists stay unchanged, so an interrupted import can be repeated.
   */
  async importAll(document: ExportDocument, options: ImportOptions = {}): Promise<ImportReport> {
    const report: ImportReport = { created: 0, skipped: 0 };
    const assertOurs = this.#hold();
    const { signal } = options;
    const call = signal ? { signal } : {};
    const total = document.profiles.reduce(
      (sum, each) => sum + countRecords(each),
      countRegistered(document),
    );
    const step = async (create: () => Promise<unknown>) => {
      signal?.throwIfAborted();
      assertOurs();
      try {
        await create();
        report.created += 1;
      } catch (error) {
        if (!(error instanceof ApiError && error.code === 'id_taken')) throw error;
        report.skipped += 1;
      }
      options.onProgress?.(report.created + report.skipped, total);
    };
    const unknown = [document, ...document.profiles]
      .flatMap((of) => Object.keys(of.records ?? {}).map((kind) => ({ kind, isOfAccount: of === document })))
      .find(({ kind, isOfAccount }) => this.#registered.get(kind)?.isOfAccount !== isOfAccount)?.kind;
    if (unknown !== undefined) {
      throw new ImportError('import_kind_unknown', `The file holds records of the kind "${unknown}".`);
    }
    const { profiles, medications, appointments, healthStats } = this.#records;
    for (const profile of document.profiles) {
      const { id, kind, relationship } = profile;
      const of = { profileId: id };
      await step(() =>
        profiles.create({ id, kind, relationship, details: profile.details as ProfileDetails }, call),
      );
      // The service lists these records newest first. They are created one after another from the end, which
      // keeps their order.
      for (const { doses, details, ...each } of [...profile.medications].reverse()) {
        await step(() =>
          medications.restore({ ...each, ...of, details: details as MedicationDetails }, call),
        );
        // A proof of this account would make a dose true that nobody has entered.
        const proven = doses.filter(({ confirmed }) => confirmed !== false);
        report.skipped += doses.length - proven.length;
        await inParallel(proven, (dose) => step(() => medications.logDose(each.id, dose, call)));
      }
      for (const { details, ...each } of [...profile.appointments].reverse()) {
        await step(() =>
          appointments.restore({ ...each, ...of, details: details as AppointmentDetails }, call),
        );
      }
      await inParallel(profile.healthStats, ({ details, ...each }) =>
        step(() => healthStats.restore({ ...each, ...of, details: details as HealthStatDetails }, call)),
      );
      await this.#importRegistered(profile, id, call, step);
    }
    await this.#importRegistered(document, '', call, step);
    return report;
  }
}

/** A profile and all that belongs to it. */
function countRecords(profile: ExportedProfile): number {
  const { medications, appointments, healthStats } = profile;
  const doses = medications.reduce((sum, each) => sum + each.doses.length, 0);
  return 1 + medications.length + doses + appointments.length + healthStats.length + countRegistered(profile);
}

function countRegistered({ records = {} }: Registered): number {
  return Object.values(records).reduce((sum, each) => sum + each.length, 0);
}

async function inParallel<T>(items: readonly T[], run: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  let failed: { error: unknown } | undefined;
  const worker = async () => {
    for (const item of queue) {
      if (failed) return;
      await run(item).catch((error: unknown) => (failed ??= { error }));
    }
  };
  // What is under way ends first: after the end of an import nothing is stored, and no progress is told.
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  if (failed) throw failed.error;
}
