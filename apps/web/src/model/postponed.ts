import { signal } from '@preact/signals';

const KEY = 'health-records/page/postponed';

/** Until when a due dose was put off on this device, in milliseconds, by its key. Holds ids and times, no name. */
export const postponed = signal<Record<string, number>>(read());

function read(): Record<string, number> {
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<string, number>;
    return Object.fromEntries(Object.entries(stored).filter(([, until]) => until > Date.now()));
  } catch {
    return {};
  }
}

export function postpone(key: string, until: Date): void {
  postponed.value = { ...postponed.value, [key]: until.getTime() };
  localStorage.setItem(KEY, JSON.stringify(postponed.value));
}
