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
    /^INSERT INTO (?:rate_limits|invites|logins \(email,.* VALUES \(\$1,|accounts \(id,.* VALUES \(\$1,|\w+ (?:AS \w+ )?\(account_id,.*? (?:VALUES \(\$1,|SELECT (?:a\.)?id,))/s;
  if (!inserts.every((part) => namesOwner.test(part)))
    faults.push('a new row whose owner is not the first value');
  return faults;
}

/** The names of functions that PostgreSQL calls stable or volatile. */
export async function changeableFunctions(databaseUrl: string): Promise<Set<string>> {
  const rows = await sql<{ name: string }>(
    databaseUrl,
    `SELECT proname AS name FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
      GROUP BY proname HAVING bool_and(provolatile <> 'i')`,
  );
  return new Set(rows.map(({ name }) => name));
}

/**
 * What Citus refuses in a write to a distributed table: a function that is not immutable in ON CONFLICT, inside CASE or
 * COALESCE, or with a column among its arguments. It sees calls, not operators. Source: `TargetEntryChangesValue` and
 * `MasterIrreducibleExpression` in Citus's multi_router_planner.c, and a run of all tests on a cluster.
 */
export function refusedByCitus(text: string, changeable: ReadonlySet<string>): string[] {
  const writes = text
    .split(/(?=\b(?:INSERT INTO|(?<!NO KEY |DO )UPDATE|DELETE FROM) \w)/)
    .filter((part) => /^[IUD]/.test(part));
  return writes.flatMap((write) => {
    const conflict = write.search(/\bON CONFLICT\b/);
    return [...write.matchAll(/\b(\w+)\(/g)]
      .filter(([, name]) => changeable.has(name))
      .flatMap(({ 1: name, index }) => {
        const before = write.slice(0, index);
        const faults = [];
        if (conflict >= 0 && index > conflict) faults.push(`${name} in ON CONFLICT`);
        if (isOpen(before, /\bCASE\b/g, /\bEND\b/g)) faults.push(`${name} inside CASE`);
        if (isInsideCoalesce(before)) faults.push(`${name} inside COALESCE`);
        if (/\b[a-z]\w*\.[a-z]\w*\b(?!\()/.test(argumentsAt(write, index + name.length)))
          faults.push(`${name} with a column`);
        return faults;
      });
  });
}

function isOpen(text: string, begin: RegExp, end: RegExp): boolean {
  return (text.match(begin)?.length ?? 0) > (text.match(end)?.length ?? 0);
}

/** Whether the text ends inside a call of COALESCE: without the calls that it closes, one is left. */
function isInsideCoalesce(text: string): boolean {
  const rest = text.replace(/\w*\([^()]*\)/g, '');
  return rest === text ? /\bcoalesce\(/i.test(text) : isInsideCoalesce(rest);
}

function argumentsAt(text: string, parenthesis: number): string {
  let depth = 0;
  for (let at = parenthesis; at < text.length; at++) {
    if (text[at] === '(') depth += 1;
    if (text[at] === ')' && --depth === 0) return text.slice(parenthesis + 1, at);
  }
  return '';
}

/**
 * The names of the statements that requests and housekeeping use, as the code has them. Those of records are built from
 * their entities, and those of the operator's commands may use all shards.
 */
export function namesInCode(): string[] {
  return ALL_SOURCES.filter(({ path }) => /^(apps|libs)\/.*(?<!spec)\.ts$/.test(path)).flatMap(({ text }) =>
    [...text.matchAll(/name: '(?!operator )([^']+)',\s+text:/g)].map(([, name]) => name),
  );
}
