import type { AccountUsage } from '@app/client';

/** How full an account is. */
export interface Fullness {
  /** The larger of the two shares: records and bytes. 1 is full. */
  share: number;
  state: 'fine' | 'near' | 'full';
}

/** From this share on the person is told. */
const NEAR = 0.8;

export function fullnessOf({ records, maxRecords, bytes, maxBytes }: AccountUsage): Fullness {
  const share = Math.max(records / maxRecords, bytes / maxBytes);
  return { share, state: share >= 1 ? 'full' : share >= NEAR ? 'near' : 'fine' };
}
