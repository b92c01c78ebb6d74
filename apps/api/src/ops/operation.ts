import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { ServiceConfig } from '@app/config';
import { checkBackup, Maintenance, putClusterAside } from '@app/database';
import type { Extensions } from '@app/extension';
import { AppModule } from '../app.module';
import { composeService } from '../domains';

/** Exit codes of the command line. `negative`: an account was not found, or a check has found a contradiction. */
export const EXIT = { done: 0, failed: 1, usage: 2, negative: 3 };

/** A command ends without its work. The message is a sentence for an operator. */
export class OperationError extends Error {
  override readonly name = 'OperationError';

  constructor(
    message: string,
    readonly exitCode: number = EXIT.failed,
  ) {
    super(message);
  }
}

/** The options that every command has. */
export interface CommonOptions {
  json?: boolean;
  yes?: boolean;
}

/** What a command works with. */
export class CommandRun {
  /** @param options returns those of the command line, once it is parsed. */
  constructor(
    private readonly options: () => CommonOptions,
    private readonly extension: Extensions,
  ) {}

  /** Prints the result: a line for each member, or JSON. */
  print(result: object): void {
    const lines = () =>
      Object.entries(result).map(([name, value]) => `${name.replaceAll('_', ' ')}: ${readable(value)}\n`);
    process.stdout.write(this.options().json ? `${JSON.stringify(result)}\n` : lines().join(''));
  }

  /** Writes to standard output as it is, and waits while a slow reader has not taken it. */
  async write(text: string): Promise<void> {
    if (!process.stdout.write(text)) await once(process.stdout, 'drain');
  }

  note(line: string): void {
    process.stderr.write(`${line}\n`);
  }

  /** Asks before something that cannot be undone, unless `--yes` is given. @throws OperationError */
  async confirm(question: string): Promise<void> {
    if (this.options().yes) return;
    if (!process.stdin.isTTY)
      throw new OperationError(`${question} Nothing was done: add --yes.`, EXIT.usage);
    const terminal = createInterface({ input: process.stdin, output: process.stderr });
    const answer = await terminal.question(`${question} Type "yes" to go on: `);
    terminal.close();
    if (answer.trim() !== 'yes') throw new OperationError('Nothing was done.', EXIT.usage);
  }

  /**
   * Runs `work` on the database.
   *
   * @param options.anyProgram whether a database of another program will do. A program that does not know all its tables
   *   would leave them out of a backup, and count their records away.
   * @throws OperationError for a database of another program.
   */
  async onDatabase<T>(work: (database: Maintenance) => Promise<T>, { anyProgram = false } = {}): Promise<T> {
    const { config, schema } = this.read();
    const database = await Maintenance.open(config, schema, (line) => this.note(line));
    try {
      const unknown = anyProgram ? [] : await database.unknownMigrations();
      if (unknown.length > 0)
        throw new OperationError(
          `The database has migrations that this program does not know: ${unknown.join(', ')}. Nothing was done: use the ` +
            'commands of the service that runs on it, of its version and with its modules.',
        );
      return await work(database);
    } finally {
      await database.close();
    }
  }

  /**
   * Runs `work` with the parts of the service, on a database that is migrated.
   *
   * @throws OperationError if migrations are missing.
   */
  onService<T>(work: (service: INestApplicationContext) => Promise<T>): Promise<T> {
    return this.onDatabase(async (database) => {
      const { pending_migrations: pending } = await database.status();
      if (pending.length > 0)
        throw new OperationError(
          'The database lacks migrations of this version: run the command migrate first.',
        );
      const { config } = this.read(database.url);
      const module = AppModule.forRoot(config, this.extension);
      // Some parts of the service need the object of the HTTP server. The server never listens.
      const service = await NestFactory.create(module, new FastifyAdapter(), {
        logger: false,
        abortOnError: false,
      });
      await service.init();
      try {
        return await work(service);
      } finally {
        await service.close();
      }
    });
  }

  /** @throws BackupError if this version cannot restore the backup in a folder. */
  async checkBackup(folder: string): Promise<void> {
    await checkBackup(this.read().schema.migrations, folder);
  }

  /** Renames the folder of the embedded database. @returns both paths. @throws OperationError if there is none. */
  putEmbeddedAside(): { live: string; kept: string } {
    const { config } = this.read();
    if (config.databaseUrl !== undefined)
      throw new OperationError(
        'DATABASE_URL is given: there is no embedded database to upgrade.',
        EXIT.usage,
      );
    const moved = putClusterAside(config.dataDir);
    if (moved === undefined) throw new OperationError('There is no embedded database yet.', EXIT.usage);
    return moved;
  }

  private read(databaseUrl?: string) {
    const { schema, settings } = composeService(this.extension);
    return { config: ServiceConfig.forTools(settings, databaseUrl), schema };
  }
}

function readable(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(readable).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value ?? 'none');
}
