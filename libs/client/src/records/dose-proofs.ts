import { isProven, proveDose, readProof } from '../crypto/dose-proof';
import { FIRST_GENERATION } from '../crypto/lineage';
import { IntegrityError, ProtocolError } from '../errors';
import { ObjectReader } from '../http/object-reader';
import type { SyncedKind } from '../offline/offline-host';
import { textOf, type WireBody } from '../offline/offline-rows';
import { readDose } from './dose-answers';
import type { RecordRoute } from './record-gateway';
import type { CallOptions, Dose } from './record-types';
import type { ServiceConnection } from './service-connection';

/** Why a dose is not believed. */
export type DoseDoubt = 'unproven' | 'rolled_back';

const FIRST = { generation: FIRST_GENERATION };

type ReadDose = Omit<Dose, 'confirmed'>;

const MESSAGES: Record<DoseDoubt, string> = {
  unproven: 'No device of this account has proved this dose.',
  rolled_back: 'The service shows a dose that was deleted.',
};

/** Doses are plaintext. A device proves those that it writes, and believes those that are proved. */
export class DoseProofs {
  constructor(
    private readonly connection: ServiceConnection,
    /** The profile of a medication, as it was sealed. */
    private readonly profileOf: (medicationId: string, options: CallOptions) => Promise<string>,
  ) {}

  /** @throws LockedError; ApiError `not_found` for a medication that does not exist. */
  async prove(dose: Omit<ReadDose, 'proof' | 'createdAt'>, options: CallOptions): Promise<string> {
    const profileId = await this.profileOf(dose.medicationId, options);
    const key = await this.connection.keyOf(profileId, options.signal);
    // Under the id of a deleted dose, another one is above it.
    const { generation } = this.connection.heads.next(profileId, dose.id) ?? FIRST;
    return proveDose(dose, { profileId, generation }, key);
  }

  /** From now on the service has a dose with a proof: none without one is written any more. */
  async noteProven(medicationId: string, options: CallOptions): Promise<void> {
    const profileId = await this.profileOf(medicationId, options);
    this.#noteProof(profileId);
    await this.connection.publishHead(profileId, options);
  }

