import { signal, type ReadonlySignal } from '@preact/signals';
import { type LoadState, reloadedWithFamily } from './records';
import { whenLocked } from './session';

/** Records that only some screens need. They are loaded when the first of these screens opens. */
export interface OnDemand {
  state: ReadonlySignal<LoadState>;
  error: ReadonlySignal<unknown>;
  /** Loads them unless they are there. Never rejects: `state` and `error` tell. */
  need: () => Promise<void>;
  /** Loads them again. */
  reload: () => Promise<void>;
}

/**
 * @param load sets the signals of its records.
 * @param forget empties them; called when the page is locked.
 */
export function onDemand(load: () => Promise<void>, forget: () => void): OnDemand {
  const state = signal<LoadState>('empty');
  const error = signal<unknown>(undefined);
  let running: Promise<void> | undefined;
  /** A load that was begun before a lock must not fill the signals after it. */
  let locks = 0;

  async function run(): Promise<void> {
    const begun = locks;
    if (state.value !== 'ready') state.value = 'loading';
    try {
      await load();
      if (begun !== locks) return forget();
      state.value = 'ready';
      error.value = undefined;
    } catch (failure) {
      if (begun !== locks) return;
      error.value = failure;
      if (state.value !== 'ready') state.value = 'failed';
    }
  }
  const reload = () => (running ??= run().finally(() => (running = undefined)));
  const need = () => (state.value === 'ready' ? Promise.resolve() : reload());

  reloadedWithFamily(async () => {
    if (state.value !== 'empty') await reload();
  });
  whenLocked(() => {
    locks += 1;
    state.value = 'empty';
    error.value = undefined;
    forget();
  });
  return { state, error, need, reload };
}
