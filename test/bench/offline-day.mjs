/** A day with a bad network in Chromium, at its full length: 300 writes on two devices. Build first: `npm run build`. */
import { runSpec } from './lib/specs.mjs';

runSpec('test/browser/offline-day.spec.ts', 'system', {
  OFFLINE_DAY_WRITES: process.argv[2] ?? '300',
  OFFLINE_DAY_SEED: process.argv[3] ?? String(Date.now() % 100_000),
});
