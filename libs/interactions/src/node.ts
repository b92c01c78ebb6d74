import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readBase } from './base-file';
import type { KnowledgeBase } from './compiled-base';
import { editionOf } from './edition';
import type { Language } from './texts/language';

/** The compiled base for a server. Only for Node: a browser fetches an edition and parses it. */
export interface LoadedKnowledge {
  base: KnowledgeBase;
  /** An edition, ready to send. Made at each call. */
  edition: (language: Language) => TextOfEdition;
}

export interface TextOfEdition {
  /** JSON. */
  text: string;
  /** A strong entity tag with its quotes: the SHA-256 of `text`. */
  etag: string;
}

/** Next to the built code. If the code runs from its sources (in tests), the output of the last build. */
const COMPILED_FILES = [
  join(__dirname, '..', 'knowledge-base.json'),
  join(__dirname, '..', '..', '..', 'dist', 'libs', 'interactions', 'knowledge-base.json'),
];
const SOURCE_FOLDER = join(__dirname, '..', 'knowledge');

/**
 * Loads the base from the build. If there is none, compiles the YAML folder.
 * Rejects with `KnowledgeError` when that folder has faults.
 */
export async function loadKnowledge(): Promise<LoadedKnowledge> {
  const compiled = COMPILED_FILES.find((file) => existsSync(file));
  const base = compiled ? readBase(await readFile(compiled)) : await compileFromSources();
  return { base, edition: (language) => taggedText(editionOf(base, language)) };
}

function taggedText(edition: KnowledgeBase): TextOfEdition {
  const text = JSON.stringify(edition);
  return { text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` };
}

/** Imported only here, because a running service does not depend on the YAML parser. */
async function compileFromSources(): Promise<KnowledgeBase> {
  const { compileKnowledge } = await import('./build/compile-knowledge.js');
  return compileKnowledge(SOURCE_FOLDER);
}
