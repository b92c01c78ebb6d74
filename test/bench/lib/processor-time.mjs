import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts processor time in ticks of this length, on every Linux that matters. */
const TICK_MS = 10;

/** Milliseconds of processor time that a process and its children have used so far, also those that have ended. */
export function processorMilliseconds(pid) {
  const [, ...own] = timesOf(pid);
  let ticks = own.reduce((sum, each) => sum + each, 0);
  for (const other of readdirSync('/proc')) {
    if (!/^\d+$/.test(other)) continue;
    const [parent, user, system] = timesOf(other);
    if (parent === Number(pid)) ticks += user + system;
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
