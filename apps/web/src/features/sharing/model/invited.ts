import { signal } from '@preact/signals';

/** Where an invitation waits while the person signs up or signs in. It ends with the tab. */
const KEPT = 'health-records/invitation';
export const JOIN_PATH = '/app/join';

/** What follows the `#` of the link of an invitation; `undefined` where there is none. */
export const invitation = signal<string | undefined>(undefined);

/** Security: the fragment holds the secret of the invitation. It leaves the address, which a browser keeps and shows. */
function takeFragment(): void {
  const fragment = location.pathname === JOIN_PATH ? location.hash.slice(1) : '';
  if (!fragment) return;
  history.replaceState(history.state, '', JOIN_PATH);
  invitation.value = fragment;
  try {
    sessionStorage.setItem(KEPT, fragment);
  } catch {
    // It then lasts until a reload.
  }
}

/** Takes an invitation from the address of the page, or from before a reload. */
export function followInvitation(): void {
  try {
    invitation.value = sessionStorage.getItem(KEPT) ?? undefined;
  } catch {
    // This browser keeps nothing.
  }
  takeFragment();
  addEventListener('hashchange', takeFragment);
}

export function forgetInvitation(): void {
  invitation.value = undefined;
  try {
    sessionStorage.removeItem(KEPT);
  } catch {
    // Nothing was kept.
  }
}
