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

describeInBrowser('the test vectors in a browser', () => {
  it(
    'are opened, derived and refused as vectors.json says',
    async () => {
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
        await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
        await tab.waitForFunction(() => 'vectorResult' in globalThis);
        const { checked, failures } = await tab.evaluate(
          () =>
            (globalThis as unknown as { vectorResult: Promise<{ checked: number; failures: string[] }> })
              .vectorResult,
        );
        expect(failures).toEqual([]);
        expect(checked).toBeGreaterThan(130);
      } finally {
        await browser.close();
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
    STAGE_TIMEOUT_MS,
  );
});
