import type { INestApplicationContext } from '@nestjs/common';
import { Database } from '@app/database';
import { PasswordHasher } from '@app/security';
import type { Answer } from './api';

export interface Work {
  answer: Answer;
  /** The names (or texts) of the statements that the service ran outside of transactions, in their order. */
  statements: string[];
  /** Derivations of a secret. */
  hashes: number;
}

/** What the service does for one request; nothing else may be going on. */
export async function observeWork(
  app: INestApplicationContext,
  request: () => Promise<Answer>,
): Promise<Work> {
  const hasher = app.get(PasswordHasher);
  const hashes = [jest.spyOn(hasher, 'hash'), jest.spyOn(hasher, 'verify')];
  const query = jest.spyOn(app.get(Database), 'query');
  try {
    const answer = await request();
    return {
      answer,
      statements: query.mock.calls.map(([{ name, text }]) => name ?? text),
      hashes: hashes.reduce((count, spy) => count + spy.mock.calls.length, 0),
    };
  } finally {
    for (const spy of [query, ...hashes]) spy.mockRestore();
  }
}
