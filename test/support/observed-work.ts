import type { INestApplicationContext } from '@nestjs/common';
import { Database, type Executor } from '@app/database';
import { PasswordHasher } from '@app/security';
import type { Answer } from '@app/testing';

export interface Work {
  answer: Answer;
  /** The names of the statements that the service ran outside of transactions, in their order. */
  statements: string[];
  /** Derivations of a secret. */
  hashes: number;
}

/** Each process runs them every few seconds, whatever is asked. */
export const OF_TIMERS = ['ended sessions list', 'operator find due reminders'];

/** What the service does for one request; nothing else may be going on. */
export async function observeWork(
  app: INestApplicationContext,
  request: () => Promise<Answer>,
): Promise<Work> {
  const hasher = app.get(PasswordHasher);
  const hashes = [jest.spyOn(hasher, 'hash'), jest.spyOn(hasher, 'verify')];
  const database = app.get(Database);
  const statements: string[] = [];
  const queries = [...new Set<Executor>([database, database.shortReads, database.strangers])].map(
    (executor) => {
      const query = executor.query.bind(executor);
      return jest.spyOn(executor, 'query').mockImplementation((statement, values) => {
        if (!OF_TIMERS.includes(statement.name)) statements.push(statement.name);
        return query(statement, values);
      });
    },
  );
  try {
    const answer = await request();
    return {
      answer,
      statements,
      hashes: hashes.reduce((count, spy) => count + spy.mock.calls.length, 0),
    };
  } finally {
    for (const spy of [...queries, ...hashes]) spy.mockRestore();
  }
}
