import { ProtocolError } from '../errors';
import { isId } from '../ids';
import { isJsonObject, type Json, type JsonObject } from '../json';

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Reads one object of an answer, member by member. It copies no unknown members, and it reports a member of
 * the wrong type at once.
 */
export class ObjectReader {
  readonly #object: JsonObject;
  readonly #what: string;

  /**
   * @param what the name of the answer, for the error message.
   * @throws ProtocolError when the value is not an object.
   */
  constructor(value: unknown, what: string) {
    if (!isJsonObject(value)) throw new ProtocolError(`${what} is not an object.`);
    this.#object = value;
    this.#what = what;
  }

  /** The unchecked member; `undefined` when absent. Inherited members are ignored. */
  raw(name: string): Json | undefined {
    return Object.hasOwn(this.#object, name) ? this.#object[name] : undefined;
  }

  /** Any text. @throws ProtocolError */
  text(name: string): string {
    const value = this.raw(name);
    return typeof value === 'string' ? value : this.fail(name, 'a string');
  }

  /** `true` or `false`. @throws ProtocolError */
  boolean(name: string): boolean {
    const value = this.raw(name);
    return typeof value === 'boolean' ? value : this.fail(name, 'a boolean');
  }

  /** A finite number. @throws ProtocolError */
  number(name: string): number {
    const value = this.raw(name);
    return typeof value === 'number' && Number.isFinite(value) ? value : this.fail(name, 'a number');
  }

  /** A whole number that is at least `least`. */
  integer(name: string, least = 0): number {
    const value = this.raw(name);
    return Number.isSafeInteger(value) && (value as number) >= least
      ? (value as number)
      : this.fail(name, `a whole number from ${least}`);
  }

  /** A UUID in lower case. */
  id(name: string): string {
    const value = this.raw(name);
    return isId(value) ? value : this.fail(name, 'a UUID');
  }

  /** An RFC 3339 date-time. */
  timestamp(name: string): string {
    const value = this.raw(name);
    return typeof value === 'string' && TIMESTAMP.test(value) && !Number.isNaN(Date.parse(value))
      ? value
      : this.fail(name, 'a timestamp');
  }

  /** The result of `read` for the member, or `null` when the member is `null` or absent. */
  nullable<T>(name: string, read: (name: string) => T): T | null {
    const value = this.raw(name);
    return value === null || value === undefined ? null : read.call(this, name);
  }

  /** A reader of an object in this one. @throws ProtocolError */
  object(name: string): ObjectReader {
    return new ObjectReader(this.raw(name), `${this.#what}.${name}`);
  }

  /** Says what a member should be. @throws ProtocolError */
  fail(name: string, expected: string): never {
    throw new ProtocolError(`${this.#what}.${name} is not ${expected}.`);
  }
}

/** The elements of an array. @throws ProtocolError when the value is not an array. */
export function readArray(value: unknown, what: string): unknown[] {
  if (!Array.isArray(value)) throw new ProtocolError(`${what} is not an array.`);
  return value as unknown[];
}
