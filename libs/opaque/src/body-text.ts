import { endianness } from 'node:os';
import { ServiceError, validationError } from '@app/common';
import { fieldName, isName } from './field-name';
import { MAX_DEPTH, MAX_MEMBERS, MAX_NAME_LENGTH, MAX_STRING_LENGTH, MAX_VALUES } from './limits';

/** Up to this distance the next mark is searched unit by unit. Beyond it, the built-in search is faster. */
const SHORT = 48;
/** The same for the end of a string. */
const SHORT_STRING = 8;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
const OPEN_LIST = 0x5b;
const OPEN_OBJECT = 0x7b;

/** The characters that have a meaning outside of a string. */
const MARKS = ['"', ',', ':', '[', ']', '{', '}'];
/** By the unit of UTF-16. */
const IS_MARK = new Uint8Array(0x10000);
for (const mark of MARKS) IS_MARK[mark.charCodeAt(0)] = 1;

/** A member of the body. */
export interface BodyMember {
  name: string;
  isOpaque: boolean;
  /** Where its value begins and ends, if it is a string, an object or a list. */
  source: [from: number, to: number] | undefined;
  /** Members of all objects in the value. */
  innerCount: number;
}

/**
 * Reads the text of a body once, before `JSON.parse` reads it.
 *
 * It knows strings, brackets, colons and commas, and it also reads text that is not JSON. For such text the
 * result has no meaning, and `JSON.parse` refuses it afterwards. A broken rule is therefore only kept, and
 * only the limits that protect `JSON.parse` are thrown.
 */
export class BodyText {
  /** Those that are opaque or have inner members. Empty if the body is not an object. */
  readonly members: BodyMember[] = [];
  /** For each member of the body, the positions of its name with its quotes. */
  readonly names: number[] = [];
  /** Members of all objects. */
  memberCount = 0;
  /** The first broken rule. It has no meaning if the text is not JSON. */
  refusal: ServiceError | undefined;

  /** Values outside of opaque ones. */
  private valueCount = 0;
  /** The units of the text. An array of numbers is read faster than a string. */
  private readonly units: Uint8Array | Uint16Array;
  /** Whether the value of a member of the body is being read. Its name is the last one. */
  private isInMember = false;
  /** The name of this member, if it is opaque. */
  private opaqueField: string | undefined;
  /** Members of all objects before its value. */
  private countBefore = 0;
  /** Where its value begins and ends, if it is a string, an object or a list. */
  private valueFrom = 0;
  private valueTo = 0;
  /** The first quote and the first backslash at or after a position that has been passed. */
  private quote = -1;
  private backslash = -1;
  /** The same for each mark. */
  private marks: number[] | undefined;

  /**
   * @param text what `bytes` hold, valid UTF-8.
   * @param opaqueFields the members of the body inside of which any name and any string is allowed.
   * @throws ServiceError `malformed_json` for nesting over `MAX_DEPTH`, `payload_too_large` for more than
   *   `MAX_MEMBERS` members, or `MAX_VALUES` values outside of opaque ones.
   */
  constructor(
    private readonly text: string,
    bytes: Buffer,
    private readonly opaqueFields: readonly string[],
  ) {
    // ASCII: every other character has more bytes than units.
    this.units = text.length === bytes.length ? bytes : unitsOf(text);
    this.read();
  }

