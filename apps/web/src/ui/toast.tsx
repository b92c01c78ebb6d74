import { signal } from '@preact/signals';
import { X } from 'lucide-preact';
import { announce } from './announce';
import { Button } from './button';

export interface ToastContent {
  text: string;
  action?: { label: string; run: () => void };
}

const shown = signal<(ToastContent & { id: number }) | undefined>(undefined);
let last = 0;

/** How long a message without an action stays. A message with an action stays until it is closed. */
const STAYS_MS = 6000;

/** Shows a short message at the bottom. */
export function toast(content: ToastContent): void {
  last += 1;
  shown.value = { ...content, id: last };
  announce(content.text);
  const { id } = shown.value;
  if (!content.action) setTimeout(() => shown.value?.id === id && clearToast(), STAYS_MS);
}

export function clearToast(): void {
  shown.value = undefined;
}

export function Toasts({ closeLabel }: { closeLabel: string }) {
  const current = shown.value;
  if (!current) return null;
  const { action } = current;
  return (
    <div class="toast" key={current.id}>
      <span>{current.text}</span>
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
    </div>
  );
}
