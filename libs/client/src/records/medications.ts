import { InvalidArgumentError } from '../errors';
import { MEDICATION, STORED_MEDICATION } from '../documents/schemas/medication';
import type { OfflineEngine } from '../offline/offline-store';
import { newId, requireId } from '../ids';
import { deviceTimeZone, requireKnownMembers, toInstant } from '../inputs';
import { isJsonObject, type JsonObject } from '../json';
import { ObjectReader } from '../http/object-reader';
import { completeList } from './complete-list';
import type { CollectionDefinition } from './collection-definition';
import { checkOptions, collect, EncryptedCollection, signalOf } from './encrypted-collection';
import { readAdherence, readDose } from './dose-answers';
import { DoseProofs, requireSentDose } from './dose-proofs';
import type {
  Adherence,
  CallOptions,
  Dose,
  DoseSchedule,
  ListOptions,
  Medication,
  MedicationDetails,
  MedicationMeta,
} from './record-types';
import { underNewestKey } from './places';
import { authorOf } from './record-author';
import type { RecordRoute, WireRecord } from './record-gateway';
import type { ServiceConnection } from './service-connection';

const DOSE = 'dose';
const PATH = '/api/medications';

/** Doses have no route for one dose and none for a change. */
function dosesOf(medicationId: string): RecordRoute {
  return {
    kind: DOSE,
    path: `${PATH}/${medicationId}/log`,
    orderBy: 'loggedAt',
    updateMethod: 'POST',
    deleteMethod: 'POST',
    parent: { medication_id: medicationId },
  };
}

function readSchedule(reader: ObjectReader): DoseSchedule | null {
  const raw = reader.raw('dose_schedule');
  if (raw === null || raw === undefined) return null;
  if (!isJsonObject(raw)) return reader.fail('dose_schedule', 'an object');
  const timesPerDay = new ObjectReader(raw, 'dose_schedule').integer('times_per_day', 1);
  const days = raw.days_of_week;
  if (days === undefined || days === null) return { timesPerDay };
  if (!Array.isArray(days) || !days.every((day) => typeof day === 'number' || typeof day === 'string')) {
    return reader.fail('dose_schedule.days_of_week', 'a list of days');
  }
  return { timesPerDay, daysOfWeek: [...days] as (number | string)[] };
}

function writeSchedule(schedule: DoseSchedule | null): JsonObject | null {
  if (!schedule) return null;
  const { timesPerDay, daysOfWeek } = schedule;
  return { times_per_day: timesPerDay, ...(daysOfWeek ? { days_of_week: [...daysOfWeek] } : {}) };
}

/** What stands alone. All else is one unit: what is taken, how much, how and when. */
const ALONE = new Set([
  'profileId',
  ...['notes', 'prescriber', 'reason', 'stock', 'skips', 'changes', 'seen'].map((name) => `details.${name}`),
]);
export const unitOfMedication = (field: string) => (ALONE.has(field) ? '' : 'medicine');

const definition: CollectionDefinition<MedicationDetails, MedicationMeta> = {
  kind: 'medication',
  route: { kind: 'medication', path: PATH, updateMethod: 'POST', deleteMethod: 'POST' },
  readMeta: (reader) => ({ route: reader.text('route'), schedule: readSchedule(reader) }),
  writeMeta: ({ route, schedule }) => ({ route, dose_schedule: writeSchedule(schedule) }),
  inputs: { route: true, schedule: true },
  unitOf: unitOfMedication,
  stored: STORED_MEDICATION,
  details: MEDICATION,
};

/** Medications, their doses and adherence. */
export class Medications extends EncryptedCollection<MedicationDetails, MedicationMeta> {
  readonly #proofs: DoseProofs;

