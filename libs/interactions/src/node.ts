import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { KnowledgeBase } from './types';

/** The compiled base as a server needs it. Only for Node: a browser fetches `text` and parses it. */
export interface LoadedKnowledge {
  base: KnowledgeBase;
  /** The exact JSON text of `base`, ready to be sent. */
  text: string;
  /** A strong entity tag with its quotes: the SHA-256 of `text`. */
  etag: string;
}

const COMPILED_FILE = join(__dirname, '..', 'knowledge-base.json');
const SOURCE_FOLDER = join(__dirname, '..', 'knowledge');

/**
 * Loads the base that the build wrote; where there is none (tests run from the sources) it compiles the YAML folder.
 * Rejects with `KnowledgeError` when that folder has faults.
 */
export async function loadKnowledge(): Promise<LoadedKnowledge> {
  const text = existsSync(COMPILED_FILE) ? await readFile(COMPILED_FILE, 'utf8') : await compileFromSources();
  const base = JSON.parse(text) as KnowledgeBase;
  return { base, text, etag: `"${createHash('sha256').update(text).digest('base64url')}"` };
}

/** Imported only here: the YAML parser is no dependency of a running service. */
async function compileFromSources(): Promise<string> {
  const { compileKnowledge } = await import('./build/compile-knowledge.js');
  return JSON.stringify(compileKnowledge(SOURCE_FOLDER));
}
