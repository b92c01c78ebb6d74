import { computed, signal } from '@preact/signals';
import { dayOf } from './dates';

/** The current time, updated every half minute and when the page becomes visible. */
export const now = signal(new Date());
export const today = computed(() => dayOf(now.value));

export function tick(): void {
  now.value = new Date();
}

setInterval(tick, 30_000);
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') tick();
});
