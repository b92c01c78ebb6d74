import { ServiceError } from '@app/common';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { AccountSummary } from '../auth/accounts/operator.repository';
import { OperatorService } from '../auth/accounts/operator.service';
import { SignupsService } from '../auth/invites/signups.service';
import { EXIT, type CommandRun, OperationError } from './operation';

/** Commands about single accounts. */
export function addAccountCommands(program: Command, operation: CommandRun): void {
  /** Runs `work` on the account of an email. @throws OperationError if there is none. */
  const onAccount = (
    email: string,
    work: (accounts: OperatorService, account: AccountSummary) => Promise<void>,
  ): Promise<void> =>
    operation.onService(async (service) => {
      const accounts = service.get(OperatorService);
      await work(accounts, (await accounts.find(email)) ?? unknown());
    });

  program
    .command('accounts')
    .argument('[email]', 'shows the account of this email')
    .option('--limit <number>', 'how many to list', wholeNumber, 100)
    .option('--after <id>', 'begins the list after the account with this id')
    .description('lists accounts with what they store, from old to new')
    .action(async (email: string | undefined, { limit, after }: { limit: number; after?: string }) => {
      if (email !== undefined)
        return onAccount(email, (_, account) => Promise.resolve(operation.print(account)));
      await operation.onService(async (service) =>
        operation.print({ accounts: await service.get(OperatorService).list(limit, after) }),
      );
    });

  program
    .command('erase')
    .argument('<email>')
    .addOption(
      new Option(
        '--sole-spaces <what>',
        'with "delete": also shared profiles of which nobody else is an owner',
      ).choices(['delete']),
    )
    .description('erases an account and everything that it owns')
    .action(async (email: string, { soleSpaces }: { soleSpaces?: 'delete' }) => {
      await operation.confirm('This erases the account and all its records, for ever.');
      await onAccount(email, async (accounts, account) => {
        const isErased = await accounts.erase(account, soleSpaces === 'delete').catch(soleOwner);
        if (!isErased) throw new OperationError(waits(account));
        operation.print({ erased: true });
      });
    });

  program
    .command('end-sessions')
    .argument('<email>')
    .description('ends every session and token of an account')
    .action(async (email: string) => {
      await operation.confirm('This signs the account out on every device.');
      await onAccount(email, async (accounts, account) => {
        await accounts.endSessions(account);
        operation.print({ sessions_ended: true });
      });
    });

  program
    .command('suspend')
    .argument('<email>')
    .description('signs an account out, and lets nobody sign in to it; its records stay')
    .action(async (email: string) => {
      await operation.confirm('This signs the account out on every device, and lets nobody sign in to it.');
      await onAccount(email, async (accounts, account) => {
        if (!(await accounts.suspend(account))) throw new OperationError('The account is suspended already.');
        operation.print({ suspended: true });
      });
    });

  program
    .command('resume')
    .argument('<email>')
    .description('ends a suspension')
    .action((email: string) =>
      onAccount(email, async (accounts, account) => {
        if (!(await accounts.resume(account))) throw new OperationError('The account is not suspended.');
        operation.print({ resumed: true });
      }),
    );

  program
    .command('hold')
    .argument('<email>')
    .option('--by <name>', 'who asks for it', someText)
    .option('--why <reason>', 'why, such as the number of a case', someText)
    .option('--release', 'ends the hold, and erases the account if its owner has asked for it meanwhile')
    .description('lets an erasure of an account wait')
    .action(async (email: string, hold: { by?: string; why?: string; release?: boolean }) => {
      const { by, why } = hold;
      if (hold.release) {
        await operation.confirm('This ends the hold. The account is erased if its owner has asked for it.');
        await onAccount(email, async (accounts, account) => {
          const outcome = await accounts.release(account);
          if (outcome === 'not_held') throw new OperationError('The account is not held.');
          operation.print({ released: true, erased: outcome === 'erased' });
        });
        return;
      }
      if (by === undefined || why === undefined)
        throw new OperationError('Name who asks for the hold, and why: --by and --why.', EXIT.usage);
      await onAccount(email, async (accounts, account) => {
        await accounts.hold(account, { by, why });
        operation.print({ held: true });
      });
    });

  program
    .command('export')
    .argument('<email>')
    .description('prints what the service holds about an account, as JSON: for a request of its owner')
    .action((email: string) =>
      onAccount(email, async (accounts, account) => {
        await accounts.export(account, (text) => operation.write(text));
        await operation.write('\n');
      }),
    );

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

function soleOwner(error: Error): never {
  if (!(error instanceof ServiceError) || error.code !== 'sole_owner') throw error;
  throw new OperationError(
    'Others share a profile of which this account is the only owner. Nothing was erased: see --sole-spaces.',
    EXIT.negative,
  );
}

function waits({ held_at: since, held_by: by, held_why: why }: AccountSummary): string {
  if (since === null) return 'The account has changed meanwhile. Nothing was erased: look at it again.';
  return `The erasure waits since ${since}, for ${by}: ${why}. Nothing was erased: see hold --release.`;
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^[1-9]\d{0,5}$/.test(text))
    throw new InvalidArgumentError('It must be a whole number from 1 to 999999.');
  return value;
}

function someText(text: string): string {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > 500)
    throw new InvalidArgumentError('It must have 1 to 500 characters.');
  return trimmed;
}
