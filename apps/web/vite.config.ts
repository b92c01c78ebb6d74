import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import preact from '@preact/preset-vite';
import { defineConfig } from 'vite';
import { VitePWA } from 'vite-plugin-pwa';
import { bundleBudget } from './build/bundle-budget';
import { compressedCopies } from './build/compressed-copies';
import { pageIntegrity } from './build/page-integrity';

const fromRoot = (path: string) => fileURLToPath(new URL(`../../${path}`, import.meta.url));

/** The public key of the knowledge base that the service serves beside this page: `npm run kb:seal` has signed it. */
const knowledgeKey = () => readFileSync(fromRoot('dist/libs/interactions/knowledge-base.pub'), 'utf8');

export default defineConfig(({ command }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  resolve: {
    alias: {
      '@app/client/interactions/device-engine': fromRoot('libs/client/src/interactions/device-engine.ts'),
      '@app/client/documents': fromRoot('libs/client/src/documents/index.ts'),
      '@app/client/fhir': fromRoot('libs/client/src/fhir/index.ts'),
      '@app/client/offline': fromRoot('libs/client/src/offline/index.ts'),
      '@app/client/passkeys': fromRoot('libs/client/src/passkeys/index.ts'),
      // Of this entry the page needs the option alone. The formats that it exports, too, would come with the first screens.
      '@app/client/spaces': fromRoot('libs/client/src/spaces/shared-profiles.ts'),
      '@app/client': fromRoot('libs/client/src/index.ts'),
      '@app/common/adherence': fromRoot('libs/common/src/adherence/index.ts'),
      '@app/common': fromRoot('libs/common/src/index.ts'),
      '@app/interactions': fromRoot('libs/interactions/src/index.ts'),
    },
  },
  // While developing, the base changes under the page.
  define: { __KNOWLEDGE_KEY__: JSON.stringify(command === 'build' ? knowledgeKey() : '') },
  server: { host: 'localhost', port: 5173, proxy: { '/api': 'http://127.0.0.1:3000' } },
  build: {
    outDir: fromRoot('dist/apps/web'),
    emptyOutDir: true,
    target: 'es2022',
    // The policy of the page allows no font from a `data:` address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // One file for what the entry needs: thirty small ones cost a phone five more round trips.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'first', tags: ['$initial'] }] } } },
  },
  plugins: [
    preact(),
    pageIntegrity(),
    bundleBudget({ first: 150_000, signUp: 60_000 }),
    VitePWA({
      strategies: 'injectManifest',
      srcDir: 'src/platform/offline',
      filename: 'service-worker.ts',
      manifest: false,
      // The page registers the worker itself, because the policy demands a trusted address.
      injectRegister: null,
      injectManifest: {
        globPatterns: ['index.html', 'assets/**/*.{js,css,woff2,svg,png}'],
        // The word lists of the strength estimate: needed for a new secret only.
        globIgnores: ['**/{strength,small}-estimator-*'],
        maximumFileSizeToCacheInBytes: 4_000_000,
        // The service serves the HTML as `/` only. One address that is not found would stop the installation.
        manifestTransforms: [
          (entries) => ({
            manifest: entries.map((entry) => (entry.url === 'index.html' ? { ...entry, url: '/' } : entry)),
          }),
        ],
      },
      devOptions: { enabled: false },
    }),
    compressedCopies(),
  ],
}));
