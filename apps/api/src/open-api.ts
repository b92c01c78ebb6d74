import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { InteractionsService } from './interactions/interactions.service';

const DESCRIPTION = `Health records of a family, encrypted by the client before they are sent.

The service stores opaque blobs and returns them unchanged. To try it here: **register** (any strings will do for the
wrapped keys), copy the \`token\` of the answer, press **Authorize**, paste it, and go on with any route.`;

/** The description of every route, as Swagger UI shows it and as it is committed in \`openapi.json\`. */
export function createOpenApi(app: NestFastifyApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setTitle('Health Records Service')
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT' });
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (controller, method) => `${controller.replace('Controller', '')}.${method}`,
  });
  describeCoverage(document, app.get(InteractionsService).coverage());
  return document;
}

/** Tells on every page of the interaction routes what their answers rest on. */
function describeCoverage(document: OpenAPIObject, coverage: string): void {
  for (const [path, item] of Object.entries(document.paths)) {
    if (!path.startsWith('/api/interactions/')) continue;
    for (const operation of [item.get, item.post]) {
      if (operation) operation.description = `${operation.description} ${coverage}`;
    }
  }
}

/** Swagger UI at \`/api/docs\`, the document at \`/api/openapi.json\`. */
export function serveOpenApi(app: NestFastifyApplication): void {
  SwaggerModule.setup('api/docs', app, () => createOpenApi(app), {
    jsonDocumentUrl: 'api/openapi.json',
    customSiteTitle: 'Health Records Service',
    swaggerOptions: { persistAuthorization: true, tryItOutEnabled: true },
  });
}
