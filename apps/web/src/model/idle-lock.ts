import { lockAfterMinutes } from './preferences';
import { lock, sessionState } from './session';

/** Locks the page after minutes without use; also where the device slept meanwhile. */
export function lockWhenIdle(): void {
  let lastUse = Date.now();
  const check = () => {
    const minutes = lockAfterMinutes.value;
    if (sessionState.value === 'unlocked' && minutes > 0 && Date.now() - lastUse > minutes * 60_000) lock();
  };
  const use = () => {
    check();
    lastUse = Date.now();
  };
  for (const event of ['pointerdown', 'keydown', 'scroll']) addEventListener(event, use, { passive: true });
  document.addEventListener('visibilitychange', check);
  setInterval(check, 15_000);
}
