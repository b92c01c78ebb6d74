import type { Bytes } from '../encoding';

/** The frame head of version 1: the version alone. */
export const FRAME_HEAD_1 = Uint8Array.of(1);
/** Bytes of the length field, between frame head and content. */
const LENGTH_BYTES = 4;
/**
 * Nearly every record of a person fits into this length. A name, a blood pressure and a dose then have equal
 * lengths.
 */
export const MIN_FRAME_BYTES = 256;

/**
 * The padded length of `length` bytes: at least 256; above that, the next length whose low bits are zero. A
 * length then reveals O(log log length) bits. The padding adds at most 12 %, and less for longer contents.
 * Source: Padmé, in "Reducing Metadata Leakage from Encrypted Files and Communication with PURBs", PETS 2019.
 */
export function paddedLength(length: number): number {
  if (length <= MIN_FRAME_BYTES) return MIN_FRAME_BYTES;
  const exponent = 31 - Math.clz32(length);
  const kept = 32 - Math.clz32(exponent);
  const step = 2 ** (exponent - kept);
  return Math.ceil(length / step) * step;
}

/**
 * Builds a frame: frame head, length of the content (4 bytes, big-endian), content, zero bytes.
 * @param head its first byte is the version, which decides its length.
 */
export function frame(content: Uint8Array, head: Uint8Array = FRAME_HEAD_1): Bytes {
  const start = head.length + LENGTH_BYTES;
  const framed = new Uint8Array(paddedLength(start + content.length));
  framed.set(head);
  new DataView(framed.buffer).setUint32(head.length, content.length);
  framed.set(content, start);
  return framed;
}

/**
 * The frame head and the content of a frame. Every byte of the frame is checked, so each content has exactly one
 * frame.
 * @param headBytes the length of the frame head of this version.
 * @returns `undefined` when the bytes are not a frame of this version.
 */
export function unframe(
  framed: Uint8Array,
  version: number = FRAME_HEAD_1[0],
  headBytes: number = FRAME_HEAD_1.length,
): { head: Uint8Array; content: Uint8Array } | undefined {
  if (framed.length < MIN_FRAME_BYTES || framed[0] !== version) return undefined;
  const start = headBytes + LENGTH_BYTES;
  const end = start + new DataView(framed.buffer, framed.byteOffset).getUint32(headBytes);
  if (paddedLength(end) !== framed.length) return undefined;
  for (let at = end; at < framed.length; at += 1) if (framed[at] !== 0) return undefined;
  return { head: framed.subarray(0, headBytes), content: framed.subarray(start, end) };
}
