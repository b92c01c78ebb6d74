import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { ServiceError } from '@app/common';
import { ServiceConfig } from '@app/config';

/**
 * Security: the page loads only what the service itself serves, runs no script and no style that the HTML
 * holds, and talks to no other host.
 */
export const WEB_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' blob: data:",
  "worker-src 'self'",
  "manifest-src 'self'",
  "font-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "require-trusted-types-for 'script'",
  // The one that registers the service worker.
  'trusted-types service-worker',
].join('; ');

/** In the built service, and where the service runs from its sources (in tests). */
const FOLDERS = [join(__dirname, '../../../web'), join(__dirname, '../../../../dist/apps/web')];

/** The folder of the built page; absent where it is not built. */
export const WEB_FOLDER = FOLDERS.find((folder) => existsSync(join(folder, 'service-worker.js')));

/** The files of the page that have fixed names, with their types. They are small and are read once. */
const TYPES = {
  'index.html': 'text/html',
  'service-worker.js': 'text/javascript',
  'manifest.webmanifest': 'application/manifest+json',
};

const DOCS = `<li><a href="api/docs">API documentation</a>: describes every route, and lets you try it.</li>
<li><a href="api/openapi.json">OpenAPI document</a>: the same, for tools.</li>
`;

/** @param docs the list items with links to the documentation, or an empty text. */
const pageWith = (docs: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Health Records Service</title>
</head>
<body>
<h1>Health Records Service</h1>
<p>This is the API of a service for health records of a family. Clients encrypt the records before they send them: the
service cannot read what it stores.</p>
<ul>
${docs}<li>Tour: docs/tour.md of the source shows the whole API, step by step.</li>
</ul>
</body>
</html>
`;

/** Security: this page loads nothing and runs nothing. */
const HOME_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** A text with the headers that it needs. */
export interface Served {
  text: string;
  headers: Record<string, string>;
}

/** What is at `/`: the page of the family, or, with `WEB=off`, a small page that leads to the documentation. */
@Injectable()
export class HomeService {
  private readonly files = new Map<string, Served>();
  private readonly home: Served;

  constructor({ web, docs }: ServiceConfig) {
    if (web && WEB_FOLDER)
      for (const [name, type] of Object.entries(TYPES))
        // The browser revalidates the file each time, so that it never mixes files of two versions.
        this.files.set(name, {
          text: readFileSync(join(WEB_FOLDER, name), 'utf8'),
          headers: { ...headersFor(type, WEB_POLICY), 'Cache-Control': 'no-cache' },
        });
    this.home = { text: pageWith(docs ? DOCS : ''), headers: headersFor('text/html', HOME_POLICY) };
  }

  page(): Served {
    return this.files.get('index.html') ?? this.home;
  }

  /** @throws ServiceError `not_found` where there is no page. */
  file(name: keyof typeof TYPES): Served {
    const file = this.files.get(name);
    if (!file) throw new ServiceError('not_found');
    return file;
  }
}

function headersFor(type: string, policy: string): Record<string, string> {
  return { 'Content-Type': `${type}; charset=utf-8`, 'Content-Security-Policy': policy };
}
