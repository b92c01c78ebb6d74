import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Security: the page loads only what the service itself serves, runs no script and no style that the HTML
 * holds, and talks to no other host.
 */
export const WEB_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' blob: data:",
  "worker-src 'self'",
  "manifest-src 'self'",
  "font-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  // The one that registers the service worker.
  'trusted-types service-worker',
].join('; ');

/** In the built service, and where the service runs from its sources (in tests). */
const FOLDERS = [join(__dirname, '../../../web'), join(__dirname, '../../../../dist/apps/web')];

/** The folder of the built page; absent where it is not built. */
export const WEB_FOLDER = FOLDERS.find((folder) => existsSync(join(folder, 'service-worker.js')));

/** The files of the page that have fixed names. They are small and are read once. */
export interface WebPage {
  html: string;
  serviceWorker: string;
  manifest: string;
}

/** @returns `undefined` where the page is not built. */
export function readWebPage(): WebPage | undefined {
  if (!WEB_FOLDER) return undefined;
  const read = (name: string) => readFileSync(join(WEB_FOLDER, name), 'utf8');
  return {
    html: read('index.html'),
    serviceWorker: read('service-worker.js'),
    manifest: read('manifest.webmanifest'),
  };
}
