import { TEXT_IDS } from '../texts/text-ids';
import type { CompiledRescue } from '../compiled-base';
import { EntryReader, type Problems } from './entry-reader';
import type { Entry } from './knowledge-reader';
import { readSources, type Registry } from './name-compiler';
import { isUsable, readSelector } from './selector-reader';

/** Compiles the medicines that are kept for an emergency. @param statements the ids of all statements */
export function compileRescue(
  entries: readonly Entry[],
  statements: ReadonlySet<string>,
  registry: Registry,
  problems: Problems,
): CompiledRescue[] {
  return entries.flatMap((entry): CompiledRescue[] => {
    const reader = new EntryReader(entry, 'rescue', problems, 'id');
    reader.text('id');
    const a = readSelector(reader, 'a', reader.raw('a'), registry);
    const others = reader.has('with')
      ? readSelector(reader, 'with', reader.raw('with'), registry)
      : undefined;
    const [words, unless] = [reader.texts('words'), reader.texts('unless')];
    const [advice, notWith] = [reader.texts('advice'), reader.texts('not_with')];
    const texts = reader.optionalText('texts');
    const replaced = reader.texts('rules');
    for (const id of [...advice, ...notWith, ...replaced])
      if (!statements.has(id)) reader.complain(`'${id}' is the id of no statement`);
    if (texts !== undefined && !TEXT_IDS.includes(`${texts}.summary`))
      reader.complain(`'texts' names no texts of the engine`);
    reader.text('reason');
    readSources(reader, registry, 1);
    reader.date('reviewed');
    reader.refuseOthers();
    if (!isUsable(a)) return [];
    return [
      {
        a,
        ...(others && isUsable(others) && { with: others }),
        ...(words.length > 0 && { words }),
        ...(unless.length > 0 && { unless }),
        ...(advice.length > 0 && { advice }),
        ...(notWith.length > 0 && { notWith }),
        ...(texts !== undefined && { instead: { texts, rules: replaced } }),
      },
    ];
  });
}
