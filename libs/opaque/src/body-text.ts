import { invalidField, ServiceError } from '@app/common';
import { fieldName } from './field-name';
import { MAX_DEPTH, MAX_MEMBERS, MAX_NAME_LENGTH, MAX_STRING_LENGTH, MAX_VALUES } from './limits';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** A member of the body. */
export interface BodyMember {
  name: string;
  isOpaque: boolean;
  /** Where its value begins and ends, blanks around it included. */
  from: number;
  to: number;
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
  /** Empty if the body is not an object. */
  readonly members: BodyMember[] = [];
  /** Members of all objects. */
  memberCount = 0;
  /** The first broken rule. */
  refusal: ServiceError | undefined;

  private readonly names = new Set<string>();
  /** Values outside of opaque ones. */
  private valueCount = 0;
  /** The member of the body whose value is being read. */
  private member: BodyMember | undefined;

  /**
   * @param opaqueFields the members of the body inside of which any name and any string is allowed.
   * @throws ServiceError `malformed_json` for nesting over `MAX_DEPTH`, `payload_too_large` for more than
   *   `MAX_MEMBERS` members, or `MAX_VALUES` values outside of opaque ones.
   */
  constructor(
    private readonly text: string,
    private readonly opaqueFields: readonly string[],
  ) {
    let depth = 0;
    let [from, to] = [0, 0];
    for (let at = 0; at < text.length; at++) {
      switch (text.charCodeAt(at)) {
        case QUOTE:
          [from, to] = [at, endOfString(text, at)];
          if (to - from > MAX_STRING_LENGTH) this.refuseLongString();
          at = to - 1;
          break;
        case COLON:
          this.beginMember(depth, from, to, at + 1);
          break;
        case COMMA:
          if (depth === 1) this.endMember(at);
          this.countValue();
          break;
        case OPEN_OBJECT:
        case OPEN_LIST:
          if (++depth > MAX_DEPTH) throw tooDeep();
          this.countValue();
          break;
        case CLOSE_OBJECT:
        case CLOSE_LIST:
          if (depth-- === 1) this.endMember(at);
      }
    }
  }

  /** Called at each comma and opening bracket: there are as many as values, and one more for each empty list. */
  private countValue(): void {
    if (!this.member?.isOpaque && ++this.valueCount > MAX_VALUES)
      throw tooMany('values outside of encrypted ones', MAX_VALUES);
  }

  /** Called after a colon. In JSON, the last string before a colon is a name. */
  private beginMember(depth: number, nameFrom: number, nameTo: number, valueFrom: number): void {
    if (++this.memberCount > MAX_MEMBERS) throw tooMany('members', MAX_MEMBERS);
    if (this.member?.isOpaque) return;
    const name = depth === 1 ? nameIn(this.text.slice(nameFrom, nameTo)) : this.fieldBeingRead();
    if (nameTo - nameFrom > MAX_NAME_LENGTH)
      this.refuse(name, `has a name of more than ${MAX_NAME_LENGTH} characters`);
    if (depth !== 1) return;
    if (this.names.has(name)) this.refuse(name, 'is given twice');
    this.names.add(name);
    const isOpaque = this.opaqueFields.includes(name);
    this.member = { name, isOpaque, from: valueFrom, to: valueFrom, innerCount: -this.memberCount };
  }

  /** Called after the value of a member of the body. */
  private endMember(to: number): void {
    if (!this.member) return;
    this.member.to = to;
    this.member.innerCount += this.memberCount;
    this.members.push(this.member);
    this.member = undefined;
  }

  private refuseLongString(): void {
    if (this.member?.isOpaque) return;
    const field = fieldName(this.fieldBeingRead());
    this.refusal ??= new ServiceError('payload_too_large', {
      sentence: `The field ${field} has a text of more than ${MAX_STRING_LENGTH} characters.`,
    });
  }

  private fieldBeingRead(): string {
    return this.member?.name ?? 'body';
  }

  private refuse(name: string, rule: string): void {
    const field = fieldName(name);
    this.refusal ??= invalidField(field, `${field} ${rule}`);
  }
}

/**
 * The source texts of the items of a list.
 *
 * @param text valid JSON. @returns `undefined` for another value than a list.
 */
export function itemTexts(text: string): string[] | undefined {
  if (!text.startsWith('[')) return undefined;
  const items: string[] = [];
  let [depth, begin] = [0, 1];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at) - 1;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth++;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth--;
    else if (code === COMMA && depth === 1) {
      items.push(text.slice(begin, at).trim());
      begin = at + 1;
    }
  }
  const last = text.slice(begin, -1).trim();
  return last === '' ? items : [...items, last];
}

/** The position after the string that begins at `from`, or after the text. */
function endOfString(text: string, from: number): number {
  for (let at = from; ;) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let escapes = at;
    while (text.charCodeAt(escapes - 1) === BACKSLASH) escapes--;
    if ((at - escapes) % 2 === 0) return at + 1;
  }
}

/** @param source a name with its quotes. */
function nameIn(source: string): string {
  try {
    return source.includes('\\') ? (JSON.parse(source) as string) : source.slice(1, -1);
  } catch {
    return source;
  }
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
