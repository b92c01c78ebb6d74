import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { announce } from './announce';

/** The state of one act: under way, and what went wrong. */
export interface Act {
  busy: boolean;
  error: unknown;
  run: (act: () => Promise<unknown>) => Promise<boolean>;
  clear: () => void;
}

/** Runs an act once at a time. @param words turns an error into a sentence, which is announced. */
export function useAct(words: (error: unknown) => string): Act {
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(undefined);
  const run = async (act: () => Promise<unknown>) => {
    if (busy) return false;
    setBusy(true);
    setError(undefined);
    try {
      await act();
      return true;
    } catch (failure) {
      setError(failure);
      announce(words(failure), true);
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, error, run, clear: () => setError(undefined) };
}

/** A form whose submit never loads another page. A field with a fault gets the focus: it may be out of sight. */
export function Form({ onSubmit, children }: { onSubmit: () => unknown; children: ComponentChildren }) {
  return (
    <form
      class="stack form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        const form = event.currentTarget;
        const focusFault = () => {
          const fault = form.querySelector<HTMLElement>('[aria-invalid="true"]');
          const folded = fault?.closest('details');
          if (folded) folded.open = true;
          fault?.focus();
        };
        void Promise.resolve(onSubmit()).then(() => setTimeout(focusFault));
      }}
    >
      {children}
    </form>
  );
}
