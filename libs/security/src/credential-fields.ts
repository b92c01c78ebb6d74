import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { normalizeEmail } from '@app/common';
import { TextField } from '@app/http';
import { OpaqueString } from '@app/opaque';
import { ValidateBy } from 'class-validator';

/** Long texts are refused before they are normalised. */
const MAX_RAW_LENGTH = 1024;

/** An email as `normalizeEmail` takes it. */
export function EmailField(): PropertyDecorator {
  return applyDecorators(
    ValidateBy({
      name: 'email',
      validator: {
        validate: (value) =>
          typeof value === 'string' && value.length <= MAX_RAW_LENGTH && normalizeEmail(value) !== undefined,
        defaultMessage: () => '$property must be an email address of at most 254 characters',
      },
    }),
    ApiProperty({ type: String, format: 'email', example: 'ana@example.org' }),
  );
}

/** A secret that the client derives; the service hashes it as it comes. */
export function SecretField(options: { description: string; optional?: boolean }): PropertyDecorator {
  return TextField({ ...options, min: 1, max: 1024, example: 'c2VjcmV0IGRlcml2ZWQgYnkgdGhlIGNsaWVudA==' });
}

/** An account key as the client wrapped it. */
export function WrappedKeyField(description: string, optional = false): PropertyDecorator {
  return OpaqueString({ description, optional });
}

/** The IV of a wrapped account key. */
export function IvField(description: string, optional = false): PropertyDecorator {
  return OpaqueString({ description, optional, example: 'AAECAwQFBgcICQoL' });
}
