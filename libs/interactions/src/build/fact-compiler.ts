import { fold, squash } from '../names/fold';
import { LANGUAGES } from '../texts/language';
import type { CompiledFact, CompiledFine } from '../compiled-base';
import { EntryReader, type Problems } from './entry-reader';
import type { Entry } from './knowledge-reader';
import { readSources, type Registry } from './name-compiler';
import type { RuleCompiler } from './rule-compiler';
import { isUsable } from './selector-reader';

/** Facts of a person that are no illness and no allergy. */
const BUILT_IN = ['child', 'pregnancy', 'breastfeeding', 'kidneys'];

/** Compiles illnesses and allergies: their names in each language, what they imply, and whom an allergy covers. */
export function compileFacts(
  entries: readonly Entry[],
  rules: RuleCompiler,
  registry: Registry,
  problems: Problems,
): CompiledFact[] {
  const readers = entries.map((entry) => new EntryReader(entry, 'fact', problems, 'id'));
  const ids = readers.map((reader) => reader.text('id'));
  const names = new Map<string, string>();
  return readers.map((reader, position) => {
    const id = ids[position];
    if (!/^[a-z][a-z0-9_]*$/.test(id)) reader.complain(`'id' must be small letters, digits and '_'`);
    if (ids.indexOf(id) !== position || BUILT_IN.includes(id)) reader.complain('this id exists already');
    const kind = reader.oneOf('kind', ['condition', 'allergy'] as const);
    const n = Object.fromEntries(LANGUAGES.map((language) => [language, reader.texts(language)]));
    for (const language of LANGUAGES)
      if (n[language].length === 0) reader.complain(`'${language}' needs at least one name`);
    for (const name of [id, ...Object.values(n).flat()]) {
      const key = `${kind} ${squash(fold(name))}`;
      const other = names.get(key);
      if (other !== undefined && other !== id) reader.complain(`'${name}' is a name of '${other}' too`);
      names.set(key, id);
    }
    const implies = reader.texts('implies').flatMap((other) => {
      const found = ids.indexOf(other);
      if (found < 0) reader.complain(`'implies' names the unknown fact '${other}'`);
      return found < 0 ? [] : [found];
    });
    const covers = reader.has('covers') ? rules.selector(reader, 'covers', reader.raw('covers')) : undefined;
    if (covers && kind !== 'allergy') reader.complain(`only an allergy 'covers' ingredients`);
    const complete = reader.raw('complete') === true;
    if (complete) {
      reader.text('reason');
      reader.date('reviewed');
      readSources(reader, registry, 1);
    }
    reader.refuseOthers();
    return {
      id,
      kind,
      n,
      ...(implies.length > 0 && { implies }),
      ...(covers && { covers }),
      ...(complete && { complete: true as const }),
    };
  });
}

/** Compiles what was assessed for some facts and needs no caution. Each has a reason, sources and a date. */
export function compileFine(
  entries: readonly Entry[],
  facts: readonly CompiledFact[],
  rules: RuleCompiler,
  registry: Registry,
  problems: Problems,
): CompiledFine[] {
  const known = [...BUILT_IN, ...facts.map(({ id }) => id)];
  const ids = new Set<string>();
  return entries.flatMap((entry): CompiledFine[] => {
    const reader = new EntryReader(entry, 'fine', problems, 'id');
    const id = reader.text('id');
    if (ids.has(id)) reader.complain('this id exists already');
    ids.add(id);
    const forFacts = reader.texts('for');
    if (forFacts.length === 0) reader.complain(`'for' must list facts`);
    for (const fact of forFacts)
      if (!known.includes(fact)) reader.complain(`'for' names the unknown fact '${fact}'`);
    const a = rules.selector(reader, 'a', reader.raw('a'));
    const from = reader.number('from_age');
    if (from !== undefined && forFacts.join() !== 'child') reader.complain(`'from_age' needs 'for: [child]'`);
    const local = reader.raw('only_local') === true;
    reader.text('reason');
    readSources(reader, registry, 1);
    reader.date('reviewed');
    reader.refuseOthers();
    return isUsable(a)
      ? [{ facts: forFacts, a, ...(from !== undefined && { from }), ...(local && { local: true as const }) }]
      : [];
  });
}
