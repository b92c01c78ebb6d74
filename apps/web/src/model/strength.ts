import { MIN_PASSWORD_LENGTH } from '@app/client';

export type Strength = 'tooShort' | 'weak' | 'fair' | 'good' | 'strong';

export const LEAST_SECRET_LENGTH = MIN_PASSWORD_LENGTH;

/** How strong a secret is, by its length. */
export function strengthOf(secret: string): Promise<Strength> {
  const { length } = [...secret];
  if (length < LEAST_SECRET_LENGTH) return Promise.resolve('tooShort');
  const different = new Set(secret).size;
  const score = Math.min(length, different * 2);
  return Promise.resolve(score < 12 ? 'weak' : score < 16 ? 'fair' : score < 22 ? 'good' : 'strong');
}
