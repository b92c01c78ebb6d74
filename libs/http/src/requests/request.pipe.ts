import { type ArgumentMetadata, Injectable, ValidationPipe } from '@nestjs/common';
import { type ErrorDetail, invalidField, ServiceError, validationError } from '@app/common';
import { fieldName, TOO_LARGE } from '@app/opaque';
import type { ValidationError } from 'class-validator';

/** Limits the answer: a request can break so many rules that the list would be longer than the request. */
const MAX_DETAILS = 100;

/** The constraint with which class-validator refuses a field that no DTO has. */
const UNKNOWN_FIELD = 'whitelistValidation';

interface BrokenRule extends ErrorDetail {
  isTooLarge: boolean;
}

/**
 * Nest's `ValidationPipe` with the errors of this service. A field that is not in the DTO is refused by name, at
 * any depth.
 *
 * Security: the body reader has already refused the names that Nest and class-transformer drop in silence
 * (`RESERVED_NAMES`), and limited what they work on (`MAX_VALUES`).
 */
@Injectable()
export class RequestPipe extends ValidationPipe {
  constructor() {
    super({
      whitelist: true,
      forbidNonWhitelisted: true,
      transform: true,
      validationError: { target: false, value: false },
      exceptionFactory: (errors) => validationRefusal(errors.flatMap((error) => brokenRules(error, ''))),
    });
  }

  /** @throws ServiceError `validation_failed`, or `payload_too_large` if only sizes are wrong. */
  override async transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    // Nest takes `null` for an empty body, and names the fields of the DTO for a text or a list.
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    if (metadata.type === 'body' && value !== undefined && !isObject && this.toValidate(metadata))
      throw invalidField('body', 'the request body must be a JSON object');
    return super.transform(value, metadata);
  }
}

function validationRefusal(broken: BrokenRule[]): ServiceError {
  const details = broken.slice(0, MAX_DETAILS).map(({ field, message }) => ({ field, message }));
  return broken.every(({ isTooLarge }) => isTooLarge)
    ? new ServiceError('payload_too_large', { sentence: `${details[0].message}.`, details })
    : validationError(details);
}

function brokenRules(
  { property, constraints = {}, contexts, children = [] }: ValidationError,
  path: string,
): BrokenRule[] {
  const field = path + fieldName(property);
  const own = Object.entries(constraints).map(([name, message]) => ({
    field,
    message: name === UNKNOWN_FIELD ? `${field} is not a field of this request` : message,
    // class-validator copies a context, so the code is compared and not the object.
    isTooLarge: (contexts?.[name] as typeof TOO_LARGE | undefined)?.code === TOO_LARGE.code,
  }));
  return [...own, ...children.flatMap((child) => brokenRules(child, `${field}.`))];
}
