import type { ChildDoseStep, CompiledChildDose, CompiledDoseSum } from '../compiled-base';
import { GRADED_SEVERITIES } from '../types';
import { readGrades } from './burden-compiler';
import { EntryReader, type Problems } from './entry-reader';
import type { Entry } from './knowledge-reader';
import { lookUp, type Registry } from './name-compiler';
import type { RuleCompiler } from './rule-compiler';

const UNITS = ['mg', 'mcg', 'IU'] as const;
const FIGURES = ['single', 'daily', 'single_per_kg', 'daily_per_kg'] as const;

/** Compiles the limits for children: figures of labels by age and weight. The engine has the sentences. */
export function compileChildDoses(
  entries: readonly Entry[],
  rules: RuleCompiler,
  registry: Registry,
  problems: Problems,
): CompiledChildDose[] {
  return entries.flatMap((entry): CompiledChildDose[] => {
    const reader = new EntryReader(entry, 'dose of a child', problems, 'id');
    const ingredient = lookUp(reader, 'ingredients', reader.text('ingredient'), registry);
    const unit = reader.oneOf('unit', UNITS, 'mg');
    const routes = reader.texts('routes');
    const raw = reader.raw('steps');
    const steps = (Array.isArray(raw) ? raw : []).map((value: unknown) =>
      readStep(new EntryReader({ ...entry, value }, 'step', problems, 'from'), unit === 'mcg' ? 0.001 : 1),
    );
    if (steps.length === 0) reader.complain(`needs 'steps'`);
    if (steps.some(({ from }, at) => at > 0 && from <= steps[at - 1].from))
      reader.complain(`'steps' must go from the youngest age up`);
    const head = rules.figures(reader, entry, reader.oneOf('severity', GRADED_SEVERITIES));
    reader.refuseOthers();
    if (ingredient === undefined || steps.length === 0) return [];
    return [
      {
        ...head,
        ingredient,
        unit: unit === 'IU' ? 'IU' : 'mg',
        steps,
        ...(routes.length > 0 && { routes }),
      },
    ];
  });
}

function readStep(reader: EntryReader, factor: number): ChildDoseStep {
  const from = reader.raw('from');
  if (typeof from !== 'number' || !(from >= 0) || from >= 18)
    reader.complain(`'from' must be an age in years below 18`);
  const [single, daily, singlePerKg, dailyPerKg] = FIGURES.map((field) => {
    const value = reader.number(field);
    return value === undefined ? undefined : value * factor;
  });
  if (daily === undefined && dailyPerKg === undefined)
    reader.complain(`needs 'daily' or 'daily_per_kg': a single dose says nothing about a day`);
  reader.refuseOthers();
  return {
    from: Number(from),
    ...(single !== undefined && { single }),
    ...(daily !== undefined && { daily }),
    ...(singlePerKg !== undefined && { singlePerKg }),
    ...(dailyPerKg !== undefined && { dailyPerKg }),
  };
}

/** Compiles amounts that are summed over several ingredients: a factor each, and the least sum of a severity. */
export function compileDoseSums(
  entries: readonly Entry[],
  rules: RuleCompiler,
  registry: Registry,
  problems: Problems,
): CompiledDoseSum[] {
  return entries.map((entry): CompiledDoseSum => {
    const reader = new EntryReader(entry, 'sum', problems, 'id');
    const raw = (reader.raw('factors') ?? {}) as Record<string, unknown>;
    const factors = Object.entries(raw).flatMap(([inn, factor]): [number, number][] => {
      const ingredient = lookUp(reader, 'ingredients', inn, registry);
      if (typeof factor !== 'number' || !(factor > 0)) reader.complain(`'${inn}' needs a factor above zero`);
      return ingredient === undefined ? [] : [[ingredient, Number(factor)]];
    });
    if (factors.length < 2) reader.complain(`needs 'factors' of two ingredients or more`);
    const notCounted = reader
      .texts('not_counted')
      .flatMap((inn) => lookUp(reader, 'ingredients', inn, registry) ?? []);
    const grades = readGrades(reader);
    const statement = rules.burdenStatement(reader, entry, grades[0]?.[0] ?? 'moderate');
    reader.refuseOthers();
    return { ...statement, factors, ...(notCounted.length > 0 && { notCounted }), grades };
  });
}
