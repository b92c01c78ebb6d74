import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Button } from './button';

export interface DialogProps {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
}

/** A native modal dialog. It is open as long as it is in the page, and gives the focus back. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    const element = dialog.current!;
    element.showModal();
    return () => {
      element.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

export interface ConfirmProps {
  title: string;
  text: ComponentChildren;
  yes: string;
  no: string;
  isDangerous?: boolean;
  /** Whether "no" is the likely answer: then it looks like it. */
  isUnusual?: boolean;
  busy?: boolean;
  onYes: () => void;
  onNo: () => void;
}

/** Asks before an act. */
export function Confirm({
  title,
  text,
  yes,
  no,
  isDangerous = false,
  isUnusual = false,
  busy = false,
  onYes,
  onNo,
}: ConfirmProps) {
  return (
    <Dialog title={title} onClose={onNo}>
      <div class="dialog-text">{text}</div>
      <div class="actions">
        <Button look={isUnusual ? 'primary' : 'plain'} onClick={onNo}>
          {no}
        </Button>
        <Button look={isDangerous ? 'danger' : isUnusual ? 'plain' : 'primary'} busy={busy} onClick={onYes}>
          {yes}
        </Button>
      </div>
    </Dialog>
  );
}
