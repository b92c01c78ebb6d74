import { estimateSecret, MIN_PASSWORD_LENGTH, type SecretStrength } from '@app/client';

export type Strength = 'tooShort' | 'weak' | 'fair' | 'good' | 'strong';

export const LEAST_SECRET_LENGTH = MIN_PASSWORD_LENGTH;

/** The least guesses for these grades, as powers of ten. A secret that the client refuses is weak. */
const GOOD = 14;
const STRONG = 16;

/** How strong a new secret is. The client refuses what is too short or weak. */
export async function strengthOf(secret: string, email = ''): Promise<Strength> {
  if ([...secret].length < LEAST_SECRET_LENGTH) return 'tooShort';
  return gradeOf(await estimateSecret(secret, [email]));
}

/**
 * The same while a person types: by short word lists, and `isDoubtful` where only the large ones can tell. They are 800 kB,
 * so nobody loads them for a half of a password.
 */
export async function quickStrengthOf(
  secret: string,
  email = '',
): Promise<{ strength: Strength; isDoubtful: boolean }> {
  if ([...secret].length < LEAST_SECRET_LENGTH) return { strength: 'tooShort', isDoubtful: false };
  const estimate = await estimateSecret(secret, [email], { lists: 'short' });
  return { strength: gradeOf(estimate), isDoubtful: estimate.isDoubtful };
}

function gradeOf({ guessesLog10, isAcceptable }: SecretStrength): Strength {
  if (!isAcceptable) return 'weak';
  return guessesLog10 >= STRONG ? 'strong' : guessesLog10 >= GOOD ? 'good' : 'fair';
}

export function isAccepted(strength: Strength): boolean {
  return strength !== 'tooShort' && strength !== 'weak';
}
