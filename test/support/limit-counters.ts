import { sql } from './databases';

/** A row of the table in which shared limits count. */
export interface Counter {
  key: string;
  points: number;
  /** Until its window ends. */
  secondsLeft: number;
}

/** The counters of a policy, largest first. */
export async function countersOf(databaseUrl: string, policy: string): Promise<Counter[]> {
  const rows = await sql<{ key: string; points: number; expire: string }>(
    databaseUrl,
    `SELECT key, points, expire FROM rate_limits WHERE key LIKE $1 ORDER BY points DESC`,
    [`${policy}:%`],
  );
  return rows.map(({ key, points, expire }) => ({
    key,
    points,
    secondsLeft: Math.round((Number(expire) - Date.now()) / 1000),
  }));
}

/** Puts every counter of a policy where a test wants it. */
export async function setCounters(databaseUrl: string, policy: string, points: number): Promise<void> {
  await sql(databaseUrl, 'UPDATE rate_limits SET points = $2 WHERE key LIKE $1', [`${policy}:%`, points]);
}

/** Lets the windows of a policy come to their end. */
export async function endWindows(databaseUrl: string, policy: string): Promise<void> {
  await sql(databaseUrl, 'UPDATE rate_limits SET expire = 1 WHERE key LIKE $1', [`${policy}:%`]);
}

export async function forgetLimits(databaseUrl: string): Promise<void> {
  await sql(databaseUrl, 'DELETE FROM rate_limits');
}
