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
  /** Names of the last states from which this one was made, the newest first. */
  earlier?: string;
}

/**
 * The place of one sealed state in the history of its record. Clients count it, so that the service can
 * neither invent nor renumber a state.
 */
export interface Lineage extends Ancestry {
  /** Names this state: base64 of the tag of its ciphertext. */
  state: string;
  /** The epoch of the key that has sealed it. Absent for the first one. */
  epoch?: number;
}

/** How many earlier states a state names, and the characters that name one. */
const [MOST_EARLIER, NAME_CHARACTERS] = [12, 6];
const nameOf = ({ generation, state }: Pick<Lineage, 'generation' | 'state'>) =>
  `${generation}.${state.slice(0, NAME_CHARACTERS)}`;
const namesIn = (earlier: string | undefined) => earlier?.split(' ') ?? [];

/**
 * The ancestry of a state that was made from one state, or from several that a person has compared: from all of them then.
 * The newest one is its previous state; of two equal generations the first.
 */
export function successorOf(...all: readonly Lineage[]): Ancestry & { previous: string } {
  const newestFirst = [...all].sort((a, b) => b.generation - a.generation);
  const names = new Set(newestFirst.flatMap((each) => [nameOf(each), ...namesIn(each.earlier)]));
  const byGeneration = [...names].sort((a, b) => parseInt(b) - parseInt(a));
  const [{ generation, state: previous }] = newestFirst;
  return { generation: generation + 1, previous, earlier: byGeneration.slice(0, MOST_EARLIER).join(' ') };
}

/** The names in the content of a state. What a client has kept without understanding it does not begin with the previous one. */
export function earlierIn(earlier: unknown, previous: string | null): { earlier?: string } {
  if (typeof earlier !== 'string' || previous === null) return {};
  const [first] = earlier.split(' ', 1);
  return first.endsWith(`.${previous.slice(0, NAME_CHARACTERS)}`) ? { earlier } : {};
}

/** Whether a state was made from ours; `undefined` where it names no state that is as old. */
export function isMadeFrom(
  { generation, previous, earlier }: Ancestry,
  ours: Pick<Lineage, 'generation' | 'state'>,
): boolean | undefined {
  const names = namesIn(earlier);
  if (previous === ours.state || names.includes(nameOf(ours))) return true;
  const oldest = Math.min(generation - 1, ...names.map((name) => parseInt(name)));
  return oldest <= ours.generation ? false : undefined;
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
