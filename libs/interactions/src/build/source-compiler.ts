import type { CompiledSource } from '../compiled-base';
import { LABEL_TOPICS } from '../label-topics';
import { URL_KINDS } from '../types';
import { EntryReader, type Problems } from './entry-reader';
import type { Entry } from './knowledge-reader';
import type { Registry } from './name-compiler';

/**
 * Compiles the sources. Each needs an address, and what opens there (`url_is`). A source that stands for the labels of
 * all drugs (`drug_url`) also needs the section for each topic.
 */
export function compileSources(
  entries: readonly Entry[],
  registry: Registry,
  problems: Problems,
): CompiledSource[] {
  const sources: CompiledSource[] = [];
  for (const entry of entries) {
    const reader = new EntryReader(entry, 'source', problems, 'id');
    const id = reader.text('id');
    const source = readSource(reader, id);
    reader.refuseOthers();
    if (!id) continue;
    if (registry.sources.has(id)) {
      reader.complain('this id exists already');
      continue;
    }
    registry.sources.set(id, sources.length);
    sources.push(source);
  }
  return sources;
}

function readSource(reader: EntryReader, id: string): CompiledSource {
  const title = reader.text('title');
  const publisher = reader.text('publisher');
  const year = reader.number('year');
  const url = reader.text('url');
  const url_is = reader.oneOf('url_is', URL_KINDS, 'document');
  const drugUrl = reader.optionalText('drug_url');
  const drugName = reader.has('drug_name') ? reader.oneOf('drug_name', ['inn'] as const) : undefined;
  const sections = readSections(reader);
  if (drugUrl && !/^https:\/\/\S*\{drug\}\S*$/.test(drugUrl))
    reader.complain(`'drug_url' must begin with https:// and hold {drug}`);
  if (url && !/^https?:\/\/\S+$/.test(url)) reader.complain(`'url' must begin with https://`);
  if (year === undefined) reader.complain(`'year' is missing`);
  else if (!Number.isInteger(year) || year < 1900 || year > 2100) reader.complain(`'year' is ${year}`);
  return {
    id,
    title,
    publisher,
    year: year ?? 0,
    url,
    url_is,
    ...(drugUrl && { drugUrl }),
    ...(drugName && { drugName }),
    ...(sections && { sections }),
  };
}

function readSections(reader: EntryReader): CompiledSource['sections'] {
  const value = reader.raw('sections');
  if (value === undefined) return undefined;
  const given = value as Record<string, unknown>;
  const missing = LABEL_TOPICS.filter((topic) => typeof given[topic] !== 'string');
  const unknown = Object.keys(given).filter((topic) => !LABEL_TOPICS.some((known) => known === topic));
  if (missing.length > 0) reader.complain(`'sections' needs ${missing.join(', ')}`);
  if (unknown.length > 0) reader.complain(`'sections' has the unknown topic ${unknown.join(', ')}`);
  return given;
}
