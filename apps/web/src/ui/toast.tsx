import { computed, signal } from '@preact/signals';
import { X } from 'lucide-preact';
import { announce } from './announce';
import { Button } from './button';

export interface ToastContent {
  text: string;
  /** The code of the failure that it tells, so that the page does not tell it a second time. */
  about?: string;
  action?: { label: string; run: () => void };
}

const shown = signal<(ToastContent & { id: number }) | undefined>(undefined);
let last = 0;

/** How long a message stays, without and with an action. It stays longer under a finger, a pointer or the focus. */
const STAYS_MS = 6000;
const STAYS_WITH_ACTION_MS = 15_000;
let leaving: ReturnType<typeof setTimeout> | undefined;

/** Shows a short message at the bottom. */
export function toast(content: ToastContent): void {
  last += 1;
  shown.value = { ...content, id: last };
  announce(content.text);
  leaveLater();
}

function leaveLater(): void {
  clearTimeout(leaving);
  leaving = setTimeout(clearToast, shown.value?.action ? STAYS_WITH_ACTION_MS : STAYS_MS);
}

const stay = () => clearTimeout(leaving);

/** The code of the failure that is shown as a message. */
export const toldFailure = computed(() => shown.value?.about);

export function clearToast(): void {
  stay();
  shown.value = undefined;
}

export function Toasts({ closeLabel }: { closeLabel: string }) {
  const current = shown.value;
  if (!current) return null;
  const { action } = current;
  return (
    <div
      class={action ? 'toast toast-acting' : 'toast'}
      key={current.id}
      onPointerEnter={stay}
      onPointerLeave={leaveLater}
      onFocusIn={stay}
      onFocusOut={leaveLater}
    >
      <span class="toast-text">{current.text}</span>
      <span class="toast-acts">
        {action && (
          <Button
            look="quiet"
            onClick={() => {
              clearToast();
              action.run();
            }}
          >
            {action.label}
          </Button>
        )}
        <Button look="quiet" icon={X} onClick={clearToast}>
          <span class="visually-hidden">{closeLabel}</span>
        </Button>
      </span>
    </div>
  );
}
