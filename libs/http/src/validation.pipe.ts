import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import { type ErrorDetail, ServiceError, validationError } from '@app/common';
import { fieldName, TOO_LARGE } from '@app/opaque';
import type { ValidationError } from 'class-validator';

/** Validates bodies and queries against their DTO; a field that the DTO does not name is refused by name. */
@Injectable()
export class RequestPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      forbidNonWhitelisted: true,
      validationError: { target: false, value: false },
      exceptionFactory: toServiceError,
    });
  }

  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (metadata.type !== 'body') return super.transform(value, metadata);
    if (value !== undefined && (typeof value !== 'object' || value === null || Array.isArray(value))) {
      throw validationError([{ field: 'body', message: 'the request body must be a JSON object' }]);
    }
    return super.transform(value ?? {}, metadata);
  }
}

function toServiceError(errors: ValidationError[]): ServiceError {
  const details = errors.flatMap((error) => detailsOf(error, ''));
  const onlyTooLarge = errors.every((error) =>
    Object.keys(error.constraints ?? {}).every((name) => error.contexts?.[name] === TOO_LARGE),
  );
  const isTooLarge = onlyTooLarge && details.length > 0 && errors.every((error) => error.constraints);
  if (isTooLarge)
    return new ServiceError('payload_too_large', { sentence: `${details[0].message}.`, details });
  return validationError(details);
}

function detailsOf(error: ValidationError, path: string): ErrorDetail[] {
  const field = `${path}${fieldName(error.property)}`;
  const own = Object.entries(error.constraints ?? {}).map(([name, message]) => ({
    field,
    message:
      name === 'whitelistValidation'
        ? `${field} is not a field of this request`
        : fieldName(error.property) === error.property
          ? `${path}${message}`
          : `${field} is not valid`,
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => detailsOf(child, `${field}.`))];
}
