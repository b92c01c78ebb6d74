/** One limit: at most `points` in a window. The window begins with the first point. */
export interface RatePolicy {
  /** Prefix of the keys, and the name in the `RateLimit` headers. */
  name: string;
  points: number;
  windowSeconds: number;
  /** A further limit, for the IPv6 /48 or the IPv4 /24 of the address. */
  ofBlock?: RatePolicy;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Wrong secrets (login, recovery verify and reset, step-up), counted in the database for all replicas
 * together. A point is taken before the secret is checked, and given back if the secret is correct.
 */
export const SECRET_POLICIES = {
  /** One address that tries one email. */
  addressAndEmail: { name: 'secret', points: 5, windowSeconds: 15 * MINUTE },
  /** One address that tries many emails. */
  address: { name: 'secret-address', points: 100, windowSeconds: DAY },
  /**
   * Many addresses that try one email. It does not refuse an address from which the account has signed in
   * recently.
   */
  email: { name: 'secret-email', points: 50, windowSeconds: DAY },
} satisfies Record<string, RatePolicy>;

/** Requests to these routes, by address, counted in the database for all replicas together. */
export const ADDRESS_POLICIES = {
  /** Registration and change of the email: both tell whether an email is taken. */
  register: {
    name: 'register',
    points: 500,
    windowSeconds: HOUR,
    ofBlock: { name: 'register-block', points: 2000, windowSeconds: HOUR },
  },
  prelogin: { name: 'prelogin', points: 600, windowSeconds: HOUR },
  recoveryInfo: { name: 'recovery-info', points: 600, windowSeconds: HOUR },
} satisfies Record<string, RatePolicy>;

/**
 * All other requests: by account, or by address on a public route. Counted in the memory of each process,
 * without a statement.
 */
export const ACCOUNT_POLICY: RatePolicy = { name: 'account', points: 3000, windowSeconds: MINUTE };
