import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type Node } from 'yaml';

/** The lists that a file may hold. Each file holds exactly one. */
export const SECTIONS = [
  'sources',
  'tags',
  'ingredients',
  'combinations',
  'rules',
  'duplicates',
  'doses',
  'child_doses',
  'sums',
  'species',
  'lookalikes',
  'meanings',
  'strengths',
  'burdens',
  'person',
  'facts',
  'fine',
  'local',
  'rescue',
  'glossary',
  'texts',
] as const;

export type Section = (typeof SECTIONS)[number];

/** One entry of a file, unchanged, and its place. */
export interface Entry {
  file: string;
  line: number;
  value: unknown;
}

/** The whole folder, read but not yet checked. */
export interface KnowledgeFolder {
  manifest?: Entry;
  /** Brands of registers: one table for each country. */
  brandFiles: KnowledgeFile[];
  /** Translations of sentences. */
  sentenceFiles: KnowledgeFile[];
  entries: Record<Section, Entry[]>;
  problems: string[];
}

/** A file of the folder: its path inside the folder, with `/`, and its text. */
export interface KnowledgeFile {
  path: string;
  text: string;
}

/** True for the path of a file that belongs to the base. */
export function isKnowledgePath(path: string): boolean {
  return /\.ya?ml$/.test(path) || /(?:^|[/\\])(?:brands|sentences)[/\\][^/\\]+\.tsv$/.test(path);
}

/** Reads every file of the base below a folder, sorted by path. Throws when the folder cannot be read. */
export function readKnowledgeFiles(folder: string): KnowledgeFile[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(isKnowledgePath)
    .map((path) => ({ path: relative(folder, path).split(sep).join('/'), text: readFileSync(path, 'utf8') }))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** Parses the files of a folder. A parse error becomes a problem; nothing is thrown. */
export function parseKnowledge(files: readonly KnowledgeFile[]): KnowledgeFolder {
  const folder: KnowledgeFolder = {
    brandFiles: [],
    sentenceFiles: [],
    entries: emptySections(),
    problems: [],
  };
  for (const file of files) {
    if (file.path.startsWith('sentences/') && file.path.endsWith('.tsv')) folder.sentenceFiles.push(file);
    else if (file.path.endsWith('.tsv')) folder.brandFiles.push(file);
    else parseFile(file, folder);
  }
  return folder;
}

function emptySections(): Record<Section, Entry[]> {
  return Object.fromEntries(SECTIONS.map((section) => [section, [] as Entry[]])) as Record<Section, Entry[]>;
}

function parseFile(file: KnowledgeFile, folder: KnowledgeFolder): void {
  const lines = new LineCounter();
  const document = parseDocument(file.text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const lineOf = (node: Node | null): number => (node?.range ? lines.linePos(node.range[0]).line : 1);
  for (const error of document.errors) {
    folder.problems.push(
      `${file.path}:${lines.linePos(error.pos[0]).line}: cannot be read: ${error.message}`,
    );
  }
  if (document.errors.length > 0) return;
  if (file.path === 'manifest.yaml') {
    folder.manifest = { file: file.path, line: 1, value: document.toJS() };
    return;
  }
  if (!isMap(document.contents)) {
    folder.problems.push(`${file.path}: must hold one of the keys ${SECTIONS.join(', ')}`);
    return;
  }
  for (const pair of document.contents.items) {
    const key = isScalar(pair.key) ? String(pair.key.value) : '';
    const section = SECTIONS.find((name) => name === key);
    const list = pair.value as Node | null;
    if (!section) {
      folder.problems.push(
        `${file.path}:${lineOf(pair.key)}: unknown key '${key}'; a file holds one of ${SECTIONS.join(', ')}`,
      );
    } else if (isSeq(list)) {
      for (const item of list.items as Node[]) {
        folder.entries[section].push({ file: file.path, line: lineOf(item), value: item.toJS(document) });
      }
    } else if (!(isScalar(list) && list.value === null)) {
      folder.problems.push(`${file.path}:${lineOf(list)}: '${key}' must be a list ('- ...' items)`);
    }
  }
}
