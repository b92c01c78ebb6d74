import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import type { FieldOptions } from '@app/http';
import { IsOptionalField } from '@app/opaque';
import { ValidateBy } from 'class-validator';

/** X-Wing: ML-KEM-768 with X25519. */
const SHARING_PUBLIC_BYTES = 1216;

/** Exactly so many bytes in base64. */
export function Base64Field(options: FieldOptions & { bytes: number }): PropertyDecorator {
  const { bytes, optional, description } = options;
  const length = 4 * Math.ceil(bytes / 3);
  const isIt = (value: unknown) => {
    if (typeof value !== 'string' || value.length !== length) return false;
    const read = Buffer.from(value, 'base64');
    return read.length === bytes && read.toString('base64') === value;
  };
  return applyDecorators(
    ...(optional ? [IsOptionalField()] : []),
    ValidateBy({
      name: 'base64',
      validator: {
        validate: isIt,
        defaultMessage: () => `$property must be ${bytes} bytes in base64: ${length} characters`,
      },
    }),
    ApiProperty({
      required: !optional,
      type: String,
      minLength: length,
      maxLength: length,
      description,
      example: Buffer.alloc(bytes, 7).toString('base64'),
    }),
  );
}

export function SharingPublicField(options: FieldOptions = {}): PropertyDecorator {
  const description = 'The public key to which others seal.';
  return Base64Field({ description, ...options, bytes: SHARING_PUBLIC_BYTES });
}
