/** The key derivation of the reference client. Source: OWASP Password Storage Cheat Sheet. */
export const KDF = 'pbkdf2-sha256';
/** The cost of a new account. An older one keeps its own until its client raises it. */
export const KDF_ITERATIONS = 1_000_000;
/** The least that a client may ask for. Clients refuse less. */
export const MIN_KDF_ITERATIONS = 600_000;
/** Clients refuse more. */
export const MAX_KDF_ITERATIONS = 10_000_000;
