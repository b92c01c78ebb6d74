/**
 * Runs all of test/e2e and test/security on the Citus cluster that TEST_CITUS_URL names, on the last build. Arguments go to Jest;
 * with paths among them it runs these files alone.
 */
import { spawnSync } from 'node:child_process';

/** Parts of the names of tests that cannot apply. docs/scaling.md has the reason of each. */
const EXCLUDED = [
  'on 4 partitions',
  'between two statements of a transaction: 503',
  'by SQL takes the email along',
  'leaves a sign-up with the same email at the same time whole or refused',
  'ends the session or says that the token is dead, and is never a 500',
  'would be found out where the service swaps two answers',
];
/** Three servers on one machine are slow. */
const TIMEOUT_MS = 240_000;

if (!process.env.TEST_CITUS_URL) {
  console.error('TEST_CITUS_URL is missing: test/operation/citus/start-cluster.mjs prints it.');
  process.exit(2);
}
const args = process.argv.slice(2);
const paths = args.some((arg) => !arg.startsWith('-')) ? [] : ['test/e2e', 'test/security'];
const options = ['--selectProjects=e2e', '--maxWorkers=1', `--testTimeout=${TIMEOUT_MS}`];
const names = `^(?!.*(${EXCLUDED.join('|')}))`;
const { status } = spawnSync('npx', ['jest', ...paths, ...args, ...options, '-t', names], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
