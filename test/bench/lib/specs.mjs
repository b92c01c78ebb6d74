import { spawnSync } from 'node:child_process';
import { ROOT } from './processes.mjs';

/** Runs a test of the gate in a longer form, which the environment asks for. The exit code is that of the test. */
export function runSpec(path, project, environment) {
  process.stdout.write(`${path} with ${JSON.stringify(environment)}\n`);
  const { status } = spawnSync('npx', ['jest', path, '--selectProjects', project], {
    cwd: ROOT,
    env: { ...process.env, ...environment },
    stdio: 'inherit',
  });
  process.exitCode = status ?? 1;
}
