import { bytesOfUuid, fromBase64, toBase64, uuidOf } from '../encoding';
import { isJsonObject } from '../json';
import { FIRST_GENERATION } from './lineage';

/**
 * The least generation that each record of a profile must have, by record id. A deleted record has one more
 * than its last state, so that no state of it is new enough.
 */
export type Head = ReadonlyMap<string, number>;

const ID_BYTES = 16;
const ENTRY_BYTES = ID_BYTES + 4;
/** More entries would make every change of a record expensive. The oldest ids are left out. */
export const MAX_HEAD_ENTRIES = 1000;

/** Which entries of a head are records that exist, by kind: a bit for each entry, the first in the highest bit. */
export type Presence = Record<string, string>;

/** @param kindOf the kind of a record that exists; `undefined` for one that was deleted or is not known. */
export function encodePresence(head: Head, kindOf: (id: string) => string | undefined): Presence {
  const ids = [...decodeHead(encodeHead(head))!.keys()];
  const bits = new Map<string, Uint8Array<ArrayBuffer>>();
  ids.forEach((id, at) => {
    const kind = kindOf(id);
    if (kind === undefined) return;
    const bytes = bits.get(kind) ?? new Uint8Array(Math.ceil(ids.length / 8));
    bytes[at >> 3] |= 0x80 >> (at & 7);
    bits.set(kind, bytes);
  });
  return Object.fromEntries([...bits].sort().map(([kind, bytes]) => [kind, toBase64(bytes)]));
}

/** The kind of each record that exists, by id. @returns `undefined` for a value that is no presence of this head. */
export function decodePresence(head: Head, value: unknown): Map<string, string> | undefined {
  const present = new Map<string, string>();
  if (value === undefined) return present;
  if (!isJsonObject(value)) return undefined;
  const ids = [...head.keys()];
  for (const [kind, text] of Object.entries(value)) {
    const bytes = typeof text === 'string' ? fromBase64(text) : undefined;
    if (bytes?.length !== Math.ceil(ids.length / 8)) return undefined;
    ids.forEach((id, at) => {
      if (bytes[at >> 3] & (0x80 >> (at & 7))) present.set(id, kind);
    });
  }
  return present;
}

/** Base64 of the entries: id (16 bytes), generation (4 bytes, big-endian), in the order of the ids. */
export function encodeHead(head: Head): string {
  const entries = [...head].sort(([a], [b]) => (a < b ? -1 : 1)).slice(-MAX_HEAD_ENTRIES);
  const bytes = new Uint8Array(entries.length * ENTRY_BYTES);
  const view = new DataView(bytes.buffer);
  entries.forEach(([id, generation], at) => {
    bytes.set(bytesOfUuid(id), at * ENTRY_BYTES);
    view.setUint32(at * ENTRY_BYTES + ID_BYTES, generation);
  });
  return toBase64(bytes);
}

/** @returns `undefined` for a value that is not a head. */
export function decodeHead(text: unknown): Map<string, number> | undefined {
  const bytes = typeof text === 'string' ? fromBase64(text) : undefined;
  if (!bytes || bytes.length % ENTRY_BYTES !== 0 || bytes.length > MAX_HEAD_ENTRIES * ENTRY_BYTES) {
    return undefined;
  }
  const head = new Map<string, number>();
  const view = new DataView(bytes.buffer);
  let before = '';
  for (let at = 0; at < bytes.length; at += ENTRY_BYTES) {
    const id = uuidOf(bytes.subarray(at, at + ID_BYTES));
    const generation = view.getUint32(at + ID_BYTES);
    if (id <= before || generation < FIRST_GENERATION) return undefined;
    head.set(id, generation);
    before = id;
  }
  return head;
}
