import { fromBase64, toBase64 } from '../encoding';
import { randomBytes } from './web-crypto';

/**
 * When a part of a record was changed, sealed with it: base64 of milliseconds since 1970 (6 bytes), a count of changes in
 * one millisecond (2 bytes) and 4 random bytes that name the client. A hybrid logical clock.
 * Source: Kulkarni et al., "Logical Physical Clocks", 2014.
 */
export type EditStamp = string;

/** The stamps of a record by the names of its units; the empty name stands for all else. */
export type EditTimes = Readonly<Record<string, EditStamp>>;

const STAMP_BYTES = 12;
const CLIENT_BYTES = 4;
const MAX_COUNT = 0xffff;
/** A time that lies further ahead was written by a clock that is wrong. */
export const MAX_AHEAD_MS = 5 * 60_000;

let client: Uint8Array | undefined;
/** The last stamp of this process. No two changes have the same, whichever client of the process made them. */
let issued = { ms: 0, count: 0 };

/** The stamp of a change that was made now, after another one. */
export function stampAfter(before: EditStamp | undefined, nowMs = Date.now()): EditStamp {
  client ??= randomBytes(CLIENT_BYTES);
  let last = readStamp(before) ?? { ms: 0, count: 0 };
  // A clock that is far ahead is not carried on.
  if (isFarAhead(last.ms, nowMs)) last = { ms: 0, count: 0 };
  const ms = Math.max(last.ms, nowMs);
  if (issued.ms === ms && (last.ms < ms || issued.count > last.count)) last = issued;
  const isCounted = last.ms === ms;
  const isFull = isCounted && last.count === MAX_COUNT;
  issued = { ms: isFull ? ms + 1 : ms, count: isCounted && !isFull ? last.count + 1 : 0 };
  const bytes = new Uint8Array(STAMP_BYTES);
  const view = new DataView(bytes.buffer);
  view.setUint16(0, Math.floor(issued.ms / 2 ** 32));
  view.setUint32(2, issued.ms % 2 ** 32);
  view.setUint16(6, issued.count);
  bytes.set(client, STAMP_BYTES - CLIENT_BYTES);
  return toBase64(bytes);
}

/** @returns `undefined` for a value that is no stamp. */
export function readStamp(value: unknown): { ms: number; count: number; client: string } | undefined {
  const bytes = typeof value === 'string' ? fromBase64(value) : undefined;
  if (bytes?.length !== STAMP_BYTES) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const ms = view.getUint16(0) * 2 ** 32 + view.getUint32(2);
  const hex = view
    .getUint32(8)
    .toString(16)
    .padStart(2 * CLIENT_BYTES, '0');
  return { ms, count: view.getUint16(6), client: hex };
}

/**
 * Whether the first change is the later one. A stamp that is missing is the earlier one, and so is one that lies more than
 * five minutes ahead where the other does not.
 */
export function isLater(a: EditStamp | undefined, b: EditStamp | undefined, nowMs = Date.now()): boolean {
  const [one, two] = [readStamp(a), readStamp(b)];
  if (!one || !two) return one !== undefined;
  const [oneIsWrong, twoIsWrong] = [isFarAhead(one.ms, nowMs), isFarAhead(two.ms, nowMs)];
  if (oneIsWrong !== twoIsWrong) return twoIsWrong;
  return one.ms - two.ms > 0 || (one.ms === two.ms && one.count > two.count) || isTieWon(one, two);
}

function isTieWon(one: { ms: number; count: number; client: string }, two: typeof one): boolean {
  return one.ms === two.ms && one.count === two.count && one.client > two.client;
}

function isFarAhead(ms: number, nowMs: number): boolean {
  return ms > nowMs + MAX_AHEAD_MS;
}

/** The stamp of one part. */
export function timeOfPart(times: EditTimes | undefined, part: string): EditStamp | undefined {
  return times?.[part] ?? times?.[''];
}

/** The times after changes of these parts. A part of the same time as the rest has no entry of its own. */
export function withTimes(
  before: EditTimes | undefined,
  parts: Readonly<Record<string, EditStamp | undefined>>,
): EditTimes {
  const names = new Set(['', ...Object.keys(before ?? {}), ...Object.keys(parts)]);
  const all = [...names].map((name) => [name, parts[name] ?? timeOfPart(before, name)] as const);
  const rest = all.find(([name]) => name === '')?.[1];
  const own = all.filter(([name, stamp]) => stamp !== undefined && (name === '' || stamp !== rest));
  return Object.fromEntries(own as [string, EditStamp][]);
}

/** @returns `undefined` for a value of another form. */
export function readTimes(value: unknown): EditTimes | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const valid = Object.entries(value).filter(([, stamp]) => readStamp(stamp));
  return valid.length === 0 ? undefined : Object.fromEntries(valid as [string, EditStamp][]);
}
