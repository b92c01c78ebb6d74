import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { errorCodes } from '@app/common';
import type { Extensions } from '@app/extension';
import { EmptyBody } from '@app/http';
import { composeService } from '../domains';
import { InteractionsService } from '../interactions/interactions.service';
import { DESCRIPTION, TAGS } from './description';
import { addExamples } from './examples';
import { prepareRequest, readAnswer } from './swagger-ui';

type Schema = Exclude<
  NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>[string],
  { $ref: string }
>;
type Operation = NonNullable<OpenAPIObject['paths'][string]['get']>;

const TITLE = 'Health Records Service';
const OF_A_MODULE = 'Routes of a module that this service has beside its own.';

/**
 * Describes every route. Swagger UI shows this document, and the repository holds it as `openapi.json`.
 *
 * @param extension what a team has added: its title, and its tags.
 */
export function createOpenApi(app: NestFastifyApplication, extension: Extensions = []): OpenAPIObject {
  const { title = TITLE, tags } = composeService(extension).openApi;
  const builder = new DocumentBuilder()
    .setTitle(title)
    .setDescription(DESCRIPTION)
    .setVersion('1')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/', 'The service that serves this document.')
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
      description: 'The `token` of register, login or refresh. It is good for 15 minutes.',
    });
  for (const [name, description] of TAGS) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    operationIdFactory: (controller, method) => `${controller.replace('Controller', '')}.${method}`,
  });
  nameCodes(document);
  nameTags(document, tags);
  openEnums(document);
  describeCoverage(document, app.get(InteractionsService).coverage());
  makeEmptyBodiesOptional(document);
  addExamples(document);
  return document;
}

/** Lists all error codes, even those that a module defines after the class of errors was described. */
function nameCodes(document: OpenAPIObject): void {
  const { properties } = document.components!.schemas!.ErrorResponse as Schema;
  (properties!.code as Schema).enum = errorCodes();
}

/** Adds the tags that only modules from outside use. */
function nameTags(document: OpenAPIObject, described: Readonly<Record<string, string>>): void {
  const used = operationsOf(document).flatMap(({ tags = [] }) => tags);
  const known = document.tags!.map(({ name }) => name);
  for (const name of new Set(used))
    if (!known.includes(name)) document.tags!.push({ name, description: described[name] ?? OF_A_MODULE });
}

/** Answers may have values that are not there yet: a generated client must read them, too. */
function openEnums(document: OpenAPIObject): void {
  for (const [name, schema] of Object.entries(document.components!.schemas!)) {
    if (!name.endsWith('Response') || !('properties' in schema)) continue;
    for (const property of Object.values(schema.properties!)) {
      if (!('enum' in property) || property.type !== 'string' || property.enum!.length < 2) continue;
      const { enum: values } = property;
      delete property.enum;
      delete property.type;
      property.anyOf = [{ type: 'string', enum: values }, { type: 'string' }];
    }
  }
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

/** A route that takes no fields accepts a request without a body, and `{}`. */
function makeEmptyBodiesOptional(document: OpenAPIObject): void {
  for (const { requestBody } of operationsOf(document)) {
    if (!requestBody || !('content' in requestBody)) continue;
    const schema = requestBody.content['application/json'].schema;
    if (schema && '$ref' in schema && schema.$ref.endsWith(`/${EmptyBody.name}`))
      requestBody.required = false;
  }
  const schema = document.components!.schemas![EmptyBody.name] as Schema;
  if (schema) schema.additionalProperties = false;
}

function operationsOf(document: OpenAPIObject): Operation[] {
  return Object.values(document.paths).flatMap((item) =>
    [item.get, item.post, item.put, item.delete].filter((operation) => operation !== undefined),
  );
}

/** Serves Swagger UI at `/api/docs` and the document at `/api/openapi.json`. */
export function serveOpenApi(app: NestFastifyApplication, extension?: Extensions): void {
  SwaggerModule.setup('api/docs', app, () => createOpenApi(app, extension), {
    jsonDocumentUrl: 'api/openapi.json',
    customSiteTitle: composeService(extension).openApi.title ?? TITLE,
    swaggerOptions: {
      tryItOutEnabled: true,
      requestInterceptor: prepareRequest,
      responseInterceptor: readAnswer,
    },
  });
}
