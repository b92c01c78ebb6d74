import { bytesOfUuid, concatBytes, fromBase64, toBase64, utf8, uuidOf, type Bytes } from '../encoding';
import { doseProofText } from './labels';
import { FIRST_GENERATION } from './lineage';
import type { OpenProfileKey } from './profile-key';
import { subtle } from './web-crypto';

/** What of a dose a proof covers: all that the service could change. */
export interface ProvenDose {
  medicationId: string;
  id: string;
  taken: boolean;
  /** RFC 3339. */
  loggedAt: string;
}

/** The part of a proof that can be read without a key. */
export interface ProofHead {
  /** The profile under whose key the proof was made. The medication may have moved to another one since. */
  profileId: string;
  /** 1, and more for a dose that was made anew under the id of a deleted one. */
  generation: number;
}

const VERSION = 1;
const [EPOCH_AT, GENERATION_AT, PROFILE_AT, MAC_AT] = [1, 5, 9, 25];
const PROOF_BYTES = MAC_AT + 32;

/**
 * Proves that a device with the key of the profile has written a dose: version (1 byte), key epoch (4), generation (4),
 * profile id (16), HMAC-SHA-256 (32).
 */
export async function proveDose(dose: ProvenDose, of: ProofHead, key: OpenProfileKey): Promise<string> {
  const head = new Uint8Array(MAC_AT);
  head[0] = VERSION;
  new DataView(head.buffer).setUint32(EPOCH_AT, key.epoch);
  new DataView(head.buffer).setUint32(GENERATION_AT, of.generation);
  head.set(bytesOfUuid(of.profileId), PROFILE_AT);
  const mac = await subtle().sign('HMAC', key.doses, textOf(dose, of));
  return toBase64(concatBytes(head, new Uint8Array(mac)));
}

/** @returns `undefined` for a text that is no proof. */
export function readProof(proof: string): (ProofHead & { epoch: number }) | undefined {
  const bytes = fromBase64(proof);
  if (bytes?.length !== PROOF_BYTES || bytes[0] !== VERSION) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const [epoch, generation] = [view.getUint32(EPOCH_AT), view.getUint32(GENERATION_AT)];
  if (generation < FIRST_GENERATION) return undefined;
  return { epoch, generation, profileId: uuidOf(bytes.subarray(PROFILE_AT, MAC_AT)) };
}

/** @param key of the profile that the proof names. Its former keys prove, too. */
export async function isProven(dose: ProvenDose, proof: string, key: OpenProfileKey): Promise<boolean> {
  const [bytes, of] = [fromBase64(proof), readProof(proof)];
  const by = [key, ...(key.older ?? [])].find(({ epoch }) => epoch === of?.epoch);
  if (!bytes || !of || !by) return false;
  return subtle().verify('HMAC', by.doses, bytes.slice(MAC_AT), textOf(dose, of));
}

function textOf({ medicationId, id, taken, loggedAt }: ProvenDose, of: ProofHead): Bytes {
  const what = taken ? 'taken' : 'skipped';
  return utf8(doseProofText([of.profileId, medicationId, id, of.generation, what, Date.parse(loggedAt)]));
}
