/**
 * Runs the service on port 3000 and the page with reload on port 5173. Ctrl-C stops both.
 * Vite takes the next free port where 5173 is taken, and prints it.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** Passkeys belong to the address of the page. An IP address can have none. */
const env = { WEB_ORIGIN: 'http://localhost:5173', ...process.env };
/** Each part leads a process group, because Nest starts the service as a process of its own. */
const run = (program, ...args) =>
  spawn(process.execPath, [`node_modules/${program}`, ...args], {
    cwd: ROOT,
    detached: true,
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });

const parts = [
  run('@nestjs/cli/bin/nest.js', 'start', '--watch', '--preserveWatchOutput'),
  run('vite/bin/vite.js', 'apps/web', '--configLoader', 'runner'),
];
let isStopping = false;
const stop = () => {
  if (isStopping) return;
  isStopping = true;
  for (const { pid } of parts) {
    try {
      process.kill(-pid, 'SIGTERM');
    } catch {
      // It has ended already.
    }
  }
};
for (const part of parts) part.on('exit', stop);
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
