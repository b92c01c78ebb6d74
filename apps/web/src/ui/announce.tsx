import { signal } from '@preact/signals';
import { whenLocked } from '../platform/model/session';

const polite = signal('');
const urgent = signal('');

/** Makes a screen reader read a text. It reads an equal text again. */
export function announce(text: string, isUrgent = false): void {
  const region = isUrgent ? urgent : polite;
  region.value = region.value === text ? `${text}\u00a0` : text;
}

/** An announcement may hold the name of a medicine. */
whenLocked(() => {
  polite.value = '';
  urgent.value = '';
});

/** Two live regions. They are in the page from the start, else nothing is announced. */
export function LiveRegions() {
  return (
    <div class="visually-hidden">
      <div role="status">{polite.value}</div>
      <div role="alert">{urgent.value}</div>
    </div>
  );
}
