/** One limit: at most `points` in a window that begins with the first of them. */
export interface RatePolicy {
  /** Also the prefix of its keys and its name in the `RateLimit` headers. */
  name: string;
  points: number;
  windowSeconds: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Wrong secrets (login, recovery verify and reset, step-up), counted in the database over all replicas. A point is taken
 * before the secret is checked and given back where it is right.
 */
export const SECRET_POLICIES = {
  /** One address trying one email. */
  addressAndEmail: { name: 'secret', points: 5, windowSeconds: 15 * MINUTE },
  /** One address trying many emails. */
  address: { name: 'secret-address', points: 100, windowSeconds: DAY },
  /** Many addresses trying one email; never against an address from which the account has signed in of late. */
  email: { name: 'secret-email', points: 50, windowSeconds: DAY },
} satisfies Record<string, RatePolicy>;

/** Every request to these routes, by address, counted in the database over all replicas. */
export const ADDRESS_POLICIES = {
  /** Register, and a change of the email: what tells whether an email is taken. */
  register: { name: 'register', points: 500, windowSeconds: HOUR },
  prelogin: { name: 'prelogin', points: 600, windowSeconds: HOUR },
  recoveryInfo: { name: 'recovery-info', points: 600, windowSeconds: HOUR },
} satisfies Record<string, RatePolicy>;

/** Everything else: by account, or by address on a route without one; in memory of each replica, no statement spent. */
export const ACCOUNT_POLICY: RatePolicy = { name: 'account', points: 3000, windowSeconds: MINUTE };
