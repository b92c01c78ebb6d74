import { type Command, InvalidArgumentError } from 'commander';
import { OperatorService } from '../auth/accounts/operator.service';
import { SignupsService } from '../auth/invites/signups.service';
import { EXIT, type CommandRun, OperationError } from './operation';

/** Commands about single accounts. */
export function addAccountCommands(program: Command, operation: CommandRun): void {
  program
    .command('accounts')
    .argument('[email]', 'shows the account of this email')
    .option('--limit <number>', 'how many to list', wholeNumber, 100)
    .option('--after <id>', 'begins the list after the account with this id')
    .description('lists accounts with what they store, from old to new')
    .action(async (email: string | undefined, { limit, after }: { limit: number; after?: string }) => {
      await operation.onService(async (service) => {
        const accounts = service.get(OperatorService);
        if (email === undefined) return operation.print({ accounts: await accounts.list(limit, after) });
        operation.print((await accounts.find(email)) ?? unknown());
      });
    });

  program
    .command('erase')
    .argument('<email>')
    .description('erases an account and everything that it owns')
    .action(async (email: string) => {
      await operation.confirm('This erases the account and all its records, for ever.');
      await operation.onService(async (service) => {
        if (!(await service.get(OperatorService).erase(email))) unknown();
        operation.print({ erased: true });
      });
    });

  program
    .command('end-sessions')
    .argument('<email>')
    .description('ends every session and token of an account')
    .action(async (email: string) => {
      await operation.confirm('This signs the account out on every device.');
      await operation.onService(async (service) => {
        if (!(await service.get(OperatorService).endSessions(email))) unknown();
        operation.print({ sessions_ended: true });
      });
    });

  program
    .command('unlock')
    .option('--email <email>')
    .option('--address <address>', 'an IP address')
    .description('forgets wrong tries of an email, of an address, or of both together')
    .action(async (who: { email?: string; address?: string }) => {
      if (who.email === undefined && who.address === undefined)
        throw new OperationError('Name an email, an address, or both.', EXIT.usage);
      await operation.onService(async (service) =>
        operation.print({ forgotten_counters: await service.get(OperatorService).unlock(who) }),
      );
    });

  program
    .command('invite')
    .option('--uses <number>', 'how many people may register with it', wholeNumber, 1)
    .option('--days <number>', 'how long it is valid', wholeNumber, 14)
    .description('makes a code with which people may register while SIGNUPS is "invite"')
    .action(async ({ uses, days }: { uses: number; days: number }) => {
      await operation.onService(async (service) =>
        operation.print(await service.get(SignupsService).invite(uses, days)),
      );
    });
}

function unknown(): never {
  throw new OperationError('There is no account with this email.', EXIT.negative);
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number from 1 to 999999.');
  return value;
}
