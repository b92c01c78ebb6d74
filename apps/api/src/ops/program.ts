import { Command, CommanderError } from 'commander';
import { ExtensionError } from '@app/common';
import { ConfigError } from '@app/config';
import { BackupError, EmbeddedDatabaseError } from '@app/database';
import type { Extensions } from '@app/extension';
import { addAccountCommands } from './accounts.command';
import { addBackupCommands } from './backup.command';
import { addDatabaseCommands } from './database.command';
import { type CommonOptions, EXIT, CommandRun, OperationError } from './operation';

/**
 * Runs one command of the operator.
 *
 * @param args without the names of the programs.
 * @returns the exit code: 0 done, 1 failed, 2 wrong usage, 3 not found or a contradiction found.
 */
export async function runOps(args: string[], extension: Extensions = []): Promise<number> {
  const program = new Command('ops')
    .description(
      'The commands of the operator. They work on the database of the settings, beside the service.',
    )
    .option('--json', 'prints JSON')
    .option('--yes', 'asks nothing')
    .configureHelp({ showGlobalOptions: true })
    .exitOverride();
  const operation = new CommandRun(() => program.opts<CommonOptions>(), extension);
  addDatabaseCommands(program, operation);
  addAccountCommands(program, operation);
  addBackupCommands(program, operation);
  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    process.stderr.write(`${messageOf(error)}\n`);
    return error instanceof OperationError ? error.exitCode : EXIT.failed;
  }
}

/**
 * The messages of these errors are for an operator. Any other error is shown by class and code, because its
 * message may quote data.
 */
function messageOf(error: unknown): string {
  const isSentence = [OperationError, BackupError, ConfigError, EmbeddedDatabaseError, ExtensionError].some(
    (known) => error instanceof known,
  );
  const { message, name, code } = error as Error & { code?: string };
  return isSentence ? message : `The command failed (${[name, code].filter(Boolean).join(' ')}).`;
}
