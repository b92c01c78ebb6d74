import type { Check } from '@app/testing';

/** Makes a test of each check. */
export function runChecks(checks: readonly Check[]): void {
  for (const { name, run, timeoutMs } of checks) it(name, run, timeoutMs);
}
