import { expectFailure } from '@app/testing';
import { ClientAt, LIMITED } from '../support/clients';
import { startService, type TestService } from '../support/service';

let service: TestService;
beforeAll(async () => (service = await startService({ ...LIMITED, WEB: 'off' })));
afterAll(() => service.stop());

const ask = (method: string, headers: Record<string, string> = {}) =>
  fetch(`${service.api.url}/`, { method, headers });

it.each(['text/html,application/xhtml+xml', 'application/json', '*/*'])(
  '/ is a page, also for a client that accepts %s',
  async (accept) => {
    const answer = await ask('GET', { Accept: accept });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const html = await answer.text();
    expect(html).toMatch(/^<!doctype html>\n<html lang="en">/);
    expect(html).toContain('<title>Health Records Service</title>');
  },
);

it('its links lead somewhere', async () => {
  const html = await (await ask('GET')).text();
  const links = [...html.matchAll(/<a href="([^"]+)"/g)].map(([, link]) => link);
  expect(links).toEqual(['api/docs', 'api/openapi.json']);
  for (const link of links)
    expect([link, (await fetch(new URL(link, `${service.api.url}/`))).status]).toEqual([link, 200]);
});

it('HEAD has the same headers, and no body', async () => {
  const [get, head] = [await ask('GET'), await ask('HEAD')];
  expect([head.status, await head.text()]).toEqual([200, '']);
  for (const name of ['content-type', 'content-length', 'content-security-policy', 'cache-control'])
    expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
});

it('may load and run nothing', async () => {
  const answer = await ask('GET');
  expect(answer.headers.get('content-security-policy')).toBe(
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(await answer.text()).not.toMatch(/<script|<style|<link|\bstyle="|\bon\w+="/);
  for (const [name, value] of [
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'no-referrer'],
    ['cross-origin-opener-policy', 'same-origin'],
  ])
    expect([name, answer.headers.get(name)]).toEqual([name, value]);
});

it('is limited by address, like every public route', async () => {
  const { status, headers } = await new ClientAt(service.api.url).call('HEAD', '/');
  expect([status, headers.get('ratelimit-policy')]).toEqual([200, '"account";q=3000;w=60']);
});

it('takes no query and no other method, and is no part of the API', async () => {
  expectFailure(await service.api.get('/?page=1'), 'validation_failed', 'page');
  expectFailure(await service.api.post('/', {}), 'not_found');
  expectFailure(await service.api.get('/api'), 'not_found');
  const { body } = await service.api.get('/api/openapi.json');
  expect(Object.keys(body.paths).filter((path) => !path.startsWith('/api/'))).toEqual([]);
});
