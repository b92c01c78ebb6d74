import type { PersonTerms } from '../person/person';
import type { CompiledCaution, CompiledFact } from '../compiled-base';
import { GRADED_SEVERITIES } from '../types';
import { EntryReader, type Problems } from './entry-reader';
import type { Entry } from './knowledge-reader';
import type { RuleCompiler } from './rule-compiler';

/** Compiles cautions about a person: the persons (`when`) and the medicines (`a`). */
export function compileCautions(
  entries: readonly Entry[],
  facts: readonly CompiledFact[],
  rules: RuleCompiler,
  problems: Problems,
): CompiledCaution[] {
  return entries.flatMap((entry): CompiledCaution[] => {
    const reader = new EntryReader(entry, 'caution', problems, 'id');
    const when = readTerms(
      new EntryReader({ ...entry, value: reader.raw('when') }, 'when', problems, 'id'),
      facts,
    );
    const a = rules.selector(reader, 'a', reader.raw('a'));
    const severity = reader.oneOf('severity', GRADED_SEVERITIES);
    const words = reader.texts('words');
    const told = reader.texts('told_by');
    const beside = reader.has('unless_beside')
      ? rules.selector(reader, 'unless_beside', reader.raw('unless_beside'))
      : undefined;
    const rest = rules.cautionStatement(reader, entry, severity);
    reader.refuseOthers();
    return a.t || a.i
      ? [
          {
            ...rest,
            when,
            a,
            ...(words.length > 0 && { words }),
            ...(told.length > 0 && { told }),
            ...(beside && { beside }),
          },
        ]
      : [];
  });
}

function readTerms(reader: EntryReader, facts: readonly CompiledFact[]): PersonTerms {
  const [ageBelow, ageFrom, egfrBelow, egfrFrom] = ['age_below', 'age_from', 'egfr_below', 'egfr_from'].map(
    (field) => reader.number(field),
  );
  const [pregnant, breastfeeding, smokes] = ['pregnant', 'breastfeeding', 'smokes'].map(
    (field) => reader.raw(field) === true || undefined,
  );
  const sex = reader.has('sex') ? reader.oneOf('sex', ['female', 'male'] as const) : undefined;
  const [condition, allergy] = (['condition', 'allergy'] as const).map((kind) => {
    const id = reader.optionalText(kind);
    if (id !== undefined && !facts.some((fact) => fact.kind === kind && fact.id === id))
      reader.complain(`'${kind}' names the unknown fact '${id}'`);
    return id;
  });
  reader.refuseOthers();
  const terms = {
    ageBelow,
    ageFrom,
    egfrBelow,
    egfrFrom,
    pregnant,
    breastfeeding,
    smokes,
    sex,
    condition,
    allergy,
  };
  const given = Object.entries(terms).filter(([, value]) => value !== undefined);
  if (given.length === 0) reader.complain('needs at least one term; otherwise it would hold for everyone');
  return Object.fromEntries(given);
}
