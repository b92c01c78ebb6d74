/** What an account has beside its password. */
export interface Factors {
  passkeys: number;
  hasTotp: boolean;
  /** A recovery phrase switches the second step off. */
  hasPhrase: boolean;
}

/**
 * Whether nobody is locked out by the loss of one thing: there is a second step, and a phrase or another second step
 * stands in for it.
 */
export function isSafe({ passkeys, hasTotp, hasPhrase }: Factors): boolean {
  const steps = passkeys + Number(hasTotp);
  return steps > 1 || (steps === 1 && hasPhrase);
}
