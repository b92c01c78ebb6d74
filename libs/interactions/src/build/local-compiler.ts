import type { CompiledLocalUse } from '../compiled-base';
import { LOCAL_ROUTES, type LocalRoute } from '../types';
import { EntryReader, type Problems } from './entry-reader';
import type { Entry } from './knowledge-reader';
import { readSources, type Registry } from './name-compiler';
import type { RuleCompiler } from './rule-compiler';
import { isUsable } from './selector-reader';

/** Compiles where ingredients act only locally. Each entry has a reason, sources and a date. */
export function compileLocalUse(
  entries: readonly Entry[],
  rules: RuleCompiler,
  registry: Registry,
  problems: Problems,
): CompiledLocalUse[] {
  return entries.flatMap((entry): CompiledLocalUse[] => {
    const reader = new EntryReader(entry, 'local use', problems, 'id');
    reader.text('id');
    const routes = reader.texts('routes');
    if (routes.length === 0) reader.complain(`'routes' must list routes`);
    for (const route of routes)
      if (!(LOCAL_ROUTES as readonly string[]).includes(route)) reader.complain(`unknown route '${route}'`);
    const a = rules.selector(reader, 'a', reader.raw('a'));
    reader.text('reason');
    readSources(reader, registry, 1);
    reader.date('reviewed');
    reader.refuseOthers();
    return isUsable(a) ? [{ routes: routes as LocalRoute[], a }] : [];
  });
}
