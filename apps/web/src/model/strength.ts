import { estimateSecret, MIN_PASSWORD_LENGTH } from '@app/client';

export type Strength = 'tooShort' | 'weak' | 'fair' | 'good' | 'strong';

export const LEAST_SECRET_LENGTH = MIN_PASSWORD_LENGTH;

/** The least guesses for these grades, as powers of ten. A secret that the client refuses is weak. */
const GOOD = 14;
const STRONG = 16;

/** How strong a new secret is. The client refuses what is too short or weak. */
export async function strengthOf(secret: string, email = ''): Promise<Strength> {
  if ([...secret].length < LEAST_SECRET_LENGTH) return 'tooShort';
  const { guessesLog10, isAcceptable } = await estimateSecret(secret, [email]);
  if (!isAcceptable) return 'weak';
  return guessesLog10 >= STRONG ? 'strong' : guessesLog10 >= GOOD ? 'good' : 'fair';
}

export function isAccepted(strength: Strength): boolean {
  return strength !== 'tooShort' && strength !== 'weak';
}
