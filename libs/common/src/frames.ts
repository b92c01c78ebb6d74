import { types } from 'node:util';

const MOST_FRAMES = 12;

/** Where an error comes from. Security: without its message, which may quote data of a client. */
export function framesOf(error: unknown): string[] {
  // Unlike `instanceof`, this also recognises an error of another realm.
  const stack = types.isNativeError(error) ? (error.stack ?? '') : '';
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  return frames.slice(0, MOST_FRAMES).map((line) => line.trim());
}
