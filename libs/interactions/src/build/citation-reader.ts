import type { Citation } from '../types';
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
    const { id, label, section, ...others } = (
      typeof item === 'object' && item !== null ? item : { id: item }
    ) as {
      id?: unknown;
      label?: unknown;
      section?: unknown;
    };
    if (
      typeof id !== 'string' ||
      [label, section].some((text) => text !== undefined && typeof text !== 'string')
    )
      reader.complain(`'sources' holds ${JSON.stringify(item)}; write an id, or { id, label, section }`);
    for (const other of Object.keys(others)) reader.complain(`unknown field '${other}' in 'sources'`);
    const source = lookUp(reader, 'sources', String(id), registry);
    if (source === undefined) continue;
    if (sources.includes(source)) reader.complain('a source is listed twice');
    const ofLabel = label === undefined ? undefined : lookUp(reader, 'ingredients', String(label), registry);
    sources.push(source);
    cited.push(
      ofLabel === undefined && section === undefined
        ? null
        : {
            ...(ofLabel !== undefined && { label: ofLabel }),
            ...(section !== undefined && { section: String(section) }),
          },
    );
  }
  if (listed.length < least)
    reader.complain(`needs at least ${least} source${least > 1 ? 's' : ''}, has ${listed.length}`);
  return { sources, ...(cited.some((citation) => citation !== null) && { cited }) };
}
