import {
  type ExportDocument,
  type ExportedProfile,
  ImportError,
  inspectFile,
  type Json,
  parseExportDocument,
} from '@app/client';
import { FhirFileError, type FhirContent, importFhir, parseBundle } from '@app/client/fhir';

/** What a chosen file is. Nothing of it is stored yet. */
export type Incoming =
  | { from: 'own'; exportedAt: string; profiles: ExportedProfile[] }
  | ({ from: 'fhir' } & FhirContent)
  | { from: 'csv'; text: string }
  | { from: 'encrypted'; bytes: Uint8Array<ArrayBuffer>; secret: 'password' | 'recovery-phrase' };

export const MOST_BYTES = 50_000_000;

/** The file is too large to be read. */
export class FileTooLargeError extends Error {
  readonly code = 'too_large';
}

/**
 * Finds out what a file is, and reads it.
 * @param untitled the title of a visit that has none in its file.
 * @throws FileTooLargeError, FhirFileError, ImportError
 */
export async function readIncoming(bytes: Uint8Array<ArrayBuffer>, untitled: string): Promise<Incoming> {
  if (bytes.length > MOST_BYTES) throw new FileTooLargeError();
  const secret = inspectFile(bytes);
  if (secret) return { from: 'encrypted', bytes, secret };
  const text = textOf(bytes);
  if (!/^\s*[{[]/.test(text)) {
    if (text.includes('\u0000')) throw new FhirFileError('not_json');
    return { from: 'csv', text };
  }
  const own = ownDocument(text);
  if (own) return fromDocument(own);
  return { from: 'fhir', ...(await importFhir(parseBundle(text), untitled)) };
}

export function fromDocument({ exportedAt, profiles }: ExportDocument): Incoming {
  return { from: 'own', exportedAt, profiles };
}

/** UTF-8, or what spreadsheets of Windows write. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}

/** The own export; undefined where the text is JSON of something else. @throws ImportError */
function ownDocument(text: string): ExportDocument | undefined {
  let parsed: Json;
  try {
    parsed = JSON.parse(text, (name, member: Json) => (name === '__proto__' ? undefined : member)) as Json;
  } catch {
    return undefined;
  }
  const format = (parsed as { format?: unknown } | null)?.format;
  if (typeof format !== 'string') return undefined;
  return parseExportDocument(parsed);
}

/** The code of what is wrong with a file; undefined for an error that has nothing to do with the file. */
export function fileProblemOf(error: unknown): string | undefined {
  if (error instanceof FileTooLargeError || error instanceof FhirFileError || error instanceof ImportError) {
    return error.code;
  }
  return (error as { name?: unknown }).name === 'CsvFileError' ? (error as { code: string }).code : undefined;
}
