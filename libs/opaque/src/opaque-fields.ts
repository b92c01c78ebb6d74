import { applyDecorators, type Type } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { plainToInstance, Transform } from 'class-transformer';
import { getMetadataStorage, ValidateBy, ValidateIf, ValidateNested } from 'class-validator';
import { itemTexts } from './body-text';
import { MAX_BLOB_BYTES, MAX_KEY_BYTES } from './limits';
import { OpaqueJson } from './opaque-json';
import { scanText } from './scan-body';

/** Marks a constraint whose violation is `payload_too_large` (413) and not `validation_failed` (400). */
export const TOO_LARGE = { code: 'payload_too_large' } as const;

interface Presence {
  optional?: boolean;
  description?: string;
}

/** The rule name that identifies an opaque field, also in a class that Swagger's mapped types created. */
const OPAQUE_BLOB = 'opaqueBlob';
/** That of a field with objects that have opaque fields. */
const OPAQUE_PARTS = 'opaqueParts';

const EXAMPLE_BLOB = { ciphertext: 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ', iv: 'AAECAwQFBgcICQoL' };

/**
 * A DTO field with an encrypted blob: a JSON string or a non-empty JSON object, at most 256 KiB of source
 * text.
 *
 * @param options `emptyString`: whether `""` is allowed (a name that is not set yet). `maxBytes`: if fewer than 256 KiB.
 */
export function OpaqueBlob({
  maxBytes = MAX_BLOB_BYTES,
  ...options
}: Presence & { emptyString?: boolean; maxBytes?: number } = {}): PropertyDecorator {
  const isShape = (value: unknown) =>
    value instanceof OpaqueJson &&
    (value.text.startsWith('"')
      ? options.emptyString || value.text !== '""'
      : value.text.startsWith('{') && !/^\{\s*\}$/.test(value.text));
  return applyDecorators(
    ...(options.optional ? [IsOptionalField()] : []),
    // What the body reader kept, and not the copy that class-transformer has made of it.
    Transform(({ obj, key }) => (obj as Record<string, unknown>)[key]),
    ValidateBy({
      name: OPAQUE_BLOB,
      validator: {
        validate: isShape,
        defaultMessage: () => '$property must be a JSON string or a non-empty JSON object',
      },
    }),
    ValidateBy(
      {
        name: 'maxBlobBytes',
        validator: {
          validate: (value) => !(value instanceof OpaqueJson) || Buffer.byteLength(value.text) <= maxBytes,
          defaultMessage: () => `$property must be at most ${maxBytes} bytes`,
        },
      },
      { context: TOO_LARGE },
    ),
    ApiProperty({
      ...apiOf(options, 'Encrypted by the client; returned unchanged, to the byte.'),
      // Without this, the document would also contain the compiled type of the field, which differs between
      // compilers.
      type: Object,
      oneOf: [{ type: 'string' }, { type: 'object', additionalProperties: true, minProperties: 1 }],
      example: EXAMPLE_BLOB,
    }),
  );
}

/**
 * A DTO field with an object that has opaque fields, or a list of such objects. Each is read like a body of its own.
 *
 * @param options `most`: the length of the list; absent for one object. `example`: of one part.
 */
export function OpaqueParts(
  part: Type,
  { most, example, ...options }: Presence & { most?: number; example: object },
): PropertyDecorator {
  const rule = most === undefined ? 'an object' : `a list of at most ${most} objects`;
  const isPart = (value: unknown) => value instanceof part;
  const isShape = (value: unknown) =>
    most === undefined ? isPart(value) : Array.isArray(value) && value.length <= most && value.every(isPart);
  const read = (value: unknown): unknown => {
    if (!(value instanceof OpaqueJson)) return value;
    const fields = opaqueFieldsOf(part);
    const readPart = (text: string): unknown => {
      const scanned = scanText(text, fields);
      return text.startsWith('{') ? plainToInstance(part, scanned) : scanned;
    };
    if (most === undefined) return readPart(value.text);
    const texts = itemTexts(value.text);
    return texts && texts.length <= most ? texts.map(readPart) : undefined;
  };
  return applyDecorators(
    ...(options.optional ? [IsOptionalField()] : []),
    Transform(({ obj, key }) => read((obj as Record<string, unknown>)[key])),
    ValidateBy({
      name: OPAQUE_PARTS,
      validator: { validate: isShape, defaultMessage: () => `$property must be ${rule}` },
    }),
    ValidateNested(),
    ApiProperty({
      ...(options.description ? { description: options.description } : {}),
      required: !options.optional,
      ...(most === undefined
        ? { type: part, example }
        : { type: [part], maxItems: most, example: [example] }),
    }),
  );
}

/** The fields of a request class that {@link OpaqueBlob} or {@link OpaqueParts} marks, inherited ones too. */
export function opaqueFieldsOf(requestClass: Type): readonly string[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(requestClass, '', false, false);
  const names = rules
    .filter(({ name }) => name === OPAQUE_BLOB || name === OPAQUE_PARTS)
    .map(({ propertyName }) => propertyName);
  return [...new Set(names)];
}

/** A DTO field with a wrapped key or an IV: a string of at most 4 KiB that is returned unchanged. */
export function OpaqueString(
  options: Presence & { allowEmpty?: boolean; example?: string } = {},
): PropertyDecorator {
  return applyDecorators(
    ...(options.optional ? [IsOptionalField()] : []),
    ValidateBy({
      name: 'opaqueString',
      validator: {
        validate: (value) => typeof value === 'string' && (options.allowEmpty === true || value.length > 0),
        defaultMessage: () => `$property must be a ${options.allowEmpty ? '' : 'non-empty '}string`,
      },
    }),
    ValidateBy(
      {
        name: 'maxKeyBytes',
        validator: {
          validate: (value) => typeof value !== 'string' || Buffer.byteLength(value) <= MAX_KEY_BYTES,
          defaultMessage: () => `$property must be at most ${MAX_KEY_BYTES} bytes`,
        },
      },
      { context: TOO_LARGE },
    ),
    ApiProperty({
      ...apiOf(options, 'Opaque; returned unchanged.'),
      type: String,
      ...(options.allowEmpty ? {} : { minLength: 1 }),
      example: options.example ?? 'q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ',
    }),
  );
}

/** Documents a blob in an answer. */
export function ApiOpaque(): PropertyDecorator {
  return ApiProperty({
    description: 'Opaque; returned unchanged, to the byte.',
    // Without this, the document would also describe the class of the field.
    type: Object,
    oneOf: [{ type: 'string' }, { type: 'object', additionalProperties: true }],
    example: EXAMPLE_BLOB,
  });
}

/** A field that may be absent. In contrast to class-validator's `IsOptional`, `null` is refused. */
export function IsOptionalField(): PropertyDecorator {
  return ValidateIf((_, value) => value !== undefined);
}

function apiOf(options: Presence, text: string): { description: string; required: boolean } {
  return {
    description: options.description ? `${options.description} ${text}` : text,
    required: !options.optional,
  };
}
