import type { KnowledgeBase } from '../types';
import { EntryReader, type Problems } from './entry-reader';
import {
  parseKnowledge,
  readKnowledgeFiles,
  type Entry,
  type KnowledgeFile,
  type KnowledgeFolder,
} from './knowledge-reader';
import { compileTags, NameCompiler, type Registry } from './name-compiler';
import { RuleCompiler } from './rule-compiler';

/** What became of a folder: the base without its faulty entries, and one line per fault. */
export interface Compilation {
  base: KnowledgeBase;
  problems: Problems;
}

/** Thrown when a folder has faults; the message lists them all, one per line, with file, line and entry. */
export class KnowledgeError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(
      `${problems.length} problem${problems.length === 1 ? '' : 's'} in the knowledge base:\n${problems.join('\n')}`,
    );
    this.name = 'KnowledgeError';
  }
}

/** Compiles files; faulty entries are left out and reported. Never throws on content. */
export function compileFiles(files: readonly KnowledgeFile[]): Compilation {
  return compileFolder(parseKnowledge(files));
}

/** Compiles the YAML folder into the base. Throws `KnowledgeError` when anything in it is wrong. */
export function compileKnowledge(folder: string): KnowledgeBase {
  const { base, problems } = compileFiles(readKnowledgeFiles(folder));
  if (problems.length > 0) throw new KnowledgeError(problems);
  return base;
}

function compileFolder(folder: KnowledgeFolder): Compilation {
  const problems: Problems = [...folder.problems];
  const registry: Registry = { sources: new Map(), tags: new Map(), ingredients: new Map() };
  const { entries } = folder;
  const head = compileManifest(folder.manifest, problems);
  const sources = compileSources(entries.sources, registry, problems);
  const tags = compileTags(entries.tags, registry, problems);
  const names = new NameCompiler(registry, tags, problems);
  const ingredients = names.ingredients(entries.ingredients);
  const combinations = names.combinations(entries.combinations);
  const lookalikes = names.lookalikes(entries.lookalikes);
  const rules = new RuleCompiler(registry, problems);
  const base: KnowledgeBase = {
    format: 1,
    ...head,
    sources,
    tags,
    ingredients,
    combinations,
    rules: rules.rules(entries.rules),
    duplicates: rules.duplicates(entries.duplicates),
    doses: rules.doses(entries.doses),
    species: rules.speciesRules(entries.species),
    texts: rules.texts,
    lookalikes,
  };
  return { base, problems };
}

function compileManifest(
  entry: Entry | undefined,
  problems: Problems,
): Pick<KnowledgeBase, 'version' | 'released' | 'changelog'> {
  if (!entry) {
    problems.push('manifest.yaml: is missing');
    return { version: '0.0.0', released: '1970-01-01', changelog: [] };
  }
  const reader = new EntryReader(entry, 'manifest', problems, 'version');
  const version = reader.text('version');
  if (version && !/^\d+\.\d+\.\d+$/.test(version))
    reader.complain(`'version' is '${version}'; write three numbers, as "1.4.0"`);
  const released = reader.date('released');
  const raw = reader.raw('changelog');
  const changelog = (Array.isArray(raw) ? raw : []).map((value: unknown) => {
    const change = new EntryReader({ ...entry, value }, 'changelog', problems, 'version');
    return { version: change.text('version'), date: change.date('date'), changes: change.texts('changes') };
  });
  if (changelog.length === 0) reader.complain(`'changelog' needs an entry`);
  else if (!changelog.some((change) => change.version === version))
    reader.complain(`'changelog' has no entry for ${version}`);
  reader.refuseOthers();
  return { version: version || '0.0.0', released, changelog };
}

function compileSources(
  entries: readonly Entry[],
  registry: Registry,
  problems: Problems,
): KnowledgeBase['sources'] {
  const sources: KnowledgeBase['sources'] = [];
  for (const entry of entries) {
    const reader = new EntryReader(entry, 'source', problems, 'id');
    const id = reader.text('id');
    const title = reader.text('title');
    const publisher = reader.text('publisher');
    const year = reader.number('year');
    const url = reader.optionalText('url');
    if (url && !/^https?:\/\/\S+$/.test(url)) reader.complain(`'url' must begin with https://`);
    if (year === undefined) reader.complain(`'year' is missing`);
    else if (!Number.isInteger(year) || year < 1900 || year > 2100) reader.complain(`'year' is ${year}`);
    reader.refuseOthers();
    if (!id) continue;
    if (registry.sources.has(id)) {
      reader.complain('this id exists already');
      continue;
    }
    registry.sources.set(id, sources.length);
    sources.push({ id, title, publisher, year: year ?? 0, ...(url && { url }) });
  }
  return sources;
}
