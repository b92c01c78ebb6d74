import type { CodeableConcept, Coding, Reference } from 'fhir/r4';

/** A text that FHIR allows: not empty, no white space but blanks, tabs and line ends. */
export function fhirText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  const text = value.replace(/[^\S \r\n\t]/g, ' ').replace(/\p{Cc}/gu, (c) => (/[\r\n\t]/.test(c) ? c : ' '));
  return text.trim() === '' ? undefined : text.trim();
}

/** A member that is left out where the value is undefined. */
export function optional<N extends string, V>(name: N, value: V | undefined): { [K in N]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { [K in N]?: V };
}

/** A full date; FHIR also has years and months, which are no dates here. */
export function fullDate(value: unknown): string | undefined {
  const isDate = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}(?:T|$)/.test(value);
  return isDate && !Number.isNaN(Date.parse(value.slice(0, 10))) ? value.slice(0, 10) : undefined;
}

/** RFC 3339 with an offset, which FHIR demands of a time. */
export function fullTime(value: unknown): string | undefined {
  const pattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;
  if (typeof value !== 'string' || !pattern.test(value) || Number.isNaN(Date.parse(value))) return undefined;
  return value.replace(/T(\d{2}:\d{2})(Z|[+-]\d{2}:\d{2})$/, 'T$1:00$2');
}

export function concept(text: unknown, coding?: Coding): CodeableConcept {
  return { ...(coding && { coding: [coding] }), text: fhirText(text) ?? coding?.display ?? '?' };
}

/** The words of a concept: its text, or the name of its first coding that has one. */
export function conceptText(value: CodeableConcept | undefined): string | undefined {
  return (
    fhirText(value?.text) ??
    fhirText(value?.coding?.find(({ display }) => display)?.display) ??
    fhirText(value?.coding?.[0]?.code)
  );
}

export const urn = (id: string) => `urn:uuid:${id}`;
export const referenceTo = (id: string): Reference => ({ reference: urn(id) });
