import { ServiceError, validationError } from '@app/common';
import { fieldName } from './field-name';
import { MAX_DEPTH, MAX_MEMBERS, MAX_NAME_LENGTH, MAX_STRING_LENGTH } from './limits';

/**
 * Names with a meaning in JavaScript. No request class has such a field, and no library should receive one.
 */
const RESERVED_FIELDS = new Set(['__proto__', 'constructor', 'prototype']);

/** Strings up to this length are searched in JavaScript. For longer ones, the built-in search is faster. */
const SHORT_STRING = 24;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** A member of the body, with the position of its value in the text. Blanks may be around the value. */
export interface BodyMember {
  name: string;
  from: number;
  to: number;
}

/**
 * Reads the text of a body once, before `JSON.parse` reads it.
 *
 * It knows strings, brackets, colons and commas, and it also reads text that is not JSON. For such text the
 * result has no meaning, and `JSON.parse` refuses it afterwards. A broken rule is therefore only kept, and
 * only the limits that protect `JSON.parse` are thrown.
 */
export class BodyText {
  /** In their order. Empty if the body is not an object. */
  readonly members: BodyMember[] = [];
  /** The first broken rule. It has no meaning if the text is not JSON. */
  refusal: ServiceError | undefined;

  /** The names of the open object at each depth, outside of opaque values. */
  private readonly names: (Set<string> | undefined)[] = [];
  private depth = 0;
  private memberCount = 0;
  /** The member of the body whose value is being read. */
  private member: BodyMember | undefined;
  private isOpaque = false;
  /** The first backslash that may follow the present position. */
  private backslash: number;

  /**
   * @param opaqueFields the members of the body inside of which any name and any string is allowed.
   * @throws ServiceError `malformed_json` for nesting over `MAX_DEPTH`, `payload_too_large` for more than
   *   `MAX_MEMBERS` members.
   */
  constructor(
    private readonly text: string,
    private readonly opaqueFields: ReadonlySet<string>,
  ) {
    this.backslash = this.find('\\', 0);
    this.read();
  }

  private read(): void {
    const { text } = this;
    const { length } = text;
    let stringFrom = 0;
    let stringTo = 0;
    let at = 0;
    while (at < length) {
      switch (text.charCodeAt(at)) {
        case QUOTE:
          stringFrom = at;
          stringTo = at = this.readString(at);
          continue;
        case COLON:
          this.beginMember(stringFrom, stringTo, at + 1);
          break;
        case COMMA:
          if (this.depth === 1) this.endMember(at);
          break;
        case OPEN_OBJECT:
        case OPEN_LIST:
          this.open();
          break;
        case CLOSE_OBJECT:
        case CLOSE_LIST:
          if (this.depth === 1) this.endMember(at);
          this.depth--;
          break;
      }
      at++;
    }
  }

  private open(): void {
    if (++this.depth > MAX_DEPTH)
      throw new ServiceError('malformed_json', {
        sentence: `The request body nests deeper than ${MAX_DEPTH} levels.`,
      });
    this.names[this.depth] = undefined;
  }

  /** Called after a colon. In JSON, the last string before a colon is a name. */
  private beginMember(nameFrom: number, nameTo: number, valueFrom: number): void {
    if (++this.memberCount > MAX_MEMBERS)
      throw new ServiceError('payload_too_large', {
        sentence: `The request body has more than ${MAX_MEMBERS} members.`,
      });
    if (this.isOpaque) return;
    if (nameTo - nameFrom > MAX_NAME_LENGTH) {
      const start = this.text.slice(nameFrom + 1, nameTo);
      return this.refuse(this.member?.name ?? start, `has a name of more than ${MAX_NAME_LENGTH} characters`);
    }
    const name = this.nameIn(nameFrom, nameTo);
    const names = (this.names[this.depth] ??= new Set());
    const isTwice = names.has(name);
    names.add(name);
    if (this.depth > 1) {
      if (isTwice) this.refuse(this.fieldHere(), 'must not contain a name twice');
      return;
    }
    if (isTwice) this.refuse(name, 'is given twice');
    if (RESERVED_FIELDS.has(name)) this.refuse(name, 'is not a field of this request');
    this.member = { name, from: valueFrom, to: valueFrom };
    this.isOpaque = this.opaqueFields.has(name);
  }

