import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describeInBrowser, launchBrowser, STAGE_TIMEOUT_MS } from './browser';

const RUNNER = join(__dirname, '../../libs/client/src/testing/vector-run.ts');
const VECTORS = join(__dirname, '../../libs/client/vectors.json');

/** The runner with the vectors as one script that leaves its result in `vectorResult`. */
async function scriptOf(): Promise<string> {
  const contents = `import { runVectors } from ${JSON.stringify(RUNNER)};
    import vectors from ${JSON.stringify(VECTORS)};
    globalThis.vectorResult = runVectors(vectors);`;
  const stdin = { contents, resolveDir: __dirname, loader: 'ts' as const };
  const built = await build({ stdin, bundle: true, format: 'esm', target: 'es2022', write: false });
  return built.outputFiles[0].text;
}

/** Chromium before 137: WebCrypto without Ed25519. */
function removeEd25519(): void {
  const own = crypto.subtle as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  for (const name of ['importKey', 'generateKey', 'sign', 'verify'] as const) {
    const original = own[name].bind(crypto.subtle);
    own[name] = (...args) => {
      const isAsked = args.some(
        (each) => each === 'Ed25519' || (each as { name?: unknown })?.name === 'Ed25519',
      );
      if (!isAsked) return original(...args);
      (globalThis as unknown as { refusals: number }).refusals += 1;
      return Promise.reject(new DOMException('Unrecognized name.', 'NotSupportedError'));
    };
  }
}

interface Result {
  checked: number;
  failures: string[];
  refusals: number;
}

/** Runs the vectors in a page. @param prepare runs in the page before its script. */
async function runInPage(prepare?: () => void): Promise<Result> {
  const script = await scriptOf();
  const page = '<!doctype html><script type="module" src="/vectors.js"></script>';
  const server = createServer(({ url }, response) => {
    const isScript = url === '/vectors.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(isScript ? script : page);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const browser = await launchBrowser();
  try {
    const tab = await browser.newPage();
    await tab.addInitScript(() => Object.assign(globalThis, { refusals: 0 }));
    if (prepare) await tab.addInitScript(prepare);
    await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await tab.waitForFunction(() => 'vectorResult' in globalThis);
    return await tab.evaluate(async () => {
      const page = globalThis as unknown as { vectorResult: Promise<Result>; refusals: number };
      return { ...(await page.vectorResult), refusals: page.refusals };
    });
  } finally {
    await browser.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

describeInBrowser('the test vectors in a browser', () => {
  it(
    'are opened, derived and refused as vectors.json says',
    async () => {
      const { checked, failures, refusals } = await runInPage();
      expect(failures).toEqual([]);
      expect(checked).toBeGreaterThan(400);
      expect(refusals).toBe(0);
    },
    STAGE_TIMEOUT_MS,
  );

  it(
    'are so, too, in one whose WebCrypto has no Ed25519',
    async () => {
      const { checked, failures, refusals } = await runInPage(removeEd25519);
      expect(failures).toEqual([]);
      expect(checked).toBeGreaterThan(400);
      expect(refusals).toBeGreaterThan(50);
    },
    STAGE_TIMEOUT_MS,
  );
});
