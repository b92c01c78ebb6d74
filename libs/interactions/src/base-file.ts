import type { KnowledgeBase } from './compiled-base';

const TRANSLATED = ',"translated":';

/**
 * A base as text: JSON in two lines. The second line holds the translated sentences: more than a third of the file, and a
 * start needs none of them.
 */
export function textOfBase(base: KnowledgeBase): string {
  const { translated, ...facts } = base;
  const head = JSON.stringify(facts);
  return translated ? `${head.slice(0, -1)}\n${TRANSLATED}${JSON.stringify(translated)}}` : head;
}

/** Reads such a text, or any JSON of a base. The translated sentences are parsed when they are first asked for. */
export function readBase(bytes: Buffer): KnowledgeBase {
  const end = bytes.indexOf('\n');
  const rest = end + 1;
  if (end < 0 || bytes.toString('latin1', rest, rest + TRANSLATED.length) !== TRANSLATED)
    return JSON.parse(bytes.toString()) as KnowledgeBase;
  const base = JSON.parse(`${bytes.toString('utf8', 0, end)}}`) as KnowledgeBase;
  const parse = (): KnowledgeBase['translated'] =>
    JSON.parse(
      bytes.toString('utf8', rest + TRANSLATED.length, bytes.lastIndexOf('}')),
    ) as KnowledgeBase['translated'];
  Object.defineProperty(base, 'translated', {
    enumerable: true,
    configurable: true,
    get: () => {
      const value = parse();
      Object.defineProperty(base, 'translated', { value, enumerable: true });
      return value;
    },
  });
  return base;
}
