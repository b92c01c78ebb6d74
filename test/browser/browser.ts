import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { HealthRecordsClient, HealthRecordsClientOptions } from '@app/client';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium as driver,
  type Page,
} from 'playwright-core';
import { chromium } from '../support/chromium';
import { Proxy } from '../support/proxy';
import { startService, type TestService } from '../support/service';

/** What the page and the tests keep in it. */
interface InPage {
  library: typeof import('@app/client');
  offline: typeof import('@app/client/offline');
  openClient: (baseUrl: string, options?: Partial<HealthRecordsClientOptions>) => HealthRecordsClient;
  client: HealthRecordsClient;
}
declare global {
  // `var` is how a global is declared.
  var inPage: InPage;
}

const found = chromium();
/** `describe` for what needs a browser; skipped, with a sentence, where there is none outside of CI. */
export const describeInBrowser: jest.Describe = found ? describe : describe.skip;
export const STAGE_TIMEOUT_MS = 120_000;

const CHEAP_DERIVATION = require.resolve('../support/cheap-derivation.js');
const DIST = join(__dirname, '../../libs/client/dist');
const FILES: Record<string, [type: string, path: string]> = {
  '/': ['text/html', join(__dirname, 'page/index.html')],
  '/page.js': ['text/javascript', join(__dirname, 'page/page.js')],
  '/client.js': ['text/javascript', join(DIST, 'health-records-client.min.js')],
  '/interactions.js': ['text/javascript', join(DIST, 'interactions.js')],
  '/offline.js': ['text/javascript', join(DIST, 'offline.min.js')],
};
/** A file of the served folder. */
function exampleAt(url: string, folder?: string): [type: string, path: string] | undefined {
  const name = /^\/example\/((?:[\w@-][\w.@-]*\/)*[\w-][\w.-]*\.(html|js))(?:\?|$)/.exec(url);
  if (!folder || !name || !existsSync(join(folder, name[1]))) return undefined;
  return [name[2] === 'js' ? 'text/javascript' : 'text/html', join(folder, name[1])];
}

/** A part of the bundle that is loaded on demand. */
function chunkAt(url: string): [type: string, path: string] | undefined {
  const path = join(DIST, url);
  return /^\/chunks\/[\w-]+\.js$/.test(url) && existsSync(path) ? ['text/javascript', path] : undefined;
}
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Every launch has a user data directory of its own, and every context a profile of its own. */
export function launchBrowser(): Promise<Browser> {
  const { executablePath, env } = found!;
  return driver.launch({ executablePath, args: FLAGS, env: { ...process.env, ...env } });
}

/** Derives keys as cheaply as the tests do that share accounts with it. A test of the full cost opens a page without it. */
export async function newProfile(browser: Browser, options?: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext(options);
  await context.addInitScript({ path: CHEAP_DERIVATION });
  return context;
}

/** A browser, the page with the built bundle on an origin of its own, and the real service behind a proxy that listens. */
export class Stage {
  /** What the pages complained of, refused requests left out: those are answers. */
  readonly complaints: string[] = [];

  private constructor(
    readonly browser: Browser,
    readonly origin: string,
    readonly service: TestService,
    readonly proxy: Proxy,
    private readonly stopPage: () => Promise<void>,
  ) {}

  /** @param folder served below `/example/`, with the policy of the page. */
  static async start(folder?: string): Promise<Stage> {
    const unbuilt = Object.values(FILES).filter(([, path]) => !existsSync(path));
    if (unbuilt.length > 0) throw new Error('The bundle is not built: npm run build:client');
    let serviceUrl = '';
    const server = createServer((request, response) => {
      const file = FILES[request.url!] ?? chunkAt(request.url!) ?? exampleAt(request.url!, folder);
      if (!file) return void response.writeHead(404).end();
      response.setHeader('Content-Type', `${file[0]}; charset=utf-8`);
      // As an application would be served: only its own scripts, and no other address to send anything to.
      const policy = `default-src 'none'; script-src 'self'; img-src data:; connect-src ${serviceUrl}`;
      response.setHeader('Content-Security-Policy', policy);
      response.end(readFileSync(file[1]));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const service = await startService({ CORS_ORIGINS: origin });
    const proxy = await Proxy.start(service.api.url);
    serviceUrl = proxy.url;
    const browser = await launchBrowser();
    const stopPage = async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    };
    return new Stage(browser, origin, service, proxy, stopPage);
  }

  /** A browser profile: storage of its own. */
  async profile(prepare?: (context: BrowserContext) => Promise<unknown>): Promise<BrowserContext> {
    const context = await newProfile(this.browser);
    await prepare?.(context);
    return context;
  }

  /** A tab of a profile, with the bundle loaded. */
  async tab(profile: BrowserContext): Promise<Page> {
    const page = await profile.newPage();
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      const isRefusal = message.text().startsWith('Failed to load resource: the server responded');
      if (message.type() === 'error' && !isRefusal) this.complaints.push(message.text());
    });
    await page.goto(this.origin);
    await page.waitForFunction(() => 'inPage' in globalThis);
    return page;
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.stopPage();
    await this.proxy.stop();
    await this.service.stop();
  }
}
