import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { type ErrorDetail, ServiceError, validationError } from '@app/common';
import { fieldName, TOO_LARGE } from '@app/opaque';
import { getMetadataStorage, validate, type ValidationError } from 'class-validator';
import { ValidRequests } from './valid-requests';

/** A body can hold more fields than are worth an answer that is longer than itself. */
const MAX_UNKNOWN_NAMED = 100;

/**
 * Validates bodies and queries against their DTO; a field that the DTO does not name is refused by name.
 *
 * Values reach the DTO as they are. Nest's own pipe would copy them with class-transformer, and drop without a word what is
 * named like a member of JavaScript's objects (`constructor`, `toString`), at any depth.
 */
@Injectable()
export class RequestPipe implements PipeTransform {
  private readonly valid = new ValidRequests();
  private readonly knownFields = new Map<Type<object>, Set<string>>();

  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (type !== 'body' && type !== 'query') return value;
    const fields = value ?? {};
    // `null` is a body, and no object.
    if (typeof fields !== 'object' || value === null || Array.isArray(fields)) {
      throw validationError([{ field: 'body', message: 'the request body must be a JSON object' }]);
    }
    const requestClass = metatype as Type<object>;
    const known = this.fieldsOf(requestClass);
    const unknown = Object.keys(fields).filter((name) => !known.has(name));
    const request = new requestClass();
    for (const [name, field] of Object.entries(fields))
      if (known.has(name)) (request as Record<string, unknown>)[name] = field;
    if (unknown.length === 0 && this.valid.accepts(requestClass, request)) return request;
    const errors = await validate(request, {
      forbidUnknownValues: false,
      validationError: { target: false, value: false },
    });
    if (unknown.length > 0)
      throw validationError([
        ...unknown.slice(0, MAX_UNKNOWN_NAMED).map(unknownField),
        ...errors.flatMap(detailsOf),
      ]);
    if (errors.length > 0) throw toServiceError(errors);
    return request;
  }

  private fieldsOf(requestClass: Type<object>): Set<string> {
    let known = this.knownFields.get(requestClass);
    if (!known) {
      const rules = getMetadataStorage().getTargetValidationMetadatas(requestClass, '', false, false);
      known = new Set(rules.map(({ propertyName }) => propertyName));
      this.knownFields.set(requestClass, known);
    }
    return known;
  }
}

function unknownField(name: string): ErrorDetail {
  const field = fieldName(name);
  return { field, message: `${field} is not a field of this request` };
}

function toServiceError(errors: ValidationError[]): ServiceError {
  const details = errors.flatMap(detailsOf);
  const isTooLarge = errors.every(({ constraints, contexts }) =>
    // class-validator hands out copies of a context.
    Object.keys(constraints ?? {}).every(
      (name) => (contexts?.[name] as typeof TOO_LARGE | undefined)?.code === TOO_LARGE.code,
    ),
  );
  if (isTooLarge)
    return new ServiceError('payload_too_large', { sentence: `${details[0].message}.`, details });
  return validationError(details);
}

/** DTOs are flat: an error has no children. */
function detailsOf({ property, constraints }: ValidationError): ErrorDetail[] {
  return Object.values(constraints ?? {}).map((message) => ({ field: property, message }));
}
