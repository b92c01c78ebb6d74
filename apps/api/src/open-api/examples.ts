import type { OpenAPIObject } from '@nestjs/swagger';
import { EXAMPLE_ID } from '@app/http';

interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  example?: unknown;
  properties?: Record<string, Schema>;
  required?: string[];
}

/**
 * Gives each operation examples that a person can send as they are.
 *
 * An example body has no id for the new record, because a second request with this id would fail, and no time,
 * because the default is now. Optional query parameters have no example, because Swagger UI would send it.
 */
export function addExamples(document: OpenAPIObject): void {
  const schemas = document.components!.schemas as Record<string, Schema>;
  for (const item of Object.values(document.paths)) {
    for (const operation of [item.get, item.post, item.put, item.delete]) {
      for (const parameter of operation?.parameters ?? []) {
        if ('$ref' in parameter) continue;
        const schema = parameter.schema as Schema;
        if (parameter.in === 'path') Object.assign(schema, { format: 'uuid', example: EXAMPLE_ID });
        if (parameter.in === 'query' && !parameter.required) delete schema.example;
      }
      const body = operation?.requestBody;
      const content = body && 'content' in body ? body.content['application/json'] : undefined;
      const reference = (content?.schema as Schema | undefined)?.$ref;
      if (content && reference) content.example = exampleOf(schemas[reference.split('/').pop()!]);
    }
  }
}

function exampleOf({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  const fields = Object.entries(properties).map(([name, { example, format }]) => {
    const isRequired = required.includes(name);
    if (format === 'uuid') return [name, isRequired ? EXAMPLE_ID : undefined];
    return [name, isRequired || format !== 'date-time' ? example : undefined];
  });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined)) as Record<string, unknown>;
}
