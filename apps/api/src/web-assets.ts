import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { WEB_FOLDER, WEB_POLICY } from './home/home.service';

/** The build puts a hash of the content into these names, so that a name never gets another content. */
const HASHED = /-[\w-]{8}\.[a-z0-9]+(?:\.br)?$/;

/** Serves the scripts, styles, fonts and pictures of the page at `/assets`. */
export async function serveAssets(app: NestFastifyApplication): Promise<void> {
  const root = WEB_FOLDER && join(WEB_FOLDER, 'assets');
  if (!root || !existsSync(root)) return;
  const { default: fastifyStatic } = await import('@fastify/static');
  await app.register(fastifyStatic, {
    root,
    prefix: '/assets/',
    // Swagger UI decorates the reply already.
    decorateReply: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      void reply.header('Content-Security-Policy', WEB_POLICY);
      void reply.header(
        'Cache-Control',
        HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      );
    },
  });
}
