import type { Entry } from './knowledge-reader';

/** All complaints about the folder, in the order of their detection. */
export type Problems = string[];

/**
 * Reads the fields of one entry. Complains about missing, mistyped or unknown fields, with file, line and
 * entry.
 */
export class EntryReader {
  private readonly fields: Record<string, unknown>;
  private readonly read = new Set<string>();
  private readonly label: string;

  constructor(
    private readonly entry: Entry,
    what: string,
    private readonly problems: Problems,
    nameField: string,
  ) {
    const value = entry.value;
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    this.fields = isObject ? (value as Record<string, unknown>) : {};
    const name = this.fields[nameField];
    this.label = typeof name === 'string' ? `${what} '${name}'` : what;
    if (!isObject) this.complain('must be a map of fields');
  }

  /** Adds a complaint about this entry. */
  complain(message: string): void {
    this.problems.push(`${this.entry.file}:${this.entry.line}: ${this.label}: ${message}`);
  }

  /** True when the entry has the field. */
  has(field: string): boolean {
    return this.fields[field] !== undefined && this.fields[field] !== null;
  }

  /** The unchecked value of a field. */
  raw(field: string): unknown {
    this.read.add(field);
    return this.has(field) ? this.fields[field] : undefined;
  }

  /** A non-empty string without spaces at its ends. Complains and returns `''` when it is missing. */
  text(field: string): string {
    const value = this.optionalText(field);
    if (value === undefined && !this.has(field)) this.complain(`'${field}' is missing`);
    return value ?? '';
  }

  optionalText(field: string): string | undefined {
    const value = this.raw(field);
    if (value === undefined) return undefined;
    if (typeof value === 'string' && value.trim() !== '') return value.trim().replace(/\s+/g, ' ');
    this.complain(`'${field}' must be text${typeof value === 'number' ? ' (put it in quotes)' : ''}`);
    return undefined;
  }

  oneOf<T extends string>(field: string, allowed: readonly T[], fallback?: T): T {
    const value = this.raw(field);
    if (value === undefined && fallback !== undefined) return fallback;
    if (value === undefined) this.complain(`'${field}' is missing; one of ${allowed.join(', ')}`);
    else if (allowed.includes(value as T)) return value as T;
    else
      this.complain(
        `'${field}' is '${typeof value === 'string' ? value : JSON.stringify(value)}'; allowed are ${allowed.join(', ')}`,
      );
    return allowed[0];
  }

  number(field: string): number | undefined {
    const value = this.raw(field);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isFinite(value) && value > 0) return value;
    this.complain(`'${field}' must be a number above zero`);
    return undefined;
  }

  /** A list of strings; empty when the field is absent. */
  texts(field: string): string[] {
    const value = this.raw(field);
    if (value === undefined) return [];
    if (!Array.isArray(value)) {
      this.complain(`'${field}' must be a list, in square brackets`);
      return [];
    }
    return value.flatMap((item) => {
      if (typeof item === 'string' && item.trim() !== '') return [item.trim()];
      this.complain(
        `'${field}' holds ${JSON.stringify(item)}, which is not text${typeof item === 'number' ? ' (put it in quotes)' : ''}`,
      );
      return [];
    });
  }

  /** A date as YYYY-MM-DD. */
  date(field: string): string {
    const value = this.text(field);
    if (value && (!/^\d{4}-\d{2}-\d{2}$/.test(value) || Number.isNaN(Date.parse(value)))) {
      this.complain(`'${field}' is '${value}'; write a date as 2026-11-20`);
    }
    return value;
  }

  /** A text of exactly `count` sentences. */
  sentences(field: string, count: number): string {
    const value = this.text(field);
    if (!value) return value;
    const found = countSentences(value);
    if (!/[.!?]$/.test(value)) this.complain(`'${field}' must end with a full stop`);
    else if (found !== count) this.complain(`'${field}' has ${found} sentences, must have ${count}`);
    const unknown = value.match(/\{(?!a\}|b\})[^}]{0,20}\}?/);
    if (unknown) this.complain(`'${field}' holds '${unknown[0]}'; only {a} and {b} are replaced`);
    return value;
  }

  /** Complains about every field that no call has read. Call it last. */
  refuseOthers(): void {
    for (const field of Object.keys(this.fields)) {
      if (!this.read.has(field)) this.complain(`unknown field '${field}'`);
    }
  }
}

/**
 * Counts sentences: a full stop, question mark or exclamation mark before a space or the end. Common
 * abbreviations do not end a sentence.
 */
export function countSentences(text: string): number {
  const plain = text.replace(/\b(?:e\.g|i\.e|approx|vs|St|Dr|etc|incl|max|min|cf)\.(?=[\s,;)])(?!$)/g, '');
  return (plain.match(/[.!?]+["')\]]*(?=\s|$)/g) ?? []).length;
}

/** A hint with the known name nearest to a mistyped one; empty when no name is near. */
export function didYouMean(
  name: string,
  known: Iterable<string>,
  distance: (a: string, b: string, limit: number) => number,
): string {
  let best = '';
  let bestDistance = Math.min(4, Math.ceil(name.length / 3) + 1);
  for (const candidate of known) {
    const found = distance(name, candidate, bestDistance);
    if (found < bestDistance) [best, bestDistance] = [candidate, found];
  }
  return best ? ` (did you mean '${best}'?)` : '';
}