  /** Called after the value of a member of the body. */
  private endMember(at: number): void {
    if (this.member === undefined) return;
    this.member.to = at;
    this.members.push(this.member);
    this.member = undefined;
    this.isOpaque = false;
  }

  private nameIn(from: number, to: number): string {
    const text = this.text.slice(from + 1, to - 1);
    if (!text.includes('\\')) return text;
    try {
      return JSON.parse(this.text.slice(from, to)) as string;
    } catch {
      return text;
    }
  }

  /** @returns the position after the string that begins at `from`. */
  private readString(from: number): number {
    const to = this.endOfString(from);
    if (to - from > MAX_STRING_LENGTH && !this.isOpaque)
      this.refusal ??= new ServiceError('payload_too_large', {
        sentence: `The field ${this.fieldHere()} has a text of more than ${MAX_STRING_LENGTH} characters.`,
      });
    return to;
  }

  private endOfString(from: number): number {
    const { text } = this;
    const near = Math.min(from + SHORT_STRING, text.length);
    for (let at = from + 1; at < near; at++) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) return at + 1;
      if (code === BACKSLASH) return this.endOfEscaped(at);
    }
    const quote = this.find('"', near);
    if (this.backslash < near) this.backslash = this.find('\\', near);
    return this.backslash < quote ? this.endOfEscaped(this.backslash) : quote + 1;
  }

  /**
   * The position after a string whose first escape is at `escape`.
   *
   * Refuses what PostgreSQL cannot store (NUL) and what has no UTF-8 form (a lone surrogate). Valid UTF-8 text
   * has them only as escapes.
   */
  private endOfEscaped(escape: number): number {
    const { text } = this;
    /** The end of an escaped high surrogate. An escaped low one must begin there. */
    let highEnd = 0;
    let at = escape;
    for (;;) {
      const code = text.charCodeAt(at);
      if (code === BACKSLASH) {
        const kind = this.isOpaque ? 'other' : kindOfEscape(text, at);
        if (kind === 'nul') this.refuse(this.fieldHere(), 'must not contain the character U+0000');
        if (kind === 'low' ? highEnd !== at : highEnd > 0) this.refuseSurrogate();
        highEnd = kind === 'high' ? at + 6 : 0;
        at += 2;
        continue;
      }
      // NaN: the text ends within the string, so it is not JSON.
      if (code === QUOTE || Number.isNaN(code)) break;
      at++;
    }
    if (highEnd > 0) this.refuseSurrogate();
    return at + 1;
  }

  private refuseSurrogate(): void {
    this.refuse(this.fieldHere(), 'must be well-formed Unicode');
  }

  private fieldHere(): string {
    return fieldName(this.member?.name ?? 'body');
  }

  private refuse(name: string, rule: string): void {
    const field = fieldName(name);
    this.refusal ??= validationError([{ field, message: `${field} ${rule}` }]);
  }

  private find(character: string, from: number): number {
    const at = this.text.indexOf(character, from);
    return at < 0 ? this.text.length : at;
  }
}

/** The kind of the escape at a backslash. */
function kindOfEscape(text: string, at: number): 'nul' | 'high' | 'low' | 'other' {
  if (text.charCodeAt(at + 1) !== 0x75) return 'other';
  const first = text.charCodeAt(at + 2);
  if (first === 0x30) return text.startsWith('000', at + 3) ? 'nul' : 'other';
  if (first !== 0x44 && first !== 0x64) return 'other';
  const second = text.charCodeAt(at + 3);
  // D800 to DBFF, then DC00 to DFFF; the digit may be a letter of either case.
  if (second === 0x38 || second === 0x39) return 'high';
  const letter = second | 0x20;
  if (letter === 0x61 || letter === 0x62) return 'high';
  return letter >= 0x63 && letter <= 0x66 ? 'low' : 'other';
}
