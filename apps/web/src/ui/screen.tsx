import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ArrowLeft } from 'lucide-preact';

export interface ScreenProps {
  title: string;
  /** One line below the title. */
  sub?: string;
  /** The screen above this one, with its name. */
  back?: { href: string; label: string };
  /** The main act of the screen, beside the title. */
  action?: ComponentChildren;
  children: ComponentChildren;
}

/** Title and content of a screen. Moves the focus to the title, so that a reader begins there. */
export function Screen({ title, sub, back, action, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, []);
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div class="screen">
      {back && (
        <a class="back" href={back.href}>
          <ArrowLeft size={20} aria-hidden="true" />
          {back.label}
        </a>
      )}
      <div class="screen-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          {sub && <p class="soft">{sub}</p>}
        </div>
        {action}
      </div>
      {children}
    </div>
  );
}

/** Shows its content only after 300 ms, so that a quick load does not flicker. */
export function AfterAWhile({ children }: { children: ComponentChildren }) {
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 300);
    return () => clearTimeout(timer);
  }, []);
  return shown ? <>{children}</> : null;
}

export function Skeleton({ label, rows = 4 }: { label: string; rows?: number }) {
  return (
    <AfterAWhile>
      <div class="skeleton" role="status">
        <span class="visually-hidden">{label}</span>
        {Array.from({ length: rows }, (_, row) => (
          <div key={row} class="skeleton-row" />
        ))}
      </div>
    </AfterAWhile>
  );
}

export interface EmptyProps {
  title: string;
  text: string;
  children?: ComponentChildren;
}

/** An empty screen explains itself and offers one action. */
export function Empty({ title, text, children }: EmptyProps) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      <p>{text}</p>
      {children}
    </div>
  );
}

export type NoteLook = 'info' | 'warn' | 'error';

/** A sentence that stands out, in the flow of the screen. */
export function Note({ look = 'info', children }: { look?: NoteLook; children: ComponentChildren }) {
  return (
    <div class={`note note-${look}`} role={look === 'error' ? 'alert' : undefined}>
      {children}
    </div>
  );
}
