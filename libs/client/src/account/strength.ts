import { WeakSecretError } from '../errors';

/** An estimate of how hard a secret is to guess. */
export interface SecretStrength {
  /** The power of ten of the guesses that an attacker needs: 12 means a million million. */
  guessesLog10: number;
  /** 0 (a few guesses) to 4. */
  score: 0 | 1 | 2 | 3 | 4;
  isAcceptable: boolean;
  /** What makes the secret weak, and what would help: English sentences, perhaps none. */
  warning: string | null;
  suggestions: string[];
}

/** Secrets with fewer guesses are refused, as a power of ten. README tells what this costs an attacker. */
export const MIN_GUESSES_LOG10 = 12;
/** Estimates of longer texts take long; what follows is not counted. */
const MAX_ESTIMATED_LENGTH = 100;

/**
 * Estimates a secret on the device, with zxcvbn. Its word lists (several hundred kB) are loaded at the first
 * call, as a file of their own.
 * @param userInputs words that an attacker would try first: the email, names, the name of the application.
 */
export async function estimateSecret(
  secret: string,
  userInputs: readonly string[] = [],
): Promise<SecretStrength> {
  const { estimate } = await import('./strength-estimator.js');
  const words = userInputs.flatMap((each) => [each, ...each.split(/[^\p{L}\p{N}]+/u)]).filter(Boolean);
  const { guessesLog10, score, feedback } = estimate(secret.slice(0, MAX_ESTIMATED_LENGTH), words);
  return {
    guessesLog10,
    score: score,
    isAcceptable: guessesLog10 >= MIN_GUESSES_LOG10,
    warning: feedback.warning || null,
    suggestions: [...feedback.suggestions],
  };
}

/** @throws WeakSecretError */
export async function requireStrongSecret(secret: string, userInputs: readonly string[] = []): Promise<void> {
  const strength = await estimateSecret(secret, userInputs);
  if (!strength.isAcceptable) throw new WeakSecretError(strength);
}
