import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { errorCodes } from '@app/common';
import type { ServiceConfig } from '@app/config';
import { InteractionsService } from './interactions/interactions.service';

type Schema = Exclude<
  NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string],
  { $ref: string }
>;

const DESCRIPTION = `Health records of a family, encrypted by the client before they are sent.

The service stores opaque blobs and returns them unchanged. To try it here: **register** (any strings will do for the
wrapped keys), copy the \`token\` of the answer, press **Authorize**, paste it, and go on with any route.

Three failures belong to no route, because the request could not be read: \`malformed_request\` (400), \`request_timeout\` (408) and
\`headers_too_large\` (431).`;

/** Describes every route. Swagger UI shows this document, and the repository holds it as `openapi.json`. */
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
  nameCodes(document);
  describeCoverage(document, app.get(InteractionsService).coverage());
  return document;
}

/** Lists all error codes, even those that a module defines after the class of errors was described. */
function nameCodes(document: OpenAPIObject): void {
  const { properties } = document.components!.schemas!.ErrorResponse as Schema;
  (properties!.code as Schema).enum = errorCodes();
}

/** Adds a sentence about the knowledge base to the description of every interaction route. */
function describeCoverage(document: OpenAPIObject, coverage: string): void {
  for (const [path, item] of Object.entries(document.paths)) {
    if (!path.startsWith('/api/interactions/')) continue;
    for (const operation of [item.get, item.post]) {
      if (operation) operation.description = `${operation.description} ${coverage}`;
    }
  }
}

/** Serves Swagger UI at `/api/docs` and the document at `/api/openapi.json`. */
export function serveOpenApi(app: NestFastifyApplication, config: ServiceConfig): void {
  SwaggerModule.setup('api/docs', app, () => createOpenApi(app), {
    jsonDocumentUrl: 'api/openapi.json',
    customSiteTitle: 'Health Records Service',
    swaggerOptions: {
      // Security: the browser would keep the token on its disk.
      persistAuthorization: config.nodeEnv !== 'production',
      tryItOutEnabled: true,
    },
  });
}
