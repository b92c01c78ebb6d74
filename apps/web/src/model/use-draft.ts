import { useEffect, useRef, useState } from 'preact/hooks';
import { dropDraft, keepDraft, readDraft } from './drafts';

export interface Draft<T> {
  value: T;
  change: (changes: Partial<T>) => void;
  /** Whether it was typed in an earlier visit. */
  isRestored: boolean;
  /** Why this device does not keep what is typed; `undefined` where it does. */
  failure: unknown;
  drop: () => Promise<void>;
}

/**
 * The state of a form that survives a lock, a reload and a dead network.
 * @param name of the form and its record
 * @param isEmpty whether nothing worth keeping was typed
 */
export function useDraft<T extends object>(
  name: string,
  initial: T,
  isEmpty: (value: T) => boolean = () => false,
): Draft<T> {
  const [value, setValue] = useState(initial);
  const [isRestored, setRestored] = useState(false);
  const [failure, setFailure] = useState<unknown>(undefined);
  const isTouched = useRef(false);
  useEffect(() => {
    void readDraft<T>(name).then((found) => {
      if (!found || isTouched.current) return;
      setValue({ ...initial, ...found });
      setRestored(true);
    });
  }, [name]);
  return {
    value,
    isRestored,
    failure,
    change: (changes) => {
      isTouched.current = true;
      setValue((before) => {
        const next = { ...before, ...changes };
        (isEmpty(next) ? dropDraft(name) : keepDraft(name, next)).then(
          () => setFailure(undefined),
          setFailure,
        );
        return next;
      });
    },
    drop: () => {
      setRestored(false);
      return dropDraft(name).catch(() => undefined);
    },
  };
}
