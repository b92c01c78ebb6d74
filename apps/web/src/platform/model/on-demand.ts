import { signal, type ReadonlySignal } from '@preact/signals';
import { type LoadState, type Part, reloadedWithFamily } from './records';
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
 * @param forget empties them; called when the page is locked.
 */
export function onDemand(load: Part, forget: () => void, ...kinds: string[]): OnDemand {
  const state = signal<LoadState>('empty');
  const error = signal<unknown>(undefined);
  let running: Promise<void> | undefined;
  /** A load that was begun before a lock must not fill the signals after it. */
  let locks = 0;

  async function run(): Promise<void> {
    const begun = locks;
    if (state.value !== 'ready') state.value = 'loading';
    try {
      const show = await load();
      if (begun !== locks) return;
      show();
      state.value = 'ready';
      error.value = undefined;
    } catch (failure) {
      if (begun !== locks) return;
      error.value = failure;
      if (state.value !== 'ready') state.value = 'failed';
    }
  }
  const reload = () => {
    if (running) return running;
    const mine = run().finally(() => {
      if (running === mine) running = undefined;
    });
    running = mine;
    return mine;
  };
  const need = () => (state.value === 'ready' ? Promise.resolve() : reload());

  reloadedWithFamily(
    async () => {
      if (state.value !== 'empty') await reload();
      return () => undefined;
    },
    ...kinds,
  );
  whenLocked(() => {
    locks += 1;
    running = undefined;
    state.value = 'empty';
    error.value = undefined;
    forget();
  });
  return { state, error, need, reload };
}
