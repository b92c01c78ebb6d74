import { resolve } from 'node:path';

/** The value of `--name <value>` among command-line arguments. */
export function optionOf(args: readonly string[], name: string): string | undefined {
  const at = args.indexOf(name);
  return at >= 0 ? args[at + 1] : undefined;
}

/** The YAML folder, relative to the root of the repository, unless `--knowledge` names another one. */
export function knowledgeFolder(args: readonly string[]): string {
  return resolve(optionOf(args, '--knowledge') ?? 'libs/interactions/knowledge');
}