  private read(): void {
    const { units } = this;
    const { length } = units;
    let depth = 0;
    let stringFrom = 0;
    let stringTo = 0;
    let valueFrom = 0;
    let at = 0;
    for (;;) {
      const near = Math.min(at + SHORT, length);
      while (at < near && IS_MARK[units[at]] === 0) at++;
      if (at >= near) at = this.nextMark(at);
      // The end of a string that is not closed is beyond the end of the text.
      if (at >= length) return;
      switch (units[at]) {
        case QUOTE:
          stringFrom = at;
          stringTo = at = this.endOfString(at);
          if (stringTo - stringFrom > MAX_STRING_LENGTH) this.refuseLongString();
          if (depth === 1) this.noteValue(stringFrom, stringTo);
          continue;
        case COLON:
          this.beginMember(depth, stringFrom, stringTo);
          break;
        case COMMA:
          if (depth === 1) this.endMember();
          this.countValue();
          break;
        case OPEN_OBJECT:
        case OPEN_LIST:
          if (++depth > MAX_DEPTH) throw tooDeep();
          this.countValue();
          if (depth === 2) valueFrom = at;
          break;
        default: // a closing bracket
          if (depth === 1) this.endMember();
          if (--depth === 1) this.noteValue(valueFrom, at + 1);
      }
      at++;
    }
  }

  /** Called at each comma and opening bracket: there are as many as values, and one more for each empty list. */
  private countValue(): void {
    if (this.opaqueField === undefined && ++this.valueCount > MAX_VALUES)
      throw tooMany('values outside of encrypted ones', MAX_VALUES);
  }

  /** The next mark after a long run of other characters: blanks, or a long number. */
  private nextMark(at: number): number {
    const marks = (this.marks ??= MARKS.map(() => -1));
    let next = this.text.length;
    for (let index = 0; index < MARKS.length; index++) {
      if (marks[index] < at) marks[index] = this.find(MARKS[index], at);
      if (marks[index] < next) next = marks[index];
    }
    return next;
  }

  /** Called after a colon. In JSON, the last string before a colon is a name. */
  private beginMember(depth: number, nameFrom: number, nameTo: number): void {
    if (++this.memberCount > MAX_MEMBERS) throw tooMany('members', MAX_MEMBERS);
    if (this.opaqueField !== undefined) return;
    if (nameTo - nameFrom > MAX_NAME_LENGTH) this.refuseLongName(nameFrom, nameTo);
    // Without a string before it, the colon is not JSON.
    if (depth !== 1 || nameTo === 0) return;
    this.names.push(nameFrom, nameTo);
    this.isInMember = true;
    this.countBefore = this.memberCount;
    this.valueTo = 0;
    this.opaqueField = this.opaqueAt(nameFrom, nameTo);
  }

  /** A name is compared unit by unit: most differ in the first one. To make a string of each takes longer. */
  private opaqueAt(from: number, to: number): string | undefined {
    const { opaqueFields, units } = this;
    for (let index = 0; index < opaqueFields.length; index++)
      if (isName(opaqueFields[index], units, from + 1, to - 1)) return opaqueFields[index];
    return undefined;
  }

  /** Called after a string, an object or a list in the body. It is the whole value if a member has begun. */
  private noteValue(from: number, to: number): void {
    this.valueFrom = from;
    this.valueTo = to;
  }

  /** Called after the value of a member of the body. */
  private endMember(): void {
    if (!this.isInMember) return;
    const { opaqueField, valueFrom, valueTo } = this;
    const innerCount = this.memberCount - this.countBefore;
    const isOpaque = opaqueField !== undefined;
    if (isOpaque || innerCount > 0) {
      const source: BodyMember['source'] = valueTo > 0 ? [valueFrom, valueTo] : undefined;
      this.members.push({ name: opaqueField ?? this.lastName(), isOpaque, source, innerCount });
    }
    this.isInMember = false;
    this.opaqueField = undefined;
  }

  /** The whole name of the last member of the body. To decode the escapes of each name would take too long. */
  private lastName(): string {
    const [from, to] = this.names.slice(-2);
    try {
      return JSON.parse(this.text.slice(from, to)) as string;
    } catch {
      return this.text.slice(from, to);
    }
  }

