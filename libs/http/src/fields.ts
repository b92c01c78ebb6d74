import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsOptionalField } from '@app/opaque';
import { isUuid, parseTimestamp } from '@app/common';
import { ValidateBy } from 'class-validator';

interface FieldOptions {
  optional?: boolean;
  description?: string;
  example?: unknown;
}

function field(
  options: FieldOptions,
  name: string,
  rule: string,
  validate: (value: unknown) => boolean,
  api: ApiPropertyOptions,
): PropertyDecorator {
  return applyDecorators(
    ...(options.optional ? [IsOptionalField()] : []),
    ValidateBy({ name, validator: { validate, defaultMessage: () => `$property ${rule}` } }),
    ApiProperty({
      required: !options.optional,
      ...(options.description ? { description: options.description } : {}),
      ...api,
      ...(options.example === undefined ? {} : { example: options.example }),
    } as ApiPropertyOptions),
  );
}

/** A UUID of any version. */
export function UuidField(options: FieldOptions = {}): PropertyDecorator {
  return field(options, 'uuid', 'must be a UUID', isUuid, { type: String, format: 'uuid' });
}

/** An RFC 3339 date-time; see `parseTimestamp`. */
export function TimestampField(options: FieldOptions = {}): PropertyDecorator {
  const validate = (value: unknown) => typeof value === 'string' && parseTimestamp(value) !== undefined;
  return field(options, 'timestamp', 'must be an RFC 3339 date-time such as 2026-11-20T08:00:00Z', validate, {
    type: String,
    format: 'date-time',
    example: '2026-11-20T08:00:00.000Z',
  });
}

/** A string of `min` to `max` characters (Unicode code points). `printable`: without control characters. */
export function TextField(
  options: FieldOptions & { min: number; max: number; printable?: boolean },
): PropertyDecorator {
  const { min, max, printable } = options;
  const validate = (value: unknown) => {
    if (typeof value !== 'string' || (printable && /\p{C}/u.test(value))) return false;
    const length = lengthOf(value, max);
    return length >= min && length <= max;
  };
  const kind = printable ? 'printable characters' : 'characters';
  return field(options, 'text', `must be a string of ${min} to ${max} ${kind}`, validate, {
    type: String,
    minLength: min,
    maxLength: max,
  });
}

export function BooleanField(options: FieldOptions = {}): PropertyDecorator {
  return field(options, 'boolean', 'must be true or false', (value) => typeof value === 'boolean', {
    type: Boolean,
  });
}

export function EnumField(options: FieldOptions & { values: readonly string[] }): PropertyDecorator {
  const { values } = options;
  const validate = (value: unknown) => typeof value === 'string' && values.includes(value);
  return field(options, 'enum', `must be one of ${values.join(', ')}`, validate, {
    type: String,
    enum: [...values],
  });
}

/** Any value: a read-only field of an answer that a client may send back, and that is ignored. */
export function EchoedField(): PropertyDecorator {
  return applyDecorators(
    IsOptionalField(),
    ValidateBy({ name: 'echoed', validator: { validate: () => true } }),
  );
}

/** Counts code points, and no further than it must: the string may be long. */
function lengthOf(text: string, max: number): number {
  return text.length > max * 2 ? text.length : [...text].length;
}
