import type { Page, Route } from 'playwright-core';
import type { Answer, Lie } from '../client/hostile/lying-fetch';

const API = '**/api/**';

/**
 * Puts a lying service between a page and the real one, as `LyingFetch` does for a client.
 * @returns makes it honest again.
 */
export async function lieTo(page: Page, lie: Lie): Promise<() => Promise<void>> {
  const answer = async (route: Route) => {
    const request = route.request();
    const { pathname, searchParams } = new URL(request.url());
    const asked = {
      method: request.method(),
      path: pathname,
      query: searchParams,
      sent: request.postDataJSON() as unknown,
    };
    const pass = async (): Promise<Answer> => {
      const real = await route.fetch();
      return { status: real.status(), headers: real.headers(), text: await real.text() };
    };
    try {
      const { status, headers, text } = await lie(asked, pass);
      await route.fulfill({ status, headers, body: text });
    } catch {
      // The lie has cut the line, or the page is gone.
      await route.abort('connectionreset').catch(() => undefined);
    }
  };
  await page.route(API, answer);
  return () => page.unroute(API, answer);
}

/** What a page writes from now on, into spaces alone: `POST /api/appointments`. */
export function writesInSpaces(page: Page): string[] {
  const sent: string[] = [];
  page.on('request', (request) => {
    const isWrite = request.method() !== 'GET' && request.headers()['health-space'] !== undefined;
    if (isWrite) sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
  });
  return sent;
}