  /**
   * The position after the string that begins at `from`.
   *
   * Refuses what PostgreSQL cannot store (NUL) and what has no UTF-8 form (a lone surrogate). Valid UTF-8 has
   * them only as escapes.
   */
  private endOfString(from: number): number {
    const { units } = this;
    const isOpaque = this.opaqueField !== undefined;
    const { length } = units;
    /** The end of an escaped high surrogate. An escaped low one must begin there. */
    let highEnd = 0;
    let at = from + 1;
    for (;;) {
      const near = Math.min(at + SHORT_STRING, length);
      while (at < near && units[at] !== QUOTE && units[at] !== BACKSLASH) at++;
      if (at >= near) at = this.nextOfString(at);
      if (at >= length || units[at] === QUOTE) break;
      const isUnit = units[at + 1] === LOWER_U;
      if (isUnit && !isOpaque) highEnd = this.judgeEscape(at, highEnd);
      at += isUnit ? 6 : 2;
    }
    if (highEnd > 0) this.refuseSurrogate();
    return at + 1;
  }

  /** For an escape with `u`. @returns its end if it is a high surrogate, otherwise 0. */
  private judgeEscape(at: number, highEnd: number): number {
    const kind = kindOfEscape(this.units, at);
    if (kind === OTHER && highEnd === 0) return 0;
    if (kind === NUL) this.refuse('must not contain the character U+0000');
    if (kind === LOW ? highEnd !== at : highEnd > 0) this.refuseSurrogate();
    return kind === HIGH ? at + 6 : 0;
  }

  /** The next quote or backslash. */
  private nextOfString(at: number): number {
    if (this.quote < at) this.quote = this.find('"', at);
    if (this.backslash < at) this.backslash = this.find('\\', at);
    return Math.min(this.quote, this.backslash);
  }

  private find(character: string, from: number): number {
    const at = this.text.indexOf(character, from);
    return at < 0 ? this.text.length : at;
  }

  private refuseSurrogate(): void {
    this.refuse('must be well-formed Unicode');
  }

  private refuseLongName(from: number, to: number): void {
    const rule = `has a name of more than ${MAX_NAME_LENGTH} characters`;
    this.refuse(rule, this.isInMember ? this.lastName() : this.text.slice(from + 1, to));
  }

  private refuseLongString(): void {
    if (this.opaqueField !== undefined) return;
    const field = fieldName(this.fieldBeingRead());
    this.refusal ??= new ServiceError('payload_too_large', {
      sentence: `The field ${field} has a text of more than ${MAX_STRING_LENGTH} characters.`,
    });
  }

  private fieldBeingRead(): string {
    return this.isInMember ? this.lastName() : 'body';
  }

  private refuse(rule: string, name = this.fieldBeingRead()): void {
    const field = fieldName(name);
    this.refusal ??= validationError([{ field, message: `${field} ${rule}` }]);
  }
}

const OTHER = 0;
const NUL = 1;
const HIGH = 2;
const LOW = 3;

/** The kind of the escape with `u` at a backslash: one of the four numbers above. */
function kindOfEscape(units: Uint8Array | Uint16Array, at: number): number {
  const first = units[at + 2];
  if (first === 0x30)
    return units[at + 3] === 0x30 && units[at + 4] === 0x30 && units[at + 5] === 0x30 ? NUL : OTHER;
  if (first !== 0x44 && first !== 0x64) return OTHER;
  const second = units[at + 3];
  // D800 to DBFF, then DC00 to DFFF. A letter may have either case.
  if (second === 0x38 || second === 0x39) return HIGH;
  const letter = second | 0x20;
  if (letter === 0x61 || letter === 0x62) return HIGH;
  return letter >= 0x63 && letter <= 0x66 ? LOW : OTHER;
}

function unitsOf(text: string): Uint16Array {
  const bytes = Buffer.from(text, 'utf16le');
  if (endianness() === 'BE') bytes.swap16();
  return new Uint16Array(bytes.buffer, bytes.byteOffset, text.length);
}

function tooDeep(): ServiceError {
  return new ServiceError('malformed_json', {
    sentence: `The request body nests deeper than ${MAX_DEPTH} levels.`,
  });
}

function tooMany(kind: string, most: number): ServiceError {
  return new ServiceError('payload_too_large', {
    sentence: `The request body has more than ${most} ${kind}.`,
  });
}
