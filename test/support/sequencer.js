const Sequencer = require('@jest/test-sequencer').default;

/**
 * The specs that take longest, the longest first. A clean clone knows no durations, and Jest then begins with the largest
 * files: a small one that takes minutes would run at the end, while the other worker has nothing to do.
 */
const LONG = [
  'test/image/image.spec.ts',
  'test/package/outside.spec.ts',
  'test/package/generator.spec.ts',
  'test/operation/compose-scripts.spec.ts',
  'test/browser/page-circle.spec.ts',
  'test/browser/page-passkeys.spec.ts',
  'test/browser/page-people.spec.ts',
  'test/browser/swagger-ui.spec.ts',
  'test/e2e/ops.spec.ts',
  'test/browser/page-reminders.spec.ts',
  'test/browser/page-join.spec.ts',
  'test/browser/page-month.spec.ts',
  'test/operation/year.spec.ts',
  'test/operation/backup.spec.ts',
  'test/e2e/sync-writers.spec.ts',
  'test/operation/early-signals.spec.ts',
  'test/documents/documents.spec.ts',
  'test/operation/pgbouncer.spec.ts',
];

/** Runs the long specs first, and all others as Jest orders them. */
class LongestFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const at = LONG.findIndex((name) => path.endsWith(`/${name}`));
      return at === -1 ? LONG.length : at;
    };
    // Stable: the order of all others stays.
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
}

module.exports = LongestFirst;
module.exports.LONG = LONG;