  constructor(
    connection: ServiceConnection,
    /** Computes adherence on the device, if there is a cache. */
    private readonly cache?: Pick<OfflineEngine, 'adherence'>,
  ) {
    super(connection, definition);
    this.#proofs = new DoseProofs(connection, async (id, options) => {
      return (
        connection.ledger.parentOf({ kind: definition.kind, id }) ?? (await this.get(id, options)).profileId
      );
    });
    connection.kinds.set(DOSE, this.#proofs.outbox(dosesOf));
  }

  /** Newest first. Pages are fetched during the iteration. @throws see `completeList` */
  iterate(
    filter: { profileId?: string } = {},
    options: ListOptions = {},
  ): AsyncGenerator<Medication, void, undefined> {
    requireKnownMembers(filter, { profileId: true }, 'The filter');
    const profileId = filter.profileId && requireId(filter.profileId, 'The profile id');
    return this.listWith(
      { profile_id: profileId },
      (seen) => !profileId || seen.parent === profileId,
      options,
    );
  }

  /** All medications in one array, newest first; empty when there are none. */
  async list(filter: { profileId?: string } = {}, options: ListOptions = {}): Promise<Medication[]> {
    return collect(this.iterate(filter, options));
  }

  /**
   * Logs a dose as taken or skipped. A retry after a lost answer does not log the dose twice. A second call
   * logs another dose; with the same `id` it is refused (`id_taken`).
   * @param dose.loggedAt at most five minutes in the future. Default: the time of the call. The dose is proved with it.
   */
  async logDose(
    medicationId: string,
    dose: { taken: boolean; loggedAt?: Date | string; id?: string },
    options: CallOptions = {},
  ): Promise<Dose> {
    const mark = this.connection.ledger.mark();
    const id = dose.id === undefined ? newId() : requireId(dose.id, 'The id');
    checkOptions(options);
    requireKnownMembers(dose, { id: true, taken: true, loggedAt: true }, 'A dose');
    if (typeof dose.taken !== 'boolean')
      throw new InvalidArgumentError('A dose is taken or not: true or false.');
    const loggedAt = toInstant(dose.loggedAt ?? new Date(), 'The time of a dose');
    const parent = requireId(medicationId, 'The id');
    const { taken } = dose;
    const { sent, answer } = await underNewestKey(async () => {
      const proof = await this.#proofs.prove({ id, medicationId: parent, taken, loggedAt }, options);
      const dose = { taken, loggedAt, id, proof };
      return { sent: dose, answer: await this.connection.records.create(dosesOf(parent), dose, options) };
    });
    const logged = await this.#noteDose(answer, parent, mark);
    if (logged.pending) return logged;
    requireSentDose(logged, sent);
    await this.#proofs.noteProven(parent, options);
    return logged;
  }

  /** Doses of a medication, newest first. Pages are fetched during the iteration. */
  iterateDoses(medicationId: string, options: ListOptions = {}): AsyncGenerator<Dose, void, undefined> {
    checkOptions(options);
    const parent = requireId(medicationId, 'The id');
    let prepared: Promise<void> | undefined;
    return completeList(this.connection, {
      kind: DOSE,
      route: dosesOf(parent),
      query: {},
      options,
      matches: (seen) => seen.parent === parent,
      canProbe: false,
      read: async (element, mark) => {
        await (prepared ??= this.#proofs.prepare(parent, options));
        const record = await this.#noteDose(element, parent, mark);
        return { id: record.id, record };
      },
    });
  }

  /** All doses of a medication in one array, newest first. */
  async doses(medicationId: string, options: ListOptions = {}): Promise<Dose[]> {
    return collect(this.iterateDoses(medicationId, options));
  }

  /** Deletes a dose that was logged by mistake. */
  async deleteDose(medicationId: string, doseId: string, options: CallOptions = {}): Promise<void> {
    const id = requireId(doseId, 'The dose id');
    const parent = requireId(medicationId, 'The id');
    const route = dosesOf(parent);
    const forgotten = this.connection.ledger.forget({ kind: DOSE, id });
    try {
      await this.connection.records.delete(route, id, options);
    } catch (error) {
      forgotten.undo();
      throw error;
    }
    if (!this.connection.records.isDeferred) await this.#proofs.noteDeletion(parent, id, options);
  }

  /**
   * Adherence over the 30 calendar dates that end today in `timeZone` (IANA name, default that of the
   * device). With an offline store, the device computes it from confirmed doses. Else it is what the service says.
   */
  async adherence(
    medicationId: string,
    options: CallOptions & { timeZone?: string } = {},
  ): Promise<Adherence> {
    const id = requireId(medicationId, 'The id');
    if (this.cache) return this.cache.adherence(id, options.timeZone ?? deviceTimeZone(), options);
    const request = {
      method: 'GET',
      path: `${PATH}/${id}/adherence`,
      query: { tz: options.timeZone ?? deviceTimeZone() },
      ...signalOf(options),
    } as const;
    const space = await this.connection.spaceOfMedication(id, {});
    const answer = await (space
      ? this.connection.places.sendIn(space, request)
      : this.connection.send(request));
    return readAdherence(answer.body);
  }

  async #noteDose(wire: WireRecord, medicationId: string, mark: number): Promise<Dose> {
    const { body, isPending, isUnproven = false, doubt: known } = wire;
    const dose = readDose(body);
    if (dose.medicationId !== medicationId) {
      new ObjectReader(body, DOSE).fail('medication_id', 'the medication that was asked for');
    }
    const { ledger, records, places } = this.connection;
    const realm = await this.connection.spaceOfMedication(medicationId, {});
    const space = places.ofSpace(realm);
    const author = space ? authorOf(this.connection, space.profileId, body, null, isPending) : {};
    if (isPending) return { ...dose, ...author, confirmed: true, pending: true };
    // What the copy of this device shows was compared with its proof before it was stored.
    const code = await (records.isDeferred
      ? this.#proofs.doubtWithoutKey(dose, realm)
      : this.#proofs.doubtOf(dose, realm));
    const doubt = known ?? (code && { code, since: new Date().toISOString() });
    const confirmed = !isUnproven && code === undefined;
    const judged = { ...dose, ...author, confirmed, ...(doubt && { doubt }) };
    ledger.check(mark);
    // What is not believed is not held against what comes later.
    if (!judged.confirmed) return judged;
    const fingerprint = `${dose.taken} ${dose.loggedAt}`;
    const reference = { kind: DOSE, id: dose.id };
    ledger.observe(reference, { revision: 1, parent: dose.medicationId, fingerprint }, mark);
    return judged;
  }
}
