/** Runs the service on port 3000 and the page with reload on port 5173. Ctrl-C stops both. */
import { spawn } from 'node:child_process';

const run = (...args) => spawn('npx', args, { stdio: 'inherit' });
const parts = [run('nest', 'start', '--watch'), run('vite', 'apps/web')];
const stop = () => parts.forEach((part) => part.kill());
for (const part of parts) part.on('exit', stop);
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
