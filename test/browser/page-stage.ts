import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium as driver,
  type Page,
} from 'playwright-core';
import { chromium } from '../support/chromium';
import { startService, type TestService } from '../support/service';
import { describeInBrowser, newProfile, STAGE_TIMEOUT_MS } from './browser';

/** Of the page, in functions that run there. */
declare const document: any;

export { describeInBrowser, STAGE_TIMEOUT_MS };

const BUILT = join(__dirname, '../../dist/apps/web/index.html');
const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const FLAGS = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
/** A folder for pictures, for a person who looks at the screens. Without it there are none. */
const PICTURES = process.env.PAGE_PICTURES;

/** A time zone in which it is this hour now, so that no test meets the end of a day. */
export function zoneAt(hour: number): string {
  const apart = hour - new Date().getUTCHours();
  const ahead = apart < -12 ? apart + 24 : apart;
  // The sign of these names is turned round: `Etc/GMT-3` is three hours ahead.
  return `Etc/GMT${ahead < 0 ? '+' : '-'}${Math.abs(ahead)}`;
}

/** Keeps requests of a page back until the returned function is called. */
export async function hold(page: Page, pattern: string): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route(pattern, (route) => released.then(() => route.continue()));
  return release;
}

/** How much sooner the pages of tests do what they do every so often. */
const HURRY = 20;

/**
 * Lets the pages of a profile wait a twentieth, where they wait for just so many milliseconds. Other waits stay: a test
 * still waits in vain for a page that asks less often than it should.
 */
export async function hurry(profile: BrowserContext, ...waits: number[]): Promise<void> {
  await profile.addInitScript(
    ([hurried, times]) => {
      for (const name of ['setTimeout', 'setInterval'] as const) {
        const own = globalThis[name] as (work: () => void, ms?: number) => unknown;
        const quick = (work: () => void, ms = 0) => own(work, hurried.includes(ms) ? ms / times : ms);
        Object.assign(globalThis, { [name]: quick });
      }
    },
    [waits, HURRY] as const,
  );
}

/** The page as the service serves it, in a real browser. */
export class PageStage {
  /** What the pages complained of: errors, and breaches of the policy. Refused requests are answers. */
  readonly complaints: string[] = [];

  private constructor(
    readonly browser: Browser,
    readonly service: TestService,
    /** Where the browser finds the page. */
    readonly url: string,
  ) {}

  /**
   * @param origin without a port: the browser finds the page there, and passkeys belong to it. Default: the service's own.
   * @param start starts the service with settings
   */
  static async start(origin?: string, start: typeof startService = startService): Promise<PageStage> {
    if (!existsSync(BUILT)) throw new Error('The page is not built: npm run build:web');
    const service = await start(origin ? { WEB_ORIGIN: origin } : {});
    const { executablePath, env } = chromium()!;
    const rules = origin && `MAP ${new URL(origin).hostname}:80 ${new URL(service.api.url).host}`;
    const args = [...FLAGS, ...(rules ? [`--host-resolver-rules=${rules}`] : [])];
    const browser = await driver.launch({ executablePath, args, env: { ...process.env, ...env } });
    return new PageStage(browser, service, origin ?? service.api.url);
  }

  /** A browser profile: storage of its own, in English. */
  profile(options: BrowserContextOptions = {}): Promise<BrowserContext> {
    const usual = { locale: 'en-GB', reducedMotion: 'reduce', timezoneId: zoneAt(12) } as const;
    return newProfile(this.browser, { ...usual, ...options });
  }

  /** A tab in which an account is signed in. */
  async signIn(profile: BrowserContext, email: string, secret: string): Promise<Page> {
    const page = await profile.newPage();
    this.listen(page);
    await page.goto(`${this.url}/app/sign-in`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(secret);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('navigation', { name: 'Sections' }).waitFor();
    return page;
  }

  /** Notes what a tab complains of. */
  listen(page: Page): void {
    page.on('pageerror', (error) => this.complaints.push(error.message));
    page.on('console', (message) => {
      // An answer that refuses, or a request without a network, is no fault of the page.
      const isRefusal =
        /^Failed to load resource: (?:the server responded|net::ERR_(?:INTERNET_DISCONNECTED|CONNECTION_RESET|FAILED))/.test(
          message.text(),
        );
      if (message.type() === 'error' && !isRefusal) this.complaints.push(message.text());
    });
  }

  /** Goes to a screen without a reload, which would lock the page. */
  async open(page: Page, path: string, title: string): Promise<void> {
    await page.evaluate((to) => {
      const link = document.createElement('a');
      link.href = to;
      document.body.append(link);
      link.click();
      link.remove();
    }, path);
    await page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
  }

  /** The findings of axe-core on what is shown. @param rules those alone, by their ids */
  async axe(page: Page, ...rules: string[]): Promise<string[]> {
    if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE);
    return page.evaluate(async (only) => {
      const { axe } = globalThis as unknown as {
        axe: {
          run: (options: object) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
        };
      };
      const runOnly = only.length > 0 ? { runOnly: only } : {};
      const { violations } = await axe.run({ resultTypes: ['violations'], ...runOnly });
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
      );
    }, rules);
  }

  /** All that the origin stores in this browser, as text; bytes one character each. */
  stored(page: Page): Promise<string> {
    return page.evaluate(async () => {
      const textOf = (value: unknown): string => {
        if (value instanceof ArrayBuffer) return textOf(new Uint8Array(value));
        if (value instanceof Uint8Array)
          return Array.from(value, (byte) => String.fromCharCode(byte)).join('');
        if (typeof value !== 'object' || value === null) return String(value);
        return Object.entries(value)
          .map(([key, each]) => `${key}: ${textOf(each)}`)
          .join('\n');
      };
      const done = <T>(request: any) =>
        new Promise<T>((resolve) => (request.onsuccess = () => resolve(request.result as T)));
      const { localStorage, sessionStorage, indexedDB } = globalThis as any;
      const parts = [textOf({ ...localStorage, ...sessionStorage })];
      for (const { name } of await indexedDB.databases()) {
        const database = await done<any>(indexedDB.open(name));
        for (const store of database.objectStoreNames)
          parts.push(textOf(await done(database.transaction(store).objectStore(store).getAll())));
        database.close();
      }
      return parts.join('\n');
    });
  }

  async picture(page: Page, name: string): Promise<void> {
    if (PICTURES) await this.keep(`${name}.png`, await page.screenshot({ fullPage: true }));
  }

  keep(name: string, content: Buffer): Promise<void> {
    if (PICTURES) {
      mkdirSync(PICTURES, { recursive: true });
      writeFileSync(join(PICTURES, name), content);
    }
    return Promise.resolve();
  }

  async stop(): Promise<void> {
    await this.browser.close();
    await this.service.stop();
  }
}
