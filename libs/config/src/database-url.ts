import { readFileSync } from 'node:fs';

/** The start, the user with the password, the host with the port, and the rest. */
const PARTS = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#]*)(.*)$/s;

/** @throws a sentence fragment for anything but a URL of one PostgreSQL server. */
export function checkDatabaseUrl(text: string): void {
  const [, , credentials = '', host] = PARTS.exec(text) ?? [];
  if (credentials.includes('@')) throw 'has an "@" in its user or password: write it as %40';
  if (host?.includes(',') || /[?&]host=[^&]*(,|%2c)/i.test(text))
    throw 'must name one host: where there are several, a name or a proxy that leads to the primary';
  if (host === undefined || !URL.canParse(withHost(text))) throw 'must be a postgres:// URL';
}

/** The parts of a URL of PostgreSQL. The host is `localhost` where only a password is in its place. */
export function toUrl(text: string): URL {
  return new URL(withHost(text));
}

/** `postgres://user:password@/database?host=/folder` is usual for a Unix socket, and no URL for `URL`. */
function withHost(text: string): string {
  const [, start, credentials, host, rest] = PARTS.exec(text) ?? [];
  return credentials === undefined || host !== '' ? text : `${start}${credentials}@localhost${rest}`;
}

/**
 * Reads a URL whose user and password may change while the service runs.
 *
 * @param path of the file from which `url` was read. Its user and password count, the rest of it does not. While it
 *   cannot be read, or holds no URL, the last ones count.
 */
export function followFile(url: string, path: string): () => string {
  const [, start, , host, rest] = PARTS.exec(url)!;
  let last = url;
  return () => {
    try {
      const [, , credentials] = PARTS.exec(readFileSync(path, 'utf8').trim()) ?? [];
      if (credentials !== undefined) last = `${start}${credentials}@${host}${rest}`;
    } catch {
      // It is being replaced.
    }
    return last;
  };
}
