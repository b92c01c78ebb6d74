import type { KnowledgeBase } from '../compiled-base';
import { BrandCompiler } from './brand-compiler';
import { compileBurdens } from './burden-compiler';
import { compileCautions } from './caution-compiler';
import { compileChildDoses, compileDoseSums } from './dose-figures-compiler';
import { compileFacts, compileFine } from './fact-compiler';
import { EntryReader, type Problems } from './entry-reader';
import { Glossary } from './glossary';
import {
  parseKnowledge,
  readKnowledgeFiles,
  type Entry,
  type KnowledgeFile,
  type KnowledgeFolder,
} from './knowledge-reader';
import { compileLocalUse } from './local-compiler';
import { findMaskedRules } from './masked-rules';
import { compileTags, NameCompiler, type Registry } from './name-compiler';
import { DEFAULT_POLICY, readPolicy, type Review, type ReviewPolicy } from './review-terms';
import { compileRescue } from './rescue-compiler';
import { RuleCompiler } from './rule-compiler';
import { compileSources } from './source-compiler';
import { compileStrengths } from './strength-compiler';
import { compileTexts } from './text-compiler';
import { TextNames } from './text-names';
import { Translations } from './translations';

/** The result of a compilation: the base without its faulty entries, and one line per fault. */
export interface Compilation {
  base: KnowledgeBase;
  /** The last review of each statement. */
  reviews: Review[];
  problems: Problems;
  translations: Translations;
}

/** Thrown when a folder has faults. The message lists all faults, one per line, with file, line and entry. */
export class KnowledgeError extends Error {
  constructor(readonly problems: readonly string[]) {
    super(
      `${problems.length} problem${problems.length === 1 ? '' : 's'} in the knowledge base:\n${problems.join('\n')}`,
    );
    this.name = 'KnowledgeError';
  }
}

/** Compiles files. Faulty entries are omitted and reported. Never throws because of the content. */
export function compileFiles(files: readonly KnowledgeFile[]): Compilation {
  return compileFolder(parseKnowledge(files));
}

/** Compiles the YAML folder into the base. @throws KnowledgeError when the folder has any fault. */
export function compileKnowledge(folder: string): KnowledgeBase {
  const { base, problems } = compileFiles(readKnowledgeFiles(folder));
  if (problems.length > 0) throw new KnowledgeError(problems);
  return base;
}

function compileFolder(folder: KnowledgeFolder): Compilation {
  const problems: Problems = [...folder.problems];
  const registry: Registry = { sources: new Map(), tags: new Map(), ingredients: new Map() };
  const { entries } = folder;
  const { policy, ...head } = compileManifest(folder.manifest, problems);
  const sources = compileSources(entries.sources, registry, problems);
  const tags = compileTags(entries.tags, registry, problems);
  const names = new NameCompiler(registry, tags, problems);
  const ingredients = names.ingredients(entries.ingredients);
  const combinations = names.combinations(entries.combinations);
  const lookalikes = names.lookalikes(entries.lookalikes);
  const brandCompiler = new BrandCompiler(registry, problems, names);
  const named = brandCompiler.brands(folder.brandFiles, brandCompiler.meanings(entries.meanings), {
    ingredients,
    combinations,
    lookalikes,
  });
  const glossaries = {
    de: new Glossary(entries.glossary, problems, 'de'),
    es: new Glossary(entries.glossary, problems, 'es'),
  };
  const translations = new Translations(folder.sentenceFiles, glossaries, problems);
  const rules = new RuleCompiler(
    registry,
    new Glossary(entries.glossary, problems),
    translations,
    policy,
    problems,
  );
  const facts = compileFacts(entries.facts, rules, registry, problems);
  const fine = compileFine(entries.fine, facts, rules, registry, problems);
  const local = compileLocalUse(entries.local, rules, registry, problems);
  const statements = {
    rules: rules.rules(entries.rules),
    duplicates: rules.duplicates(entries.duplicates),
    doses: rules.doses(entries.doses),
    species: rules.speciesRules(entries.species),
    ...(entries.burdens.length > 0 && { burdens: compileBurdens(entries.burdens, rules, problems) }),
    ...(entries.child_doses.length > 0 && {
      childDoses: compileChildDoses(entries.child_doses, rules, registry, problems),
    }),
    ...(entries.sums.length > 0 && { sums: compileDoseSums(entries.sums, rules, registry, problems) }),
    ...(entries.person.length > 0 && { cautions: compileCautions(entries.person, facts, rules, problems) }),
  };
  const ids = new Set(Object.values(statements).flatMap((list) => list.map(({ id }) => id)));
  for (const { id, told = [] } of statements.cautions ?? []) {
    for (const other of told)
      if (!ids.has(other)) problems.push(`'${id}' is told by '${other}', which does not exist`);
  }
  const rescue = compileRescue(entries.rescue, ids, registry, problems);
  const base: KnowledgeBase = {
    format: 1,
    ...head,
    sources,
    tags,
    ingredients,
    combinations,
    ...statements,
    ...(facts.length > 0 && { facts }),
    ...(fine.length > 0 && { fine }),
    ...(local.length > 0 && { local }),
    ...(rescue.length > 0 && { rescue }),
    texts: rules.texts,
    translated: rules.translated,
    phrases: compileTexts(entries.texts, ids, problems),
    lookalikes,
    ...(entries.strengths.length > 0 && {
      strengths: compileStrengths(entries.strengths, registry, problems),
    }),
    ...(named.brands.length > 0 && { brands: named.brands }),
    ...(named.meanings.length > 0 && { meanings: named.meanings }),
  };
  rules.checkFormerIds();
  problems.push(...new TextNames(base).problems(rules.mentions));
  for (const { rule, hidden, example, pairs } of findMaskedRules(base, rules.declared)) {
    const others = pairs > 1 ? ` and ${pairs - 1} more` : '';
    problems.push(
      `rules: '${rule}' hides the graver '${hidden}' for ${example.join(' with ')}${others}; declare it in 'overrides' or change one`,
    );
  }
  for (const { id, reviewed } of rules.reviews) {
    if (reviewed > base.released)
      problems.push(`'${id}' was reviewed on ${reviewed}, after the edition of ${base.released}`);
  }
  return { base, reviews: rules.reviews, problems, translations };
}

function compileManifest(
  entry: Entry | undefined,
  problems: Problems,
): Pick<KnowledgeBase, 'version' | 'released' | 'changelog'> & { policy: ReviewPolicy } {
  if (!entry) {
    problems.push('manifest.yaml: is missing');
    return { version: '0.0.0', released: '1970-01-01', changelog: [], policy: DEFAULT_POLICY };
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
  const policy = readPolicy(reader);
  reader.refuseOthers();
  return { version: version || '0.0.0', released, changelog, policy };
}
