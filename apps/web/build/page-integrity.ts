import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';

const LOADED_FILE = /<(?:script|link)\b[^>]*?\b(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"[^>]*>/g;

/**
 * Adds subresource integrity to each script and style that the built HTML names. It runs when the files are
 * written, because only then their content is final.
 */
export function pageIntegrity(): Plugin {
  return {
    name: 'page-integrity',
    apply: 'build',
    writeBundle({ dir }) {
      const file = join(dir!, 'index.html');
      const html = readFileSync(file, 'utf8');
      const protectedHtml = html.replace(LOADED_FILE, (tag, path: string) => {
        const digest = createHash('sha384')
          .update(readFileSync(join(dir!, path)))
          .digest('base64');
        return tag.replace(/\s*\/?>$/, ` integrity="sha384-${digest}">`);
      });
      writeFileSync(file, protectedHtml);
    },
  };
}
