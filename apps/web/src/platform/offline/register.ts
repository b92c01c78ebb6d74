import { signal } from '@preact/signals';

/** Whether a newer version of the page waits. It takes over only when the person says so, in all tabs at once. */
export const updateWaiting = signal(false);

/** An open page asks for a newer version at most this often, in milliseconds. */
const LOOK_AGAIN_MS = 3_600_000;

let registration: ServiceWorkerRegistration | undefined;

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): {
    createScriptURL(url: string): string;
  };
}

/** The policy of the page accepts the address of a script only from a named policy such as this one. */
function workerAddress(): string {
  const url = '/service-worker.js';
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  if (!trustedTypes) return url;
  return trustedTypes.createPolicy('service-worker', { createScriptURL: () => url }).createScriptURL(url);
}

/** Keeps the page for use without a network. Not while developing: there is no built worker. */
export function registerServiceWorker(): void {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  void navigator.serviceWorker.register(workerAddress(), { updateViaCache: 'none' }).then((found) => {
    registration = found;
    const look = () => (updateWaiting.value = Boolean(found.waiting && navigator.serviceWorker.controller));
    look();
    // An installed app can stay open for weeks without a navigation, at which the browser would look.
    let lookedAt = Date.now();
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState !== 'visible' || Date.now() - lookedAt < LOOK_AGAIN_MS) return;
      lookedAt = Date.now();
      void found.update().catch(() => undefined);
    });
    found.addEventListener('updatefound', () => found.installing?.addEventListener('statechange', look));
  });
  let isReloading = false;
  let isControlled = Boolean(navigator.serviceWorker.controller);
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    // The first worker controls a page of its own version. Only an update needs a reload.
    const isUpdate = isControlled;
    isControlled = true;
    if (isReloading || !isUpdate) return;
    isReloading = true;
    location.reload();
  });
}

/** Takes the new version. Every tab reloads. */
export function takeUpdate(): void {
  registration?.waiting?.postMessage('take-over');
}
