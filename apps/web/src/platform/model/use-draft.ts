import { useEffect, useRef, useState } from 'preact/hooks';
import { dropDraft, keepDraft, readDraft } from './drafts';

export interface Draft<T> {
  value: T;
  /** @param typed false for what the page adds by itself, which is no reason to keep anything */
  change: (changes: Partial<T>, typed?: boolean) => void;
  /** What was typed in an earlier visit, until the person goes on with it or begins anew. */
  kept: T | undefined;
  goOn: () => void;
  /** Why this device does not keep what is typed; `undefined` where it does. */
  failure: unknown;
  /** Forgets what was typed. @returns puts it back; `undefined` where nothing was typed */
  forget: () => (() => Promise<void>) | undefined;
  drop: () => Promise<void>;
}

/**
 * The state of a form that survives a lock, a reload and a dead network. What was kept is never put into a form unasked.
 * @param name of the form and its record
 * @param isEmpty whether nothing worth keeping was typed
 */
export function useDraft<T extends object>(
  name: string,
  initial: T,
  isEmpty: (value: T) => boolean = () => false,
): Draft<T> {
  const [value, setValue] = useState(initial);
  const [kept, setKept] = useState<T | undefined>(undefined);
  const [failure, setFailure] = useState<unknown>(undefined);
  const isTouched = useRef(false);
  const stored = useRef<T | undefined>(undefined);
  const store = (next: T) => {
    stored.current = isEmpty(next) ? undefined : next;
    (stored.current ? keepDraft(name, next) : dropDraft(name)).then(() => setFailure(undefined), setFailure);
  };
  const drop = () => {
    stored.current = undefined;
    setKept(undefined);
    return dropDraft(name).catch(() => undefined);
  };
  useEffect(() => {
    void readDraft<T>(name).then((found) => {
      if (!found || isTouched.current) return;
      stored.current = { ...initial, ...found };
      setKept(stored.current);
    });
  }, [name]);
  return {
    value,
    kept,
    failure,
    drop,
    goOn: () => {
      isTouched.current = true;
      if (kept) setValue(kept);
      setKept(undefined);
    },
    forget: () => {
      const last = stored.current;
      void drop();
      return last && (() => keepDraft(name, last));
    },
    change: (changes, typed = true) => {
      if (typed) isTouched.current = true;
      setValue((before) => {
        const next = { ...before, ...changes };
        if (typed) store(next);
        return next;
      });
    },
  };
}
