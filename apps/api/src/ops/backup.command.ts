import { resolve } from 'node:path';
import { Argument, type Command } from 'commander';
import { type Maintenance, WORK, type Work } from '@app/database';
import { assertSound } from './database.command';
import type { CommandRun } from './operation';

/** Commands about backups. */
export function addBackupCommands(program: Command, operation: CommandRun): void {
  program
    .command('backup')
    .argument('<folder>', 'a folder that does not exist yet')
    .option('--erasures-only', 'saves only which accounts were erased: small enough for every minute')
    .description('saves the database as of one instant, while the service runs')
    .action(async (folder: string, { erasuresOnly }: { erasuresOnly?: boolean }) => {
      await operation.onDatabase(async (database) => {
        const only = erasuresOnly ? ['erasures'] : undefined;
        const { tables, epoch, made_at } = await database.backUp(resolve(folder), only);
        const rows = tables.reduce((sum, table) => sum + table.rows, 0);
        operation.print({ folder: resolve(folder), made_at, epoch, tables: tables.length, rows });
      });
    });

  program
    .command('note')
    .addArgument(new Argument('<work>', 'what was done').choices(WORK))
    .description('notes for the metrics that it was done well: a backup by another program, or a rehearsal')
    .action(async (work: Work) => {
      await operation.onDatabase((database) => database.noteWork(work));
      operation.print({ noted: work });
    });

  program
    .command('restore')
    .argument('<folder>', 'the folder of a backup')
    .option('--erasures <folder>', 'a newer backup, of which only the erasures count')
    .description('loads a backup into an empty database, erases again who was erased, begins an epoch')
    .action(async (folder: string, { erasures }: { erasures?: string }) => {
      await operation.confirm(
        'This loads the backup, and signs everybody out. The service then needs the secrets with which it ran.',
      );
      await operation.onDatabase((database) => restoreInto(database, operation, folder, erasures));
    });

  program
    .command('upgrade-embedded')
    .argument('<folder>', 'the folder of a backup that the old release has made')
    .description('moves the embedded database to the PostgreSQL of this release')
    .action(async (folder: string) => {
      await operation.confirm(
        'This puts the old embedded database aside, and loads the backup into a new one.',
      );
      // A wrong folder must not cost the database: nothing is moved before the backup is read to its end.
      await operation.checkBackup(resolve(folder));
      const { live, kept } = operation.putEmbeddedAside();
      operation.note(`The old database is kept in ${kept}. Delete it when the new one is right.`);
      operation.note(`To go back, stop the service, delete ${live}, and rename ${kept} to ${live}.`);
      await operation.onDatabase((database) => restoreInto(database, operation, folder));
    });
}

async function restoreInto(
  database: Maintenance,
  operation: CommandRun,
  folder: string,
  erasures?: string,
): Promise<void> {
  const { manifest, epoch, erased } = await database.restore({
    folder: resolve(folder),
    ...(erasures === undefined ? {} : { erasures: resolve(erasures) }),
  });
  const findings = await database.verify();
  operation.print({ restored_from: manifest.made_at, epoch, erased_again: erased, ...findings });
  assertSound(findings);
}
