import type { ObjectReader } from '../http/object-reader';

/** Members that the service leaves out. An older service leaves out more of them. */
export function optionalTexts<K extends string>(
  reader: ObjectReader,
  names: readonly K[],
): Partial<Record<K, string>> {
  const texts: Partial<Record<K, string>> = {};
  for (const name of names) {
    const text = reader.nullable(name, (member) => reader.text(member));
    if (text !== null && text !== undefined) texts[name] = text;
  }
  return texts;
}

/** A source of a finding, with the names of the HTTP API. */
export function readSource(source: ObjectReader): object {
  const { url_is, ...texts } = optionalTexts(source, ['url', 'url_is', 'section']);
  const urlIs = (['document', 'search', 'site'] as const).find((kind) => kind === url_is);
  return {
    id: source.text('id'),
    title: source.text('title'),
    publisher: source.text('publisher'),
    year: source.number('year'),
    ...texts,
    ...(urlIs && { urlIs }),
  };
}

/**
 * Removes an address that is not of the web, also one of the engine on the device. Security: a page makes a link of
 * it, so a `javascript:` address of a hostile service or knowledge base must not stay.
 */
export function dropStrangeAddress(source: { url?: string; urlIs?: string }): void {
  if (source.url?.startsWith('https://')) return;
  delete source.url;
  delete source.urlIs;
}
