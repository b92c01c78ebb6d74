import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { expectFailure } from '@app/testing';
import { type SharedService, sharedService, startService } from '../support/service';

const BUILT = join(__dirname, '../../dist/apps/web');
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' blob: data:; " +
  "worker-src 'self'; manifest-src 'self'; font-src 'self'; frame-ancestors 'none'; base-uri 'none'; " +
  "form-action 'none'; require-trusted-types-for 'script'; trusted-types service-worker";

describe('the page', () => {
  let service: SharedService;
  beforeAll(async () => {
    if (!existsSync(join(BUILT, 'index.html'))) throw new Error('The page is not built: npm run build:web');
    service = await sharedService();
  });

  const ask = (path: string, init?: RequestInit) => fetch(service.api.url + path, init);

  it.each(['/', '/app/today', '/app/cabinet/add'])(
    '%s is its HTML, asked for anew each time',
    async (path) => {
      const answer = await ask(path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('cache-control')).toBe('no-cache');
      expect(answer.headers.get('content-security-policy')).toBe(POLICY);
      expect(await answer.text()).toBe(readFileSync(join(BUILT, 'index.html'), 'utf8'));
    },
  );

  it('holds no script and no style of its own, and the integrity of each file that it names', async () => {
    const html = await (await ask('/')).text();
    expect(html).not.toMatch(/<style|\bstyle="|\bon\w+="|<script[^>]*>[^<]/);
    const named = [
      ...html.matchAll(/<(?:script|link)[^>]*(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"[^>]*>/g),
    ];
    expect(named.length).toBeGreaterThan(1);
    for (const [tag, path] of named) {
      const bytes = Buffer.from(await (await ask(path)).arrayBuffer());
      expect(tag).toContain(`integrity="sha384-${createHash('sha384').update(bytes).digest('base64')}"`);
    }
  });

  it('has assets that a browser keeps for ever, by the same policy', async () => {
    const script = readdirSync(join(BUILT, 'assets')).find((name) => /^first-.*\.js$/.test(name))!;
    const answer = await ask(`/assets/${script}`, { headers: { 'Accept-Encoding': 'br' } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toMatch(/javascript/);
    expect(answer.headers.get('content-encoding')).toBe('br');
    expect(answer.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(answer.headers.get('content-security-policy')).toBe(POLICY);
    expect((await ask('/assets/icon.svg')).headers.get('cache-control')).toBe('public, max-age=3600');
  });

  it.each([
    ['/service-worker.js', 'text/javascript; charset=utf-8'],
    ['/manifest.webmanifest', 'application/manifest+json; charset=utf-8'],
  ])('%s is asked for anew each time', async (path, type) => {
    const { status, headers } = await ask(path);
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      type,
      'no-cache',
    ]);
  });

  it.each([
    '/api/nothing',
    '/app',
    '/application',
    '/assets/nothing.js',
    '/assets/..%2f..%2fpackage.json',
    '/x',
  ])('%s is no page, but a failure in JSON', async (path) =>
    expectFailure(await service.api.get(path), 'not_found'),
  );

  it('leaves the policy of the documentation as it is', async () => {
    const { headers } = await ask('/api/docs/');
    expect(headers.get('content-security-policy')).toContain("style-src 'self' https: 'unsafe-inline'");
  });
});

it('is nowhere with WEB=off', async () => {
  const service = await startService({ WEB: 'off' });
  try {
    for (const path of ['/app/today', '/service-worker.js', '/manifest.webmanifest', '/assets/icon.svg'])
      expectFailure(await service.api.get(path), 'not_found');
    expect((await service.api.get('/')).text).toContain('api/docs');
  } finally {
    await service.stop();
  }
});
