import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { NetworkFirst } from 'workbox-strategies';
import { takeReminders } from './push';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: { url: string; revision: string | null }[] };

// All files of one version are fetched before that version is used: two versions never mix.
precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();

registerRoute(new NavigationRoute(createHandlerBoundToURL('/'), { allowlist: [/^\/$/, /^\/app\//] }));

// The knowledge base is the same for everyone, and offline checks need it. No other answer of the service is
// cached here. The network comes first: a new version of the page accepts the base of its own build only.
registerRoute(
  ({ url }) => url.pathname === '/api/interactions/knowledge-base',
  new NetworkFirst({ cacheName: 'knowledge-base', networkTimeoutSeconds: 3 }),
);

self.addEventListener('message', (event) => {
  if (event.data === 'take-over') void self.skipWaiting();
});
takeReminders();
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
