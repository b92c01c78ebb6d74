import type { LucideIcon } from 'lucide-preact';
import type { ComponentChildren, JSX } from 'preact';

type Look = 'primary' | 'plain' | 'quiet' | 'danger';

export interface ButtonProps extends Omit<JSX.ButtonHTMLAttributes<HTMLButtonElement>, 'icon'> {
  look?: Look;
  icon?: LucideIcon;
  /** Shows that the act is under way, and takes no second press. */
  busy?: boolean;
  children: ComponentChildren;
}

export function Button({
  look = 'plain',
  icon: Icon,
  busy = false,
  children,
  class: more,
  ...rest
}: ButtonProps) {
  const press = (event: JSX.TargetedMouseEvent<HTMLButtonElement>) => {
    if (!busy) rest.onClick?.(event);
    else event.preventDefault();
  };
  return (
    <button
      type="button"
      {...rest}
      onClick={press}
      class={`button button-${look} ${(more as string | undefined) ?? ''}`}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
    >
      {busy ? <span class="spinner" aria-hidden="true" /> : Icon && <Icon size={20} aria-hidden="true" />}
      <span>{children}</span>
    </button>
  );
}

export interface ButtonLinkProps {
  href: string;
  look?: Look;
  icon?: LucideIcon;
  onClick?: () => void;
  children: ComponentChildren;
}

/** A link that looks like a button. */
export function ButtonLink({ href, look = 'plain', icon: Icon, onClick, children }: ButtonLinkProps) {
  return (
    <a href={href} class={`button button-${look}`} onClick={onClick}>
      {Icon && <Icon size={20} aria-hidden="true" />}
      <span>{children}</span>
    </a>
  );
}
