import { effect } from '@preact/signals';
import { textSize, theme } from './preferences';

/** Applies the theme and the size of text, and follows their changes and those of the system. */
export function followLook(): void {
  const root = document.documentElement;
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const isDark = theme.value === 'dark' || (theme.value === 'system' && dark.matches);
    root.dataset.theme = isDark ? 'dark' : 'light';
    root.style.fontSize = `${textSize.value}%`;
  };
  dark.addEventListener('change', apply);
  effect(apply);
}
