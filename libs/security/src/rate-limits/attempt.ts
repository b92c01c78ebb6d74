import { networkOf, widerNetworksOf } from './network';
import { SECRET_POLICIES as POLICIES } from './policies';
import type { Counter } from './shared-counters';

/** One attempt to use a secret. */
export interface Attempt {
  address: string;
  /** In normalised form. */
  email: string;
  /** Whether the secret is a recovery proof and not a password. */
  isRecovery: boolean;
  /** Whether the account of this email has signed in from this address recently. */
  isKnownAddress: boolean;
  /** Identifies the device token of this account that came with the attempt, if there is one. */
  device?: string;
  /** The caller's session, if the attempt is a step-up. */
  sessionId?: string;
}

export interface AttemptPoint extends Counter {
  /** Counts, but never refuses. */
  isWithoutEffect?: boolean;
}

/** Makes the key of a counter from its parts. */
export type KeyOf = (...parts: string[]) => string;

/** Whether the account knows the sender of an attempt. Strangers' attempts must not shut such a sender out. */
export function isKnown({ isKnownAddress, device, sessionId }: Attempt): boolean {
  return isKnownAddress || device !== undefined || sessionId !== undefined;
}

/**
 * The counters of an attempt.
 *
 * A known device has counters of its own, one of them together with the account's other devices. It uses no
 * others, so that no stranger can use them up. A known
 * address and a session are refused by the counters of their own address only, and a session also by its own.
 *
 * Security: for strangers, the counters are the same whether the account exists or not. A known address has
 * the same number of counters, so that the statement is the same.
 *
 * No counter of the email alone refuses a recovery proof. Anybody can use up such a counter, and would keep
 * the owner out. The service cannot see how strong a proof is. It relies on the client: the reference client
 * derives the proof from 128 random bits, which nobody finds by trying.
 */
export function pointsOf(attempt: Attempt, keyOf: KeyOf): AttemptPoint[] {
  const { email, device } = attempt;
  if (device !== undefined) {
    return [
      { policy: POLICIES.device, key: keyOf('device', device) },
      { policy: POLICIES.deviceDay, key: keyOf('devices', email) },
    ];
  }
  const network = networkOf(attempt.address);
  const { site, block } = widerNetworksOf(network);
  const isWithoutEffect = isKnown(attempt);
  return [
    { policy: POLICIES.addressAndEmail, key: keyOf(network, email) },
    { policy: POLICIES.address, key: keyOf(network) },
    ...(site === undefined ? [] : [{ policy: POLICIES.site, key: keyOf(site), isWithoutEffect }]),
    { policy: POLICIES.block, key: keyOf(block), isWithoutEffect },
    { policy: POLICIES.blockAndEmail, key: keyOf(block, email), isWithoutEffect },
    ...emailPoints(attempt, keyOf),
  ];
}

/** The counter of all networks together. Known senders do not use the one of the strangers. */
function emailPoints(attempt: Attempt, keyOf: KeyOf): AttemptPoint[] {
  const { email, sessionId } = attempt;
  if (sessionId !== undefined) return [{ policy: POLICIES.session, key: keyOf('session', sessionId) }];
  if (attempt.isRecovery) return [];
  return attempt.isKnownAddress
    ? [{ policy: POLICIES.email, key: keyOf(networkOf(attempt.address), email), isWithoutEffect: true }]
    : [{ policy: POLICIES.email, key: keyOf(email) }];
}
