import type { Resolution, SyncProblem } from '@app/client';

/** What a button says. */
export type ChoiceText =
  'ask' | 'retry' | 'keep' | 'putBack' | 'discard' | 'deleteHere' | 'takeTheirs' | 'isRight';

/** What a person can choose, and the words for it. */
export interface Choice {
  resolution: Resolution;
  text: ChoiceText;
}

/** The service says that a record is gone, and this device still has it. */
const GONE = ['deletion_unproven', 'withheld', 'missing_after_reset'];
/** No device has written a dose that the service shows. */
const UNPROVEN = 'unproven';
/** The service shows a state that this device does not believe. */
const DOUBTED = [
  'rolled_back',
  'stale_revision',
  'tampered',
  UNPROVEN,
  'format_unsupported',
  'key_mismatch',
  'protocol_violation',
  'profile_unknown',
];

const RESOLUTIONS: readonly Resolution[] = ['retry', 'keep', 'discard'];

/** Whether it is about what the service shows, and not about a change of this person. */
export const isDoubt = (code: string): boolean => GONE.includes(code) || DOUBTED.includes(code);

/** The choices of a problem, in the words that fit it. */
export function choicesOf({
  code,
  resolutions = RESOLUTIONS,
}: Pick<SyncProblem, 'code'> & {
  resolutions?: readonly Resolution[];
}): Choice[] {
  if (code === UNPROVEN) {
    const texts = { retry: 'ask', keep: 'isRight', discard: 'deleteHere' } as const;
    return resolutions.map((resolution) => ({ resolution, text: texts[resolution] }));
  }
  const texts: Record<Resolution, ChoiceText> = GONE.includes(code)
    ? { retry: 'ask', keep: 'putBack', discard: 'deleteHere' }
    : DOUBTED.includes(code)
      ? { retry: 'ask', keep: 'keep', discard: 'takeTheirs' }
      : { retry: 'retry', keep: 'keep', discard: 'discard' };
  return resolutions.map((resolution) => ({ resolution, text: texts[resolution] }));
}
