import helmet from 'helmet';

/**
 * The headers of every answer. They are the headers of helmet, computed once because they never change, and
 * `no-store`, because no cache may keep health data. The only route that may be cached sets its own header.
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
  // A developer's machine serves Swagger UI over plain HTTP, so requests must not be upgraded to HTTPS.
  const setHeaders = helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } });
  setHeaders({} as never, response as never, () => undefined);
  return headers;
}
