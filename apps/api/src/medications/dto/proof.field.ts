import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptionalField } from '@app/opaque';
import { ValidateBy } from 'class-validator';

const MAX_LENGTH = 256;

/** An optional `proof`; `null` means "no proof". The service never looks inside. */
export function ProofField(): PropertyDecorator {
  return applyDecorators(
    IsOptionalField(),
    ValidateBy({
      name: 'proof',
      validator: {
        validate: (value) =>
          value === null || (typeof value === 'string' && value.length > 0 && value.length <= MAX_LENGTH),
        defaultMessage: () => `$property must be null or a string of 1 to ${MAX_LENGTH} characters`,
      },
    }),
    ApiProperty({
      required: false,
      nullable: true,
      type: String,
      minLength: 1,
      maxLength: MAX_LENGTH,
      description: 'The client’s own seal over the dose. Opaque: stored and returned as sent.',
      example: 'cHJvb2Y=',
    }),
  );
}
