import { signal } from '@preact/signals';
import { whenLocked } from '../../../platform/model/session';

/** How long nobody must have tapped until the answered rows move to what is done, in milliseconds. */
const REST_MS = 2_500;

/** The answered due doses whose rows stay in place, by their keys: a second tap must not meet another row. */
export const heldInPlace = signal<ReadonlySet<string>>(new Set());
let rest: ReturnType<typeof setTimeout> | undefined;

function releaseWhenAtRest(): void {
  clearTimeout(rest);
  if (heldInPlace.value.size > 0) rest = setTimeout(() => (heldInPlace.value = new Set()), REST_MS);
}

export function holdInPlace(key: string): void {
  heldInPlace.value = new Set([...heldInPlace.value, key]);
  releaseWhenAtRest();
}
document.addEventListener('pointerdown', releaseWhenAtRest, true);
whenLocked(() => (heldInPlace.value = new Set()));
