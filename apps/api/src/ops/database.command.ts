import type { Command } from 'commander';
import { Housekeeping, type Maintenance, type VerifyFindings } from '@app/database';
import { EXIT, type CommandRun, OperationError } from './operation';

/** Commands about the database as a whole. */
export function addDatabaseCommands(program: Command, operation: CommandRun): void {
  program
    .command('status')
    .description('shows the version, the migrations, the epoch and the size of the database')
    .action(async () => {
      const printStatus = async (database: Maintenance) => operation.print(await database.status());
      await operation.onDatabase(printStatus, { anyProgram: true });
    });

  program
    .command('migrate')
    .description('runs the migrations of this version, as a start does')
    .action(async () => {
      await operation.onDatabase(async (database) =>
        operation.print({ migrations: await database.migrate() }),
      );
    });

  program
    .command('housekeeping')
    .description('deletes expired rows, as the service does every hour')
    .action(async () => {
      await operation.onService(async (service) => {
        if (!(await service.get(Housekeeping).run())) throw new OperationError('Housekeeping was cut short.');
        operation.print({ done: true });
      });
    });

  program
    .command('compact')
    .description('writes the indexes anew while the service runs, and gives the room back that they waste')
    .action(async () => {
      await operation.onDatabase(async (database) => operation.print(await database.compact()));
    });

  program
    .command('new-epoch')
    .description('begins an epoch: after a failover or a recovery that may have lost changes')
    .action(async () => {
      await operation.confirm('Every client will read all its records again.');
      await operation.onDatabase(async (database) => operation.print({ epoch: await database.newEpoch() }));
    });

  program
    .command('distribute')
    .description('distributes the tables over a Citus cluster, also those that later migrations have made')
    .action(async () => {
      await operation.confirm('All tables move to the shards of the cluster.');
      await operation.onDatabase(async (database) =>
        operation.print({ distributed: await database.distribute() }),
      );
    });

  program
    .command('verify')
    .option('--mend', 'corrects what can be corrected without a loss')
    .description('compares triggers, counts, logins and the feed with the records; reads everything')
    .action(async ({ mend }: { mend?: boolean }) => {
      await operation.onDatabase(async (database) => {
        const findings = await database.verify(mend);
        operation.print(findings);
        assertSound(findings);
      });
    });
}

/** @throws OperationError for findings that are not those of a sound database. */
export function assertSound({ ids }: VerifyFindings): void {
  if (Object.keys(ids).length > 0)
    throw new OperationError('The database contradicts itself.', EXIT.negative);
}
