import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { ServiceError } from '@app/common';
import { ServiceConfig } from '@app/config';
import { readWebPage, WEB_POLICY, type WebPage } from './web-page.service';

const STYLE = `
:root { color-scheme: light dark; --ink: #1b2733; --paper: #fbfcfd; --muted: #4a5a68; --link: #0b5cad; --line: #d5dde4; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8eef3; --paper: #14191e; --muted: #a9b7c3; --link: #7cbcff; --line: #33404b; }
}
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 system-ui, sans-serif; }
main { max-width: 38rem; margin: 0 auto; padding: 3rem 1.25rem; }
h1 { margin: 0 0 1rem; font-size: 1.75rem; line-height: 1.25; }
p { margin: 0 0 1.5rem; }
ul { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
li { padding: 0.875rem 0; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
li span { display: block; color: var(--muted); }
a { color: var(--link); font-weight: 600; }
a:focus-visible { outline: 3px solid var(--link); outline-offset: 3px; border-radius: 2px; }
`;

const DOCS = `<li><a href="api/docs">API documentation</a> <span>Describes every route, and lets you try it.</span></li>
<li><a href="api/openapi.json">OpenAPI document</a> <span>The same, for tools.</span></li>
`;

/** @param docs the list items with links to the documentation, or an empty text. */
const pageWith = (docs: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Health Records Service</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Health Records Service</h1>
<p>This is the API of a service for health records of a family. Clients encrypt the records before they send them: the
service cannot read what it stores.</p>
<ul>
${docs}<li><strong>Tour</strong> <span>docs/tour.md of the source: the whole API, step by step.</span></li>
</ul>
</main>
</body>
</html>
`;

/** Security: the page loads nothing and runs no script. The policy allows its only style by the hash. */
const PAGE_POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A text with the headers that it needs. */
export interface Served {
  text: string;
  headers: Record<string, string>;
}

/** What is at `/`: the page of the family, or, with `WEB=off`, a small page that leads to the documentation. */
@Injectable()
export class HomeService {
  private readonly web: WebPage | undefined;
  private readonly home: Served;

  constructor(config: ServiceConfig) {
    this.web = config.web ? readWebPage() : undefined;
    this.home = {
      text: pageWith(config.docs ? DOCS : ''),
      headers: headersFor('text/html', PAGE_POLICY),
    };
  }

  page(): Served {
    return this.web ? fresh(this.web.html, 'text/html') : this.home;
  }

  /**
   * The HTML of the page, which is the same for each of its URLs. @throws ServiceError `not_found` where there
   * is no page.
   */
  route(): Served {
    return fresh(this.built().html, 'text/html');
  }

  serviceWorker(): Served {
    return fresh(this.built().serviceWorker, 'text/javascript');
  }

  manifest(): Served {
    return fresh(this.built().manifest, 'application/manifest+json');
  }

  private built(): WebPage {
    if (!this.web) throw new ServiceError('not_found');
    return this.web;
  }
}

function headersFor(type: string, policy: string): Record<string, string> {
  return { 'Content-Type': `${type}; charset=utf-8`, 'Content-Security-Policy': policy };
}

/** The browser revalidates the file each time, so that it never mixes files of two versions. */
function fresh(text: string, type: string): Served {
  return { text, headers: { ...headersFor(type, WEB_POLICY), 'Cache-Control': 'no-cache' } };
}
