import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions } from '@nestjs/swagger';
import { IsOptionalField } from '@app/opaque';
import { isTimeZone, isUuid, parseTimestamp } from '@app/common';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';

/**
 * Stands for an unreadable value. It is not `null`, because `@IsOptional` of class-validator accepts `null`.
 */
const UNREADABLE = Symbol('unreadable');

export interface FieldOptions {
  optional?: boolean;
  /** `null` stands for no value: a client sends it to remove one. */
  nullable?: boolean;
  description?: string;
  example?: unknown;
}

/**
 * A field with a rule of its own.
 *
 * @param rule ends the sentence that begins with the name of the field: `must be …`.
 */
export function CheckedField(
  options: FieldOptions,
  name: string,
  rule: string,
  validate: (value: unknown) => boolean,
  api: ApiPropertyOptions,
): PropertyDecorator {
  return applyDecorators(
    ...(options.optional ? [IsOptionalField()] : []),
    ValidateBy({
      name,
      validator: {
        validate: (value) => (options.nullable && value === null) || validate(value),
        defaultMessage: () => `$property ${rule}${options.nullable ? ', or null' : ''}`,
      },
    }),
    ApiProperty({
      required: !options.optional,
      ...(options.nullable && { nullable: true }),
      ...(options.description ? { description: options.description } : {}),
      ...api,
      ...(options.example === undefined ? {} : { example: options.example }),
    } as ApiPropertyOptions),
  );
}

/**
 * A field whose internal form differs from the sent form. The value is converted once, here.
 *
 * @param read returns the internal form, or `undefined` for a value that breaks the rule. It is never called
 *   without a value.
 */
export function ReadField(
  options: FieldOptions,
  { name, rule, read }: { name: string; rule: string; read: (value: unknown) => unknown },
  api: ApiPropertyOptions,
): PropertyDecorator {
  const isPresent = (value: unknown) => value !== undefined && value !== null;
  return applyDecorators(
    Transform(({ value }) => (isPresent(value) ? (read(value) ?? UNREADABLE) : value) as unknown),
    CheckedField(options, name, rule, (value) => isPresent(value) && value !== UNREADABLE, api),
  );
}

/** A UUID of any version. */
export function UuidField(options: FieldOptions = {}): PropertyDecorator {
  return CheckedField(options, 'uuid', 'must be a UUID', isUuid, { type: String, format: 'uuid' });
}

/** An RFC 3339 date-time, see `parseTimestamp`. The service gets it in UTC with milliseconds. */
export function TimestampField(options: FieldOptions = {}): PropertyDecorator {
  const read = (value: unknown) =>
    typeof value === 'string' ? parseTimestamp(value)?.toISOString() : undefined;
  return ReadField(
    options,
    { name: 'timestamp', rule: 'must be an RFC 3339 date-time such as 2026-11-20T08:00:00Z', read },
    { type: String, format: 'date-time', example: '2026-11-20T08:00:00.000Z' },
  );
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
  return CheckedField(options, 'text', `must be a string of ${min} to ${max} ${kind}`, validate, {
    type: String,
    minLength: min,
    maxLength: max,
  });
}

/** The IANA name of a time zone that this service knows. */
export function TimeZoneField(options: FieldOptions = {}): PropertyDecorator {
  const rule = 'must be an IANA time zone such as Europe/Paris';
  return CheckedField(options, 'timeZone', rule, isTimeZone, { type: String, example: 'Europe/Paris' });
}

/** `true` or `false`. */
export function BooleanField(options: FieldOptions = {}): PropertyDecorator {
  return CheckedField(options, 'boolean', 'must be true or false', (value) => typeof value === 'boolean', {
    type: Boolean,
  });
}

/** A whole number of `min` to `max`. */
export function IntegerField(options: FieldOptions & { min: number; max: number }): PropertyDecorator {
  const { min, max } = options;
  const validate = (value: unknown) =>
    Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
  return CheckedField(options, 'integer', `must be a whole number from ${min} to ${max}`, validate, {
    type: 'integer',
    minimum: min,
    maximum: max,
  });
}

/** One of a few fixed strings. */
export function EnumField(options: FieldOptions & { values: readonly string[] }): PropertyDecorator {
  const { values } = options;
  const validate = (value: unknown) => typeof value === 'string' && values.includes(value);
  return CheckedField(options, 'enum', `must be one of ${values.join(', ')}`, validate, {
    type: String,
    enum: [...values],
  });
}

/** A read-only field of an answer. A client may send it back with any value; the service ignores it. */
export function EchoedField(): PropertyDecorator {
  return applyDecorators(
    IsOptionalField(),
    ValidateBy({ name: 'echoed', validator: { validate: () => true } }),
  );
}

/** Fields of every answer that no update changes. A client may therefore send a record back unchanged. */
export class EchoedFields {
  @EchoedField()
  id?: unknown;

  @EchoedField()
  created_at?: unknown;

  @EchoedField()
  updated_at?: unknown;

  @EchoedField()
  revision?: unknown;

  @EchoedField()
  owner_account_id?: unknown;

  @EchoedField()
  author_id?: unknown;
}

/** The body of a delete: absent, or `{}`. Any field in it is refused by name. */
export class EmptyBody {}

/** The number of code points, or a number over `max` for a string that is certainly too long. */
function lengthOf(text: string, max: number): number {
  return text.length > max * 2 ? text.length : [...text].length;
}
