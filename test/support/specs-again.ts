import { PROFILE_ITEM } from '@app/testing';
import { goToSpaces } from './in-space';

/**
 * The specs whose tests run a second time, each profile shared: `quick` ones in every run, `long` ones where test/covered
 * says so. With each of them stands what does not run again, by the names of the tests.
 *
 * test/architecture/specs-again.spec.ts holds the tables complete.
 */
export const AGAIN: Record<'quick' | 'long', Record<string, RegExp | undefined>> = {
  quick: {
    'e2e/adherence': undefined,
    'e2e/appointments': undefined,
    'e2e/conventions-lists': undefined,
    'e2e/conventions-timestamps': undefined,
    'e2e/doses': undefined,
    'e2e/health-stats': undefined,
    'e2e/medications': undefined,
    'e2e/opaque': /that registering makes|is a wrapped key or an IV/,
    // Their profile is not shared yet, or its key is in it.
    'e2e/profiles': /creates? |a new %s|an empty key|keeps every field|names its owner|counts the characters/,
    'e2e/request-bodies': /is (read|refused) as|no JSON|no object|413|1 MiB|4 KiB|in the name of a field/,
    'e2e/sync': /an account without records|of another epoch/,
    'security/ownership': /registering makes|second delete/,
    'security/quotas': /of other accounts|updates, moves|goes with the account/,
    'security/storage': undefined,
  },
  long: {
    'e2e/conventions-idempotency': /means nothing to register|came into being between/,
    'e2e/sync-writers': undefined,
    'e2e/whole-lists': undefined,
    'security/faults': /at the start|two statements of a transaction|a statement takes|in each other/,
    'security/foreign-bytes': /would be found out/,
    'security/request-budgets': undefined,
    'security/stored-bytes': undefined,
  },
};

/** They need a second profile, or delete theirs: a space has one, which stays. */
const OF_PROFILES =
  /another own profile|of another profile|and by profile|from page to page|a deleted profile|filtered by/;
/** They compare with a record that has no author. */
const WITHOUT_AUTHOR =
  /are logged with taken|as they were answered|that has no schedule|alone and leaves the rest/;

/** Why the tests of a spec say nothing of a space. */
const OF_ACCOUNTS =
  'an account has a sign-in, secrets, sessions and limits of its own; a space has none of them';
const OF_REQUESTS = 'what a request meets before its space is looked at';
const OF_OTHERS = 'no route of theirs works in a space';
const OF_SERVICE =
  'of the service as a whole: its errors, its epoch, its routes, its commands and its modules';
const IN_SPACES = 'of spaces';

