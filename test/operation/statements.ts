import { Client } from 'pg';
import { ALL_SOURCES } from '../architecture/sources';
import { sql } from '../support/databases';

/** A statement as the service sent it, with the values of one time. */
export interface SentStatement {
  name?: string;
  text: string;
  values: unknown[];
}

type QueryCall = [
  text: string | (Omit<SentStatement, 'values'> & { values?: unknown[] }),
  values?: unknown[],
];

/** Listens to every statement that services of this process send from now on; the result ends it and returns each text once. */
export function collectStatements(): () => SentStatement[] {
  const queries = jest.spyOn(Client.prototype, 'query');
  return () => {
    const sent = new Map<string, SentStatement>();
    const add = (statement: SentStatement) => sent.set(statement.text, statement);
    for (const [first, second] of queries.mock.calls as unknown as QueryCall[]) {
      const { name, text, values = second ?? [] } = typeof first === 'string' ? { text: first } : first;
      if (!/^(BEGIN\b.*|COMMIT|ROLLBACK)$/.test(text)) add({ name, text, values });
    }
    queries.mockRestore();
    return [...sent.values()];
  };
}

/** Tables → the numbers of their partitions; a table that has none, or to which a row is added, with none. */
export type Touched = Record<string, number[]>;

/** What the plan of a statement with these values touches. */
export async function touchedBy(databaseUrl: string, { text, values }: SentStatement): Promise<Touched> {
  const [row] = await sql<{ 'QUERY PLAN': unknown }>(databaseUrl, `EXPLAIN (FORMAT JSON) ${text}`, values);
  return touchedIn(JSON.stringify(row));
}

/** What a plan as JSON text touches. Partitions are called `<table>_<number>`. */
export function touchedIn(plan: string): Touched {
  const touched: Record<string, Set<number>> = {};
  for (const [, relation] of plan.matchAll(/"Relation Name": *"(\w+)"/g)) {
    const [, table, number] = /^(.+?)(?:_(\d+))?$/.exec(relation)!;
    touched[table] ??= new Set();
    if (number !== undefined) touched[table].add(Number(number));
  }
  return Object.fromEntries(Object.entries(touched).map(([table, numbers]) => [table, [...numbers].sort()]));
}

/** Why a statement is not one that a sharded database sends to one shard; empty where it is. */
export function faultsOfRouting({ text }: SentStatement, touched: Touched): string[] {
  const faults = Object.entries(touched)
    .filter(([, numbers]) => numbers.length > 1)
    .map(([table, numbers]) => `${numbers.length} partitions of ${table}`);
  const { logins, ...ofAccounts } = touched;
  if (logins && Object.keys(ofAccounts).length > 0) faults.push('logins together with tables of accounts');
  const places = Object.values(ofAccounts).filter((numbers) => numbers.length > 0);
  if (new Set(places.map(String)).size > 1) faults.push('tables of several accounts');
  // Where a row goes is not in the plan: the text must name the account first, also inside WITH.
  const inserts = text.split(/(?=INSERT INTO )/).filter((part) => part.startsWith('INSERT INTO '));
  const namesOwner =
    /^INSERT INTO (?:rate_limits|logins \(email,.* VALUES \(\$1,|accounts \(id,.* VALUES \(\$1,|\w+ (?:AS \w+ )?\(account_id,.*? (?:VALUES \(\$1,|SELECT (?:a\.)?id,))/s;
  if (!inserts.every((part) => namesOwner.test(part)))
    faults.push('a new row whose owner is not the first value');
  return faults;
}

/** The names of the statements that are written down in the service's code; those of records are built from their entities. */
export function namesInCode(): string[] {
  return ALL_SOURCES.filter(({ path }) => /^(apps|libs)\/.*(?<!spec)\.ts$/.test(path)).flatMap(({ tree }) =>
    [...tree.text.matchAll(/name: '([^']+)',\s+text:/g)].map(([, name]) => name),
  );
}
