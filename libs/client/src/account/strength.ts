import { WeakSecretError } from '../errors';

/** An estimate of how hard a secret is to guess. */
export interface SecretStrength {
  /** The power of ten of the guesses that an attacker needs: 12 means a million million. */
  guessesLog10: number;
  /** 0 (a few guesses) to 4. */
  score: 0 | 1 | 2 | 3 | 4;
  isAcceptable: boolean;
  /** Whether only the large word lists can tell if it is acceptable: `isAcceptable` is then `false`. */
  isDoubtful: boolean;
  /** What makes the secret weak, and what would help: English sentences, perhaps none. */
  warning: string | null;
  suggestions: string[];
}

/** Options of an estimate. */
export interface StrengthOptions {
  /**
   * `short`: never loads the large lists. `large`: always does. Default: it loads them for a secret about which the
   * short ones leave a doubt.
   */
  lists?: 'short' | 'large';
}

/** Secrets with fewer guesses are refused, as a power of ten. README tells what this costs an attacker. */
export const MIN_GUESSES_LOG10 = 12;
/** Estimates of longer texts take long; what follows is not counted. */
const MAX_ESTIMATED_LENGTH = 100;

/**
 * Estimates a secret on the device, with zxcvbn. Its short word lists (less than 60 kB) are loaded at the first call, as a
 * file of their own, and the large ones (about 800 kB) where they are needed.
 * @param userInputs words that an attacker would try first: the email, names, the name of the application.
 */
export async function estimateSecret(
  secret: string,
  userInputs: readonly string[] = [],
  { lists }: StrengthOptions = {},
): Promise<SecretStrength> {
  const words = userInputs.flatMap((each) => [each, ...each.split(/[^\p{L}\p{N}]+/u)]).filter(Boolean);
  const estimated = secret.slice(0, MAX_ESTIMATED_LENGTH);
  if (lists !== 'large') {
    const { estimate } = await import('./small-estimator.js');
    const { least, most } = estimate(estimated, words);
    const isDoubtful = least.guessesLog10 < MIN_GUESSES_LOG10 && most.guessesLog10 >= MIN_GUESSES_LOG10;
    if (!isDoubtful || lists === 'short') return strengthOf(least, isDoubtful);
  }
  const { estimate } = await import('./strength-estimator.js');
  return strengthOf(estimate(estimated, words), false);
}

function strengthOf(
  {
    guessesLog10,
    score,
    feedback,
  }: Pick<SecretStrength, 'guessesLog10' | 'score'> & {
    feedback: { warning: string | null; suggestions: string[] };
  },
  isDoubtful: boolean,
): SecretStrength {
  return {
    guessesLog10,
    score,
    isAcceptable: guessesLog10 >= MIN_GUESSES_LOG10,
    isDoubtful,
    warning: feedback.warning || null,
    suggestions: [...feedback.suggestions],
  };
}

/** @throws WeakSecretError */
export async function requireStrongSecret(secret: string, userInputs: readonly string[] = []): Promise<void> {
  const strength = await estimateSecret(secret, userInputs);
  if (!strength.isAcceptable) throw new WeakSecretError(strength);
}
