import type { RatePolicy } from '@app/http';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * Wrong secrets (login, recovery verify and reset, step-up), counted in the database for all replicas
 * together. A point is taken before the secret is checked, and given back if the secret is correct.
 *
 * SECURITY.md has the same table, and says which counters apply to which sender. See `pointsOf`.
 */
export const SECRET_POLICIES = {
  /** One address that tries one email. */
  addressAndEmail: { name: 'secret', points: 5, windowSeconds: 15 * MINUTE },
  /** One address that tries many emails. */
  address: { name: 'secret-address', points: 100, windowSeconds: DAY },
  /** An IPv6 /56 that tries many emails. */
  site: { name: 'secret-site', points: 300, windowSeconds: DAY },
  /** An IPv6 /48 or an IPv4 /24 that tries many emails. */
  block: { name: 'secret-block', points: 1000, windowSeconds: DAY },
  /** An IPv6 /48 or an IPv4 /24 that tries one email. */
  blockAndEmail: { name: 'secret-block-email', points: 20, windowSeconds: DAY },
  /** Many networks that try one email with passwords. */
  email: { name: 'secret-email', points: 50, windowSeconds: DAY },
  /** All wrong secrets together, at all accounts. Beyond it the tries of strangers wait; see `Slowdown`. */
  service: { name: 'secret-service', points: 1000, windowSeconds: HOUR },
  /** One session that tries current passwords, from any network. */
  session: { name: 'secret-session', points: 50, windowSeconds: DAY },
  /** One known device that tries one email, from any network. */
  device: { name: 'secret-device', points: 5, windowSeconds: 15 * MINUTE },
  /** All known devices of one account together. */
  deviceDay: { name: 'secret-device-day', points: 50, windowSeconds: DAY },
  /** Codes of one account. Only somebody with the right password can try one. */
  second: { name: 'secret-second', points: 5, windowSeconds: 15 * MINUTE },
  secondDay: { name: 'secret-second-day', points: 50, windowSeconds: DAY },
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
  /** Both requests of a sign-in with a passkey. */
  passkey: { name: 'passkey', points: 600, windowSeconds: HOUR },
  /** Requests for a link by which an address is confirmed: each is a mail. */
  verificationMail: { name: 'verification-mail', points: 20, windowSeconds: HOUR },
  /** Test messages to the own devices: each goes to a push service. */
  pushTest: { name: 'push-test', points: 30, windowSeconds: HOUR },
  /** Answers to messages by their tickets. */
  pushAnswer: { name: 'push-answer', points: 600, windowSeconds: HOUR },
  recoveryInfo: { name: 'recovery-info', points: 600, windowSeconds: HOUR },
} satisfies Record<string, RatePolicy>;

/** Requests about shared profiles, counted in the database for all replicas together. */
export const SPACE_POLICIES = {
  /** Changes of the members, by member and space: each stays for ever as a roster. */
  roster: { name: 'roster', points: 50, windowSeconds: DAY },
  /** Tries to open or accept an invitation, by account. */
  invite: { name: 'invite', points: 60, windowSeconds: HOUR },
} satisfies Record<string, RatePolicy>;

/** KiB that accounts of less than `QUOTA_DAYS` store, by address; see `StoredBytes`. */
export const STORED_POLICY = {
  name: 'stored-kib',
  points: 128 * 1024,
  windowSeconds: DAY,
  ofBlock: { name: 'stored-kib-block', points: 1024 * 1024, windowSeconds: DAY },
} satisfies RatePolicy;

/** Requests that are counted in the memory of each process, without a statement. */
export const LOCAL_POLICIES = {
  /** All other requests: by account, or by address on a public route. */
  account: { name: 'account', points: 3000, windowSeconds: MINUTE, isLocal: true },
  /** Requests without a valid token to a protected route, and requests to no route: by address. */
  refused: { name: 'refused', points: 3000, windowSeconds: MINUTE, isLocal: true },
  /** By address. An orchestrator asks every few seconds. */
  readyz: { name: 'readyz', points: 600, windowSeconds: MINUTE, isLocal: true },
  /** Downloads of the knowledge base, by address. One without gzip costs ten points. */
  knowledgeBase: { name: 'knowledge-base', points: 60, windowSeconds: MINUTE, isLocal: true },
} satisfies Record<string, RatePolicy>;
