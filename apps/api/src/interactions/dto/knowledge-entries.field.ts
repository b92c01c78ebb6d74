import { ApiProperty } from '@nestjs/swagger';

/** Numbers of entries in another array of the base. */
export const POSITIONS = { type: 'array', items: { type: 'integer', minimum: 0 } } as const;
export const TEXTS = { type: 'array', items: { type: 'string' } } as const;
const POSITION_OF_TEXT = { type: 'integer', minimum: 0, description: 'Position in `texts`.' } as const;

/** An array of objects whose described members are those that a reader needs most. */
export function Entries(
  description: string,
  required: string[],
  properties: Record<string, object>,
  options: { required?: boolean } = {},
): PropertyDecorator {
  return ApiProperty({
    type: 'array',
    description,
    items: {
      type: 'object',
      ...(required.length > 0 ? { required } : {}),
      properties,
      additionalProperties: true,
    },
    ...options,
  });
}

/** An array of statements, see `CompiledStatement`. */
export function Statements(description: string, options?: { required?: boolean }): PropertyDecorator {
  const properties = {
    id: { type: 'string' },
    severity: { type: 'string', enum: ['contraindicated', 'major', 'moderate', 'minor', 'none'] },
    action: { type: 'string', enum: ['avoid', 'adjust_dose', 'separate_doses', 'monitor', 'be_aware'] },
    summary: POSITION_OF_TEXT,
    mechanism: POSITION_OF_TEXT,
    management: POSITION_OF_TEXT,
    sources: { ...POSITIONS, description: 'Positions in `sources`.' },
  };
  return Entries(description, ['id', 'severity', 'sources'], properties, options);
}
