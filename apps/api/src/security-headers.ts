import helmet from 'helmet';

/**
 * The headers that every answer begins with: what helmet sets, worked out once since it never changes, and `no-store`,
 * since health data must not linger in a cache; the one route that may be cached says so itself.
 */
export const SECURITY_HEADERS: Readonly<Record<string, string>> = {
  ...helmetHeaders(),
  'cache-control': 'no-store',
};

function helmetHeaders(): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => (headers[name.toLowerCase()] = value),
    removeHeader: () => undefined,
  };
  // Swagger UI is served over plain HTTP on a developer's machine: no upgrade there.
  const setHeaders = helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } });
  setHeaders({} as never, response as never, () => undefined);
  return headers;
}
