import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { type BuiltService, startBuiltService } from '../support/built-service';
import { createDatabase, dropDatabase } from '../support/databases';

const COMMITTED = join(__dirname, '../../apps/api/openapi.json');

interface Operation {
  summary?: string;
  tags: string[];
  security: unknown[];
  responses: Record<string, { description?: string }>;
  requestBody?: {
    required: boolean;
    content: { 'application/json': { schema: { $ref: string }; example: Record<string, unknown> } };
  };
}

/** Of the built service: tests compile by other means than the build, and a decorator can notice. */
describe('the OpenAPI document', () => {
  let databaseUrl: string;
  let service: BuiltService;
  let operations: [string, Operation][];
  let served: Record<string, any>;
  beforeAll(async () => {
    databaseUrl = await createDatabase();
    service = await startBuiltService({ DATABASE_URL: databaseUrl });
    served = (await service.api.get('/api/openapi.json')).body;
    operations = Object.entries(served.paths as Record<string, Record<string, Operation>>).flatMap(
      ([path, item]) =>
        Object.entries(item).map(([method, operation]): [string, Operation] => [
          `${method} ${path}`,
          operation,
        ]),
    );
  });
  afterAll(async () => {
    await service.end();
    await dropDatabase(databaseUrl);
  });

  it('is the committed one (npm run openapi writes it)', () => {
    const text = `${JSON.stringify(served, null, 2)}\n`;
    if (process.env.UPDATE_OPENAPI) writeFileSync(COMMITTED, text);
    expect(existsSync(COMMITTED) && readFileSync(COMMITTED, 'utf8')).toBe(text);
  });

  it('gives every operation a summary and its answers', () => {
    const lacking = operations.filter(
      ([, { summary, responses }]) =>
        !summary || !Object.keys(responses).some((status) => status.startsWith('2')),
    );
    expect(lacking.map(([name]) => name)).toEqual([]);
    expect(operations.length).toBeGreaterThan(35);
  });

  it('names the code of every failure', () => {
    const unnamed = operations.flatMap(([name, { responses }]) =>
      Object.entries(responses)
        .filter(([status, { description }]) => Number(status) >= 400 && !/`[a-z_]+`/.test(description ?? ''))
        .map(([status]) => `${name} ${status}`),
    );
    expect(unnamed).toEqual([]);
  });

  it('describes an opaque value as any text or object, not as a class of the service', () => {
    const schemas = served.components.schemas as Record<string, { properties?: Record<string, any> }>;
    const opaque = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries(properties)
        .filter(([field]) => /^(encrypted_data|(.*_)?name_data)$/.test(field))
        .map(([field, { oneOf, allOf, type }]) => ({ at: `${name}.${field}`, oneOf, allOf, type })),
    );
    expect(opaque.length).toBeGreaterThan(10);
    expect(opaque.filter(({ oneOf, allOf, type }) => oneOf?.length !== 2 || allOf || type)).toEqual([]);
    expect(Object.keys(schemas)).not.toContain('OpaqueJson');
  });

  it('gives every field of a request an example or a shape that a person can fill in', () => {
    const schemas = served.components.schemas as Record<string, { properties?: Record<string, any> }>;
    const bodies = operations.flatMap(([, { requestBody }]) => {
      const reference = requestBody?.content['application/json'].schema.$ref;
      return reference ? [reference.split('/').pop()!] : [];
    });
    const bare = bodies.flatMap((name) =>
      Object.entries(schemas[name].properties ?? {})
        .filter(
          ([, field]) =>
            field.example === undefined && field.type !== 'boolean' && field.format === undefined,
        )
        .map(([field]) => `${name}.${field}`),
    );
    expect(bare).toEqual([]);
  });

  it('asks for a body only where a route has fields', () => {
    const optional = operations.filter(([, { requestBody }]) => requestBody?.required === false);
    const isWithout = ([name]: [string, Operation]) =>
      /^delete |\/(delete|logout-all|passkey\/options|email\/verification|subscriptions\/\{id\}\/test|space\/keeper)$/.test(
        name,
      );
    const takesFields = [
      'post /api/passkeys/{id}/delete',
      'post /api/space/delete',
      'post /api/users/me/delete',
      'post /api/users/me/second-step/totp/delete',
    ];
    expect(optional.length).toBeGreaterThan(5);
    expect(optional.map(([name]) => name)).toEqual(
      operations
        .filter(isWithout)
        .map(([name]) => name)
        .filter((name) => !takesFields.includes(name)),
    );
  });

  it('says of every operation whether it is open, and of every tag what it is for', () => {
    expect(operations.filter(([, { security }]) => !security).map(([name]) => name)).toEqual([]);
    expect(operations.filter(([, { security }]) => security.length === 0).length).toBeGreaterThan(5);
    const tags = served.tags as { name: string; description?: string }[];
    expect(tags.filter(({ description }) => !description)).toEqual([]);
    expect(new Set(tags.map(({ name }) => name))).toEqual(
      new Set(operations.flatMap(([, operation]) => operation.tags)),
    );
  });

  it('gives each create an example that can be sent again and again', () => {
    const creates = operations.filter(([, { requestBody }]) => requestBody?.required);
    expect(creates.length).toBeGreaterThan(15);
    for (const [name, { requestBody }] of creates) {
      const { example } = requestBody!.content['application/json'];
      expect([name, Object.keys(example).length > 0]).toEqual([name, true]);
      // The id of an invitation is a part of its link.
      const hasId = name.endsWith('/invitations') || name.includes(' /api/invitations/');
      expect([name, 'id' in example, 'default_profile_id' in example]).toEqual([name, hasId, false]);
    }
    expect(operations.find(([name]) => name === 'post /api/profiles')![1].requestBody!.content).toEqual({
      'application/json': {
        schema: expect.anything(),
        example: expect.not.objectContaining({ profile_id: expect.anything() }),
      },
    });
  });

  it('describes the knowledge base as it is', async () => {
    const { responses } = served.paths['/api/interactions/knowledge-base'].get;
    expect(Object.keys(responses)).toContain('304');
    const ajv = new Ajv({ strict: false, validateFormats: false });
    // At the top level a member that is not described is a failure too.
    const schema = { ...served.components.schemas.KnowledgeBaseResponse, additionalProperties: false };
    const { body } = await service.api.get('/api/interactions/knowledge-base');
    ajv.validate(schema, body);
    expect(ajv.errors).toBeNull();
  });
});
