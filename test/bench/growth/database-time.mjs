import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The kernel counts processor time in ticks of this length, on every Linux that matters. */
const TICK_MS = 10;

/** Processor time that the PostgreSQL of a data directory has used so far, all its processes, also those that have ended. */
export function databaseMilliseconds(dataDir) {
  const postmaster = readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0];
  const [, , , ...ended] = timesOf(postmaster);
  let ticks = ended[0] + ended[1];
  for (const pid of readdirSync('/proc')) {
    if (!/^\d+$/.test(pid)) continue;
    const [parent, user, system] = timesOf(pid);
    if (parent === Number(postmaster)) ticks += user + system;
  }
  return ticks * TICK_MS;
}

/** Parent, then ticks in user and system mode, then those of its children that have ended. Source: proc(5). */
function timesOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').pop().split(' ').map(Number);
    return [fields[1], ...fields.slice(11, 15)];
  } catch {
    return [0, 0, 0, 0, 0]; // has ended since it was listed
  }
}
