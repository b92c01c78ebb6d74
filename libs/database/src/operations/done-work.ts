import type { Executor, Statement } from '../connection/statement';

/** The work whose age the metrics show. */
export const WORK = ['backup', 'erasures', 'rehearsal'] as const;
export type Work = (typeof WORK)[number];

/** SQL that notes that the work of the name `$1` was done at `$2`. */
export const NOTE_WORK = `INSERT INTO done_work (name, done_at) VALUES ($1, $2)
  ON CONFLICT (name) DO UPDATE SET done_at = greatest(done_work.done_at, excluded.done_at)`;

const FIND: Statement = {
  name: 'operator find done work',
  text: 'SELECT name, extract(epoch FROM done_at)::float8 AS seconds FROM done_work',
};

/** @returns when each work was last done, in seconds since the epoch; 0 if never. */
export async function findDoneWork(executor: Executor): Promise<Record<Work, number>> {
  const rows = await executor.query<{ name: string; seconds: number }>(FIND, []);
  const seconds = (work: Work) => rows.find(({ name }) => name === work)?.seconds ?? 0;
  return { backup: seconds('backup'), erasures: seconds('erasures'), rehearsal: seconds('rehearsal') };
}
