import { toUrl } from './database-url';

/** Modes of `sslmode` in which `pg` never falls back to plain text. */
const ENCRYPTED_MODES = ['require', 'verify-ca', 'verify-full', 'no-verify'];
const LOCAL_HOSTS = /^(localhost|127(\.\d{1,3}){3}|\[::1\]|)$/;

/**
 * Whether a connection by this URL would cross a network in plain text.
 *
 * A Unix socket and an address of loopback are local. `host` in the query takes precedence, as in `pg`.
 * @param url a `postgres://` URL.
 */
export function isPlainRemote(url: string): boolean {
  const { hostname, searchParams } = toUrl(url);
  const host = searchParams.get('host') ?? decodeURIComponent(hostname);
  if (host.startsWith('/') || LOCAL_HOSTS.test(host)) return false;
  return !(
    ENCRYPTED_MODES.includes(searchParams.get('sslmode') ?? '') ||
    ['1', 'true'].includes(searchParams.get('ssl') ?? '')
  );
}