  #noteProof(profileId: string): void {
    const { heads, places } = this.connection;
    heads.noteProof(Date.now(), places.realmOf(profileId));
  }

  /** The service has deleted a dose, as this device wanted. The head says so, or it could do that of itself. */
  async noteDeletion(medicationId: string, id: string, options: CallOptions): Promise<void> {
    const profileId = await this.profileOf(medicationId, options);
    this.connection.heads.noteDeletion(profileId, id, undefined);
    await this.connection.publishHead(profileId, options);
  }

  /** Opens what the proofs of a medication's doses need. */
  async prepare(medicationId: string, options: CallOptions): Promise<void> {
    await this.connection.keyOf(await this.profileOf(medicationId, options), options.signal);
  }

  /**
   * @param realm the space in which the dose was shown; empty for the account.
   * @returns `undefined` for a dose that a device has written.
   */
  async doubtOf(dose: ReadDose, realm: string): Promise<DoseDoubt | undefined> {
    const { proof } = dose;
    const doubt = this.doubtWithoutKey(dose, realm);
    if (doubt !== undefined || proof === null) return doubt;
    const of = readProof(proof);
    // None is open where the profile was deleted after the medication had moved to another, or never was.
    const key = of && this.connection.openKeyOf(of.profileId);
    if (!key || !(await isProven(dose, proof, key))) return 'unproven';
    this.connection.heads.note(of.profileId, dose.id, of.generation);
    return undefined;
  }

  /** What the outbox and the copy of this device ask about doses. */
  outbox(routeOf: (medicationId: string) => RecordRoute): SyncedKind {
    const { heads } = this.connection;
    return {
      routeOf: (body) => routeOf(new ObjectReader(body, 'dose').id('medication_id')),

      verify: async (body, realm = '') => {
        const dose = readDose(body);
        const doubt = await this.doubtOf(dose, realm);
        const reference = { kind: 'dose', id: dose.id };
        if (doubt) throw new IntegrityError(doubt, MESSAGES[doubt], reference);
        // A dose never changes: another one under its id is another state of the same generation.
        const state = `${dose.medicationId} ${dose.taken} ${Date.parse(dose.loggedAt)}`;
        return { profileId: '', generation: generationOf(dose), previous: null, state };
      },

      provedBy: (body) => readProof(textOf(body, 'proof'))?.profileId,

      isBelieved: (body, realm) => this.doubtWithoutKey(readDose(body), realm) === undefined,

      // Plaintext: who has logged a dose is always the word of the service.
      authorOf: (body) => Promise.resolve(typeof body.author_id === 'string' ? body.author_id : null),

      isDeleted: ({ id, generation }, realm) => heads.isDeletedAnywhere(id, generation, realm),

      // A dose that is made anew under its id keeps its proof.
      reseal: async (body) => {
        const anew = await this.#proveAnew(body);
        if (anew) return anew;
        const dose = readDose(body);
        return { proof: dose.proof ?? (await this.prove(dose, {})) };
      },

      isOfNow: async (body) => (await this.#proveAnew(body)) === undefined,

      sealAnew: async (body) => {
        const anew = await this.#proveAnew(body);
        return anew && { former_proof: textOf(body, 'proof'), ...anew };
      },

      note: async ({ before, after, gone }) => {
        const body = (after ?? before) as WireBody;
        const profileId = await this.profileOf(textOf(body, 'medication_id'), {});
        if (!after) {
          heads.noteDeletion(profileId, gone?.id ?? textOf(body, 'id'), undefined);
          return [profileId];
        }
        this.#noteProof(profileId);
        // No head lists the first state of a dose.
        const isFirst = generationOf(readDose(after)) === FIRST_GENERATION;
        return isFirst && !heads.lacksProof(profileId) ? [] : [profileId];
      },
    };
  }

  /** @returns `undefined` for a dose without a proof, or with one under the newest key of a profile that there is. */
  async #proveAnew(body: WireBody): Promise<{ proof: string } | undefined> {
    const dose = readDose(body);
    const of = dose.proof === null ? undefined : readProof(dose.proof);
    const key = of && this.connection.openKeyOf(of.profileId);
    if (!key || of.epoch >= key.epoch) return undefined;
    if (!(await isProven(dose, dose.proof!, key)))
      throw new IntegrityError('unproven', MESSAGES.unproven, { kind: 'dose', id: dose.id });
    return { proof: await proveDose(dose, of, key) };
  }

  /** As far as it can be said at once: of a dose that was compared with its proof before. */
  doubtWithoutKey(dose: ReadDose, realm: string): DoseDoubt | undefined {
    const { heads } = this.connection;
    const { id, proof, loggedAt } = dose;
    if (heads.isDeletedAnywhere(id, () => generationOf(dose), realm)) return 'rolled_back';
    // Older clients have written none. Since the first proof of the account, each client has.
    const isUnproven = proof === null && Date.parse(loggedAt) >= (heads.provenSince(realm) ?? Infinity);
    return isUnproven ? 'unproven' : undefined;
  }
}

function generationOf({ proof }: ReadDose): number {
  return (proof === null ? undefined : readProof(proof)?.generation) ?? FIRST_GENERATION;
}

/** @throws ProtocolError for an answer that does not show the dose that was sent. */
export function requireSentDose(
  answer: ReadDose,
  sent: { taken: boolean; loggedAt: string; proof: string },
): void {
  const isSame =
    answer.taken === sent.taken &&
    answer.proof === sent.proof &&
    Date.parse(answer.loggedAt) === Date.parse(sent.loggedAt);
  if (!isSame) throw new ProtocolError('The answer to a dose does not show what was written.');
}
