import type { CompiledBurden, CompiledSelector } from '../compiled-base';
import { GRADED_SEVERITIES, type GradedSeverity } from '../types';
import { EntryReader, type Problems } from './entry-reader';
import type { Entry } from './knowledge-reader';
import type { RuleCompiler } from './rule-compiler';

/**
 * Compiles effects that add up: the points of each class, the required members, and the least points for each
 * severity.
 */
export function compileBurdens(
  entries: readonly Entry[],
  rules: RuleCompiler,
  problems: Problems,
): CompiledBurden[] {
  return entries.flatMap((entry): CompiledBurden[] => {
    const reader = new EntryReader(entry, 'burden', problems, 'id');
    const members = listOf(reader, 'members').map((value) => {
      const { points, ...selector } = (value ?? {}) as { points?: unknown };
      if (typeof points !== 'number' || !(points > 0)) reader.complain(`each of 'members' needs 'points'`);
      return { a: rules.selector(reader, 'members', selector), p: Number(points) };
    });
    const needs = listOf(reader, 'needs').map((value) => rules.selector(reader, 'needs', value));
    const grades = readGrades(reader);
    if (members.length === 0) reader.complain(`needs 'members'`);
    const statement = rules.burdenStatement(reader, entry, grades[0]?.[0] ?? 'moderate');
    reader.refuseOthers();
    const usable = ({ t, i }: CompiledSelector): boolean => t !== undefined || i !== undefined;
    if (![...members.map(({ a }) => a), ...needs].every(usable)) return [];
    return [{ ...statement, members, ...(needs.length > 0 && { needs }), grades }];
  });
}

/** Reads `grades: { moderate: 5, major: 7 }`. The result begins with the most severe. */
export function readGrades(reader: EntryReader): [GradedSeverity, number][] {
  const value = (reader.raw('grades') ?? {}) as Record<string, unknown>;
  const grades = GRADED_SEVERITIES.flatMap((severity): [GradedSeverity, number][] =>
    typeof value[severity] === 'number' ? [[severity, value[severity]]] : [],
  );
  if (grades.length === 0 || grades.length !== Object.keys(value).length)
    reader.complain(`'grades' must give points to severities: { moderate: 5, major: 7 }`);
  return grades;
}

function listOf(reader: EntryReader, field: string): unknown[] {
  const value = reader.raw(field);
  if (value !== undefined && !Array.isArray(value)) reader.complain(`'${field}' must be a list`);
  return Array.isArray(value) ? (value as unknown[]) : [];
}
