/**
 * Two functions that run in Swagger UI, in the browser. The service sends their source text, so they use
 * nothing from outside of themselves but `window`.
 */

interface UiRequest {
  url: string;
  headers: Record<string, string>;
  body?: unknown;
}

interface UiResponse {
  ok: boolean;
  url: string;
  text?: string;
  data?: unknown;
  body?: unknown;
  obj?: unknown;
}

interface UiWindow {
  /** Swagger UI itself. */
  ui: { preauthorizeApiKey(scheme: string, value: string): void };
  /** The last id of each collection, by its path, and the last refresh token. */
  lastIds?: Record<string, string | undefined>;
  /** That of the last registration with the example. */
  lastEmail?: string;
}

declare const window: UiWindow;

/**
 * Removes a `Bearer` that was pasted with the token, and puts the last ids of answers in the place of the
 * examples. A registration with the example takes an email that is free, and later requests take the same. Swagger UI
 * shows the changed request.
 */
export function prepareRequest(request: UiRequest): UiRequest {
  const example = '01994c5e-9f52-7d6b-b1a4-6a1f0f0e7c11';
  const lastIds = window.lastIds ?? {};
  const { Authorization } = request.headers;
  if (Authorization)
    request.headers.Authorization = `Bearer ${Authorization.replace(/^(\s*bearer\s+)+/i, '').trim()}`;
  const url = new URL(request.url);
  const parts = url.pathname.split('/');
  for (let index = 0; index < parts.length; index++) {
    if (parts[index] !== example) continue;
    const collection = parts
      .slice(0, index)
      .map((part) => (/^[\da-f-]{36}$/i.test(part) ? '*' : part))
      .join('/');
    parts[index] = lastIds[collection] ?? example;
  }
  url.pathname = parts.join('/');
  request.url = url.href;
  if (typeof request.body === 'string') {
    const email = /"email":(\s*)"ana@example\.org"/g;
    if (url.pathname === '/api/auth/register' && email.test(request.body))
      window.lastEmail = `ana.${Math.random().toString(36).slice(2, 10)}@example.org`;
    request.body = request.body
      .replace(email, (whole: string, space: string) =>
        window.lastEmail ? `"email":${space}"${window.lastEmail}"` : whole,
      )
      .replace(
        /"(\w+)_id":(\s*)"([\da-f-]{36})"/g,
        (whole: string, name: string, space: string, id: string) =>
          id === example ? `"${name}_id":${space}"${lastIds[`/api/${name}s`] ?? id}"` : whole,
      )
      .replace(/"refresh_token":(\s*)"eyJhbGciOi…"/g, (whole: string, space: string) =>
        lastIds.refresh_token ? `"refresh_token":${space}"${lastIds.refresh_token}"` : whole,
      );
  }
  return request;
}

/** Remembers the ids and tokens of an answer, and shortens an answer on which the page would freeze. */
export function readAnswer(response: UiResponse): UiResponse {
  const longestShown = 200_000;
  const text = typeof response.text === 'string' ? response.text : '';
  if (text.length > longestShown) {
    const shown = {
      not_shown: `This answer has ${text.length} characters, which is too long for this page. Use the curl command.`,
      beginning: text.slice(0, 2000),
    };
    response.text = JSON.stringify(shown, null, 2);
    response.data = response.text;
    response.body = response.obj = shown;
    return response;
  }
  if (!response.ok || !response.body) return response;
  const { body } = response as { body: Record<string, unknown> };
  const lastIds = (window.lastIds ??= {});
  if (typeof body.token === 'string') window.ui.preauthorizeApiKey('bearer', body.token);
  if (typeof body.refresh_token === 'string') lastIds.refresh_token = body.refresh_token;
  const record = (Array.isArray(body) ? body[0] : body) as { id?: string; profile_id?: string } | undefined;
  const id = record?.id ?? record?.profile_id;
  const collection = new URL(response.url).pathname
    .replace(/\/[\da-f-]{36}(?=\/|$)/gi, '/*')
    .replace(/\/\*$/, '');
  if (id) lastIds[collection] = id;
  return response;
}
