import type { CompiledException, CompiledSelector } from '../compiled-base';
import type { EntryReader } from './entry-reader';
import { lookUp, type Registry } from './name-compiler';

/** Reads the exceptions of an entry; `undefined` when there are none. */
export function readExceptions(reader: EntryReader, registry: Registry): CompiledException[] | undefined {
  const value = reader.raw('except');
  if (value === undefined) return undefined;
  if (!Array.isArray(value)) {
    reader.complain(`'except' must be a list of pairs: [ { a: { ingredient: x }, b: { tag: y } } ]`);
    return undefined;
  }
  const exceptions = value.flatMap((item: unknown): CompiledException[] => {
    const sides = Object.keys(typeof item === 'object' && item !== null ? item : {});
    if (sides.length === 0 || sides.some((side) => side !== 'a' && side !== 'b')) {
      reader.complain(`each pair in 'except' has 'a', 'b' or both, not ${JSON.stringify(item)}`);
      return [];
    }
    const { a, b } = item as { a?: unknown; b?: unknown };
    const exception: CompiledException = {
      ...(a !== undefined && { a: readSelector(reader, 'except a', a, registry) }),
      ...(b !== undefined && { b: readSelector(reader, 'except b', b, registry) }),
    };
    // A side with an unknown name must not turn into a side that matches everything.
    const usable = [exception.a, exception.b].every((side) => side === undefined || isUsable(side));
    return usable ? [exception] : [];
  });
  return exceptions.length > 0 ? exceptions : undefined;
}

/** Reads one side of an entry: a tag, an ingredient, or a list of them under `any`. */
export function readSelector(
  reader: EntryReader,
  side: string,
  value: unknown,
  registry: Registry,
): CompiledSelector {
  const tags = new Set<number>();
  const ingredients = new Set<number>();
  const add = (item: unknown, nested: boolean): void => {
    const keys = Object.keys(typeof item === 'object' && item !== null && !Array.isArray(item) ? item : {});
    const fields = item as Record<string, unknown>;
    if (keys.length === 1 && keys[0] === 'any' && !nested && Array.isArray(fields.any)) {
      for (const part of fields.any) add(part, true);
    } else if (
      keys.length === 1 &&
      (keys[0] === 'tag' || keys[0] === 'ingredient') &&
      typeof fields[keys[0]] === 'string'
    ) {
      const name = fields[keys[0]] as string;
      const position = lookUp(reader, keys[0] === 'tag' ? 'tags' : 'ingredients', name, registry);
      if (position !== undefined) (keys[0] === 'tag' ? tags : ingredients).add(position);
    } else {
      reader.complain(
        `'${side}' must be { tag: x }, { ingredient: x } or { any: [ … ] }, not ${JSON.stringify(item) ?? 'missing'}`,
      );
    }
  };
  add(value, false);
  return { ...(tags.size > 0 && { t: [...tags] }), ...(ingredients.size > 0 && { i: [...ingredients] }) };
}

/** True when at least one name of a side is known. */
export function isUsable(selector: CompiledSelector): boolean {
  return selector.t !== undefined || selector.i !== undefined;
}