/** The specs that do not run again, and why. */
export const NOT_AGAIN: Record<string, string> = {
  'e2e/accounts-in-trouble': OF_ACCOUNTS,
  'e2e/auth-change-password': OF_ACCOUNTS,
  'e2e/auth-login': OF_ACCOUNTS,
  'e2e/auth-register': OF_ACCOUNTS,
  'e2e/auth-sessions': OF_ACCOUNTS,
  'e2e/auth-tokens': OF_ACCOUNTS,
  'e2e/conventions': OF_REQUESTS,
  'e2e/docs': OF_OTHERS,
  'e2e/epoch': OF_SERVICE,
  'e2e/errors': OF_SERVICE,
  'e2e/extension': OF_SERVICE,
  'e2e/extension-process': OF_SERVICE,
  'e2e/extension-refused': OF_SERVICE,
  'e2e/health': OF_OTHERS,
  'e2e/home': OF_OTHERS,
  'e2e/interactions': OF_OTHERS,
  'e2e/interactions-heavy': OF_OTHERS,
  'e2e/knowledge-base': OF_OTHERS,
  'e2e/ops': OF_SERVICE,
  'e2e/outside-module': 'its checks of one kind are those of spaces-kinds.spec.ts',
  'e2e/record-kinds': 'spaces-kinds.spec.ts has the same checks',
  'e2e/recovery': OF_ACCOUNTS,
  'e2e/recovery-info': OF_ACCOUNTS,
  'e2e/reminders': OF_OTHERS,
  'e2e/signups': OF_ACCOUNTS,
  'e2e/spaces': IN_SPACES,
  'e2e/spaces-again': IN_SPACES,
  'e2e/spaces-again-long': IN_SPACES,
  'e2e/spaces-kinds': IN_SPACES,
  'e2e/spaces-upkeep': IN_SPACES,
  'e2e/tour': OF_OTHERS,
  'e2e/users-me': OF_ACCOUNTS,
  'e2e/users-me-delete': OF_ACCOUNTS,
  'e2e/users-me-if-match': OF_ACCOUNTS,
  'e2e/web': OF_OTHERS,
  'security/access-tokens': 'spaces-roles.spec.ts sends bad tokens with the header of a space',
  'security/device-tokens': OF_ACCOUNTS,
  'security/email': OF_ACCOUNTS,
  'security/erasure-race': OF_ACCOUNTS,
  'security/hash-flood': OF_ACCOUNTS,
  'security/headers': OF_REQUESTS,
  'security/hostile-answers': OF_REQUESTS,
  'security/hostile-bodies':
    'spaces-kinds.spec.ts has its checks of a kind; its own requests have hostile headers of spaces',
  'security/http-framing': OF_REQUESTS,
  'security/lock-out': OF_ACCOUNTS,
  'security/no-directory': OF_ACCOUNTS,
  'security/order-of-work': OF_REQUESTS,
  'security/passkeys': OF_ACCOUNTS,
  'security/public-budgets': OF_REQUESTS,
  'security/rate-limits': OF_ACCOUNTS,
  'security/rate-limits-addresses': OF_ACCOUNTS,
  'security/rate-limits-shared': OF_ACCOUNTS,
  'security/refresh-repeats': OF_ACCOUNTS,
  'security/registrations-by-network': OF_ACCOUNTS,
  'security/rotate-keys': OF_ACCOUNTS,
  'security/routes': OF_SERVICE,
  'security/second-step': OF_ACCOUNTS,
  'security/security-events': OF_ACCOUNTS,
  'security/sessions': OF_ACCOUNTS,
  'security/sign-out': OF_ACCOUNTS,
  'security/slow-clients': OF_REQUESTS,
  'security/slowdown': OF_ACCOUNTS,
  'security/spaces': IN_SPACES,
  'security/spaces-roles': IN_SPACES,
  'security/step-ups': OF_ACCOUNTS,
  'security/thief': OF_ACCOUNTS,
};

/** Runs the tests of these specs again. */
export function runAgain(specs: Record<string, RegExp | undefined>): void {
  goToSpaces();
  describe.each(Object.entries(specs))('in a space: %s', (name, leftOut) => {
    const { it: everyTest, describe: everyGroup } = globalThis;
    const applies = (test: string) =>
      ![leftOut, OF_PROFILES, WITHOUT_AUTHOR].some((each) => each?.test(test));
    Object.assign(globalThis, {
      it: filtered(everyTest, applies),
      describe: filtered(everyGroup, () => true),
    });
    try {
      // eslint-disable-next-line @typescript-eslint/no-require-imports -- a module that registers tests where it is loaded
      require(`../${name}.spec`);
    } finally {
      Object.assign(globalThis, { it: everyTest, describe: everyGroup });
    }
  });
}

type Register = (name: string, ...rest: unknown[]) => void;

/** `it` or `describe` without what does not apply, and without the rows of profiles, which begin and end elsewhere. */
function filtered(register: jest.It | jest.Describe, applies: (name: string) => boolean) {
  const when =
    (run: Register): Register =>
    (name, ...rest) => {
      if (applies(name)) run(name, ...rest);
    };
  const each = (rows: unknown[], ...values: unknown[]) => {
    const kept = Array.isArray(rows) ? rows.filter((row) => !isProfile(row)) : rows;
    return when(register.each(kept as never, ...values) as unknown as Register);
  };
  return Object.assign(when(register as Register), register, { each });
}

const isProfile = (row: unknown) => (row as { item?: string } | null)?.item === PROFILE_ITEM;
