import fc from 'fast-check';
import {
  badAuthorization,
  brokenJson,
  hostileHeaders,
  hostileJson,
  hostileName,
  hostileSegment,
  spaceHeader,
} from './hostile-values';

/** A request before the ids and secrets of a world are put in: `@name@` stands for each. */
export interface HostileRequest {
  operation: string;
  method: string;
  /** As in the document. */
  path: string;
  /** For each parameter of the path what stands there; the world's id where undefined. */
  segments: (string | undefined)[];
  /** With its question mark. */
  query: string;
  headers: Record<string, string>;
  body?: string;
}

interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  oneOf?: Schema[];
  allOf?: Schema[];
  maxLength?: number;
  maximum?: number;
  example?: unknown;
}

interface OperationObject {
  parameters?: { in: string; name: string; required?: boolean; schema?: Schema }[];
  requestBody?: { content: { 'application/json': { schema: Schema } } };
}

export interface OpenApi {
  paths: Record<string, Record<string, OperationObject>>;
  components: { schemas: Record<string, Schema> };
}

/** Fields whose right values only the world knows; a guess would never get past the first check. */
const OF_THE_WORLD = [
  'profile_id',
  'email',
  'password',
  'current_password',
  'refresh_token',
  'recovery_proof',
];

/** Requests to every operation of the document: near enough to valid ones to get deep, and then bent. */
export function hostileRequests({ paths, components }: OpenApi): fc.Arbitrary<HostileRequest> {
  const resolved = (schema: Schema): Schema => {
    if (schema.allOf) return { ...schema, ...resolved(schema.allOf[0]) };
    return schema.$ref ? components.schemas[schema.$ref.split('/').pop()!] : schema;
  };

  /** Source text of a value that the schema allows, or nearly. */
  const valueOf = (given: Schema, name?: string): fc.Arbitrary<string> => {
    const schema = resolved(given);
    if (!OF_THE_WORLD.includes(name ?? '')) return plainValueOf(schema);
    const known = name === 'email' ? ['@email@', '@new_email@'] : [`@${name}@`];
    return fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...known).map((value) => JSON.stringify(value)) },
      { weight: 1, arbitrary: plainValueOf(schema) },
    );
  };

  const plainValueOf = (schema: Schema): fc.Arbitrary<string> => {
    if (schema.enum) return fc.constantFrom(...schema.enum).map((value) => JSON.stringify(value));
    if (schema.oneOf) return fc.oneof(...schema.oneOf.map((each) => valueOf(each)));
    if (schema.format === 'uuid') return fc.uuid().map((value) => JSON.stringify(value));
    if (schema.format === 'date-time')
      return fc.date({ noInvalidDate: true }).map((date) => JSON.stringify(date));
    if (schema.type === 'boolean') return fc.constantFrom('true', 'false');
    if (schema.type === 'integer' || schema.type === 'number')
      return fc.integer({ min: 0, max: schema.maximum ?? 100 }).map(String);
    if (schema.type === 'array')
      return fc.array(valueOf(schema.items ?? {}), { maxLength: 4 }).map((items) => `[${items.join(',')}]`);
    if (schema.properties) return objectOf(schema).map(written);
    const text = fc.string({
      unit: 'grapheme',
      minLength: 1,
      maxLength: Math.min(schema.maxLength ?? 40, 40),
    });
    const written_ = text.map((value) => JSON.stringify(value));
    return schema.example === undefined
      ? written_
      : fc.oneof(written_, fc.constant(JSON.stringify(schema.example)));
  };

  const objectOf = (schema: Schema): fc.Arbitrary<[string, string][]> => {
    const fields = Object.entries(schema.properties ?? {}).map(([name, field]) =>
      fc
        .tuple(fc.constant(name), valueOf(field, name), fc.integer({ min: 0, max: 9 }))
        .map(([, text, dice]): [string, string][] =>
          schema.required?.includes(name) || dice < 4 ? [[name, text]] : [],
        ),
    );
    return fc.tuple(...fields).map((members) => members.flat());
  };

  const bodyOf = (schema: Schema): fc.Arbitrary<string | undefined> => {
    const valid = objectOf(resolved(schema));
    const bent = fc
      .tuple(
        valid,
        fc.array(fc.tuple(fc.nat(), fc.nat(3), hostileName, hostileJson), { minLength: 1, maxLength: 3 }),
      )
      .map(([fields, mutations]) => mutations.reduce(mutated, fields));
    return fc.oneof(
      { weight: 3, arbitrary: valid.map(written) },
      { weight: 8, arbitrary: bent.map(written) },
      {
        weight: 1,
        arbitrary: fc
          .tuple(valid, fc.nat(), brokenJson)
          .map(([fields, at, noise]) => torn(written(fields), at, noise)),
      },
      { weight: 1, arbitrary: hostileJson },
      { weight: 1, arbitrary: brokenJson },
      { weight: 1, arbitrary: fc.constant(undefined) },
    );
  };

  const queryOf = (parameters: { name: string; schema?: Schema }[]): fc.Arbitrary<string> => {
    const known = parameters.map(({ name, schema }) =>
      fc
        .tuple(valueOf(schema ?? {}, name), hostileSegment, fc.integer({ min: 0, max: 9 }))
        .map(([text, hostile, dice]) => {
          if (dice > 4) return [];
          const valid = encodeURIComponent(String(JSON.parse(text)).toWellFormed()).replaceAll('%40', '@');
          return [`${name}=${dice < 2 ? valid : hostile}`];
        }),
    );
    const unknown = fc
      .tuple(hostileName, hostileSegment, fc.integer({ min: 0, max: 9 }))
      .map(([name, value, dice]) =>
        dice === 0 ? [`${encodeURIComponent(name.toWellFormed())}=${value}`] : [],
      );
    return fc.tuple(...known, unknown).map((parts) => {
      const query = parts.flat().join('&');
      return query && `?${query}`;
    });
  };

  const segments = fc.array(
    fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, { weight: 2, arbitrary: hostileSegment }),
    { minLength: 2, maxLength: 2 },
  );

  const requestOf = (
    path: string,
    method: string,
    operation: OperationObject,
  ): fc.Arbitrary<HostileRequest> => {
    const schema = operation.requestBody?.content['application/json'].schema;
    const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
    const authorization = fc.oneof(
      { weight: 12, arbitrary: fc.constant('Bearer @token@') },
      { weight: 1, arbitrary: badAuthorization },
    );
    const isOnlyInSpaces = operation.parameters?.some(
      ({ name, required }) => name === 'Health-Space' && required,
    );
    const headers: fc.Arbitrary<Record<string, string>> = fc.oneof(
      { weight: 12, arbitrary: fc.constant({}) },
      { weight: 6, arbitrary: hostileHeaders },
      { weight: isOnlyInSpaces ? 60 : 2, arbitrary: spaceHeader },
    );
    return fc.record({
      operation: fc.constant(`${method} ${path}`),
      method: fc.constant(method.toUpperCase()),
      path: fc.constant(path),
      segments,
      query: queryOf(query),
      headers: fc
        .tuple(authorization, headers)
        .map(([Authorization, others]) => ({ 'Content-Type': 'application/json', Authorization, ...others })),
      body: schema ? bodyOf(schema) : fc.constant(undefined),
    });
  };

  return fc.oneof(
    ...Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => requestOf(path, method, operation)),
    ),
  );
}

const written = (fields: [string, string][]) =>
  `{${fields.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join(',')}}`;

/** Replaces, drops or adds one field, or gives one twice. */
function mutated(fields: [string, string][], [place, kind, name, text]: [number, number, string, string]) {
  const at = place % (fields.length + 1);
  if (kind === 0 && at < fields.length)
    return fields.map((field, index): [string, string] => (index === at ? [field[0], text] : field));
  if (kind === 1 && at < fields.length) return fields.filter((_, index) => index !== at);
  if (kind === 2 && at < fields.length) return [...fields, [fields[at][0], text] as [string, string]];
  return [...fields.slice(0, at), [name, text] as [string, string], ...fields.slice(at)];
}

function torn(text: string, place: number, noise: string): string {
  const at = place % (text.length + 1);
  return text.slice(0, at) + noise + text.slice(at + 1);
}
