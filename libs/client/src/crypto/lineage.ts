import { fromBase64, toBase64, type Bytes } from '../encoding';
import { InvalidArgumentError } from '../errors';
import { TAG_BYTES } from './web-crypto';

/** The generation of a new record, and of every record of format version 1. */
export const FIRST_GENERATION = 1;
/** A generation has 4 bytes. */
const MAX_GENERATION = 2 ** 32 - 1;
const VERSION = 2;
/** Version (1), key epoch (4), generation (4), previous state (16). */
export const FRAME_HEAD_BYTES = 9 + TAG_BYTES;

/** What a new state of a record says about the one before it. */
export interface Ancestry {
  /** 1 for a new record; greater than that of every earlier state. */
  generation: number;
  /** The state that this one replaces; `null` for a new record. */
  previous: string | null;
}

/**
 * The place of one sealed state in the history of its record. Clients count it, so that the service can
 * neither invent nor renumber a state.
 */
export interface Lineage extends Ancestry {
  /** Names this state: base64 of the tag of its ciphertext. */
  state: string;
}

/** The frame head of version 2. @throws InvalidArgumentError for a lineage that no client has read. */
export function writeFrameHead(epoch: number, { generation, previous }: Ancestry): Bytes {
  const head = new Uint8Array(FRAME_HEAD_BYTES);
  if (!Number.isInteger(generation) || generation < FIRST_GENERATION || generation > MAX_GENERATION) {
    throw new InvalidArgumentError('A lineage has no valid generation.');
  }
  const view = new DataView(head.buffer);
  view.setUint8(0, VERSION);
  view.setUint32(1, epoch);
  view.setUint32(5, generation);
  if (previous !== null) {
    const state = fromBase64(previous);
    if (state?.length !== TAG_BYTES) throw new InvalidArgumentError('A lineage names no state.');
    head.set(state, 9);
  }
  return head;
}

/** @returns `undefined` for a frame head that no client writes. */
export function readFrameHead(head: Uint8Array): (Ancestry & { epoch: number }) | undefined {
  const view = new DataView(head.buffer, head.byteOffset);
  const [epoch, generation] = [view.getUint32(1), view.getUint32(5)];
  const previous = head.subarray(9, FRAME_HEAD_BYTES);
  if (epoch === 0 || generation === 0) return undefined;
  return { epoch, generation, previous: previous.every((byte) => byte === 0) ? null : toBase64(previous) };
}
