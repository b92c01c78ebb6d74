/** The proof that the feed skips nothing, at its full length: a minute each. Build first: `npm run build`. */
import { runSpec } from './lib/specs.mjs';

runSpec('test/e2e/sync-writers.spec.ts', 'e2e', { FEED_SECONDS: process.argv[2] ?? '60' });
