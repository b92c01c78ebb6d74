import type { CompiledStrength } from '../compiled-base';
import { EntryReader, type Problems } from './entry-reader';
import type { Entry } from './knowledge-reader';
import { lookUp, readSources, type Registry } from './name-compiler';

/** Compiles the strengths of one tablet or capsule. All `names` share the strengths in `pieces`. */
export function compileStrengths(
  entries: readonly Entry[],
  registry: Registry,
  problems: Problems,
): CompiledStrength[] {
  return entries.flatMap((entry): CompiledStrength[] => {
    const reader = new EntryReader(entry, 'strength', problems, 'id');
    const n = reader.texts('names');
    const raw = reader.raw('pieces');
    const u = (Array.isArray(raw) ? raw : []).map((piece: unknown) =>
      Object.entries((piece ?? {}) as Record<string, unknown>).flatMap(
        ([inn, amount]): [number, number][] => {
          const ingredient = lookUp(reader, 'ingredients', inn, registry);
          if (typeof amount !== 'number' || !(amount > 0))
            reader.complain(`'${inn}' needs an amount in milligrams`);
          return ingredient === undefined ? [] : [[ingredient, Number(amount)]];
        },
      ),
    );
    if (n.length === 0) reader.complain(`needs 'names'`);
    if (u.length === 0 || u.some((piece) => piece.length === 0))
      reader.complain(`needs 'pieces', each with an amount`);
    readSources(reader, registry, 1);
    reader.refuseOthers();
    return [{ n, u }];
  });
}
