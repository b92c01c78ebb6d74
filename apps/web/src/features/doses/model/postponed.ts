import { signal } from '@preact/signals';
import { keepDraft, readDraft } from '../../../platform/model/drafts';
import { sessionState, whenLocked, whenUnlocked } from '../../../platform/model/session';

const NAME = 'postponed';

/**
 * Until when a due dose was put off on this device, in milliseconds, by its key. Security: it says which medicine is due
 * when. So it is stored as a draft is, encrypted, and a locked page has none of it in memory.
 */
export const postponed = signal<Readonly<Record<string, number>>>({});

export function postpone(key: string, until: Date): void {
  postponed.value = { ...postponed.value, [key]: until.getTime() };
  void keepDraft(NAME, postponed.value).catch(() => undefined);
}

whenUnlocked(() => {
  void readDraft<Record<string, number>>(NAME).then((stored = {}) => {
    if (sessionState.value !== 'unlocked') return;
    const open = Object.entries(stored).filter(([, until]) => until > Date.now());
    postponed.value = { ...Object.fromEntries(open), ...postponed.value };
  });
});
whenLocked(() => (postponed.value = {}));
