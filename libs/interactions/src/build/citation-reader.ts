import type { Citation } from '../compiled-base';
import type { EntryReader } from './entry-reader';
import { lookUp, type Registry } from './name-compiler';

/**
 * Reads the `sources` of a statement. A source is an id, or `{ id, label, section }`: the ingredient whose label it is, and
 * the section of it that says so. Complains about unknown sources and about fewer than `least`.
 */
export function readCitations(
  reader: EntryReader,
  registry: Registry,
  least: number,
): { sources: number[]; cited?: (Citation | null)[] } {
  const raw = reader.raw('sources');
  const sources: number[] = [];
  const cited: (Citation | null)[] = [];
  const listed = Array.isArray(raw) ? (raw as unknown[]) : [];
  for (const item of listed) {
    const fields = (typeof item === 'object' && item !== null ? item : { id: item }) as Record<
      string,
      unknown
    >;
    const text = (field: string): string | undefined => {
      const value = fields[field];
      if (value === undefined || typeof value === 'string') return value;
      reader.complain(`'${field}' in 'sources' must be text (put it in quotes)`);
      return undefined;
    };
    const [id, label, section] = ['id', 'label', 'section'].map(text);
    for (const other of Object.keys(fields).filter((field) => !['id', 'label', 'section'].includes(field)))
      reader.complain(`unknown field '${other}' in 'sources'`);
    const source = lookUp(reader, 'sources', id ?? '', registry);
    if (source === undefined) continue;
    if (sources.includes(source)) reader.complain('a source is listed twice');
    const ofLabel = label === undefined ? undefined : lookUp(reader, 'ingredients', label, registry);
    sources.push(source);
    cited.push(
      ofLabel === undefined && section === undefined
        ? null
        : {
            ...(ofLabel !== undefined && { label: ofLabel }),
            ...(section !== undefined && { section }),
          },
    );
  }
  if (listed.length < least)
    reader.complain(`needs at least ${least} source${least > 1 ? 's' : ''}, has ${listed.length}`);
  return { sources, ...(cited.some((citation) => citation !== null) && { cited }) };
}
