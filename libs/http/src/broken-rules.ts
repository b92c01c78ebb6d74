import type { Type } from '@nestjs/common';
import { type ErrorDetail, ServiceError, validationError } from '@app/common';
import { fieldName, TOO_LARGE } from '@app/opaque';
import { validate, type ValidationError } from 'class-validator';
import type { RequestPlans } from './request-plans';
import { MAX_DETAILS } from './request-reader';

interface BrokenRule extends ErrorDetail {
  isTooLarge: boolean;
}

/**
 * Asks class-validator for every rule that a request breaks.
 *
 * @returns at most `MAX_DETAILS` rules, with the paths as the client sent them.
 * @throws the error of an asynchronous rule, such as one that asks a database.
 */
export async function brokenRules(request: object, plans: RequestPlans): Promise<BrokenRule[]> {
  let errors: Promise<ValidationError[]>;
  try {
    // Classes without rules are refused at start, except EmptyBody.
    errors = validate(request, {
      forbidUnknownValues: false,
      validationError: { target: true, value: false },
    });
  } catch (error) {
    // A synchronous rule that throws cannot handle the value, for example `text.trim()` on a number.
    if (error instanceof ServiceError) throw error;
    return [{ field: 'body', message: 'the request holds a value that cannot be read', isTooLarge: false }];
  }
  return (await errors).flatMap((error) => flatten(error, plans, '')).slice(0, MAX_DETAILS);
}

/** `payload_too_large` if all broken rules are about size, otherwise `validation_failed`. */
export function refusalOf(broken: BrokenRule[]): ServiceError {
  const details = detailsOf(broken);
  return broken.every(({ isTooLarge }) => isTooLarge)
    ? new ServiceError('payload_too_large', { sentence: `${details[0].message}.`, details })
    : validationError(details);
}

export function detailsOf(broken: BrokenRule[]): ErrorDetail[] {
  return broken.map(({ field, message }) => ({ field, message }));
}

function flatten(error: ValidationError, plans: RequestPlans, path: string): BrokenRule[] {
  const field = path + sentName(error, plans);
  const own = Object.entries(error.constraints ?? {}).map(([name, message]) => ({
    field,
    message,
    // class-validator copies a context, so the code is compared and not the object.
    isTooLarge: (error.contexts?.[name] as typeof TOO_LARGE | undefined)?.code === TOO_LARGE.code,
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => flatten(child, plans, `${field}.`))];
}

/** In a list, the property is an index. In a Map, it is a name that the client chose. */
function sentName({ target, property }: ValidationError, plans: RequestPlans): string {
  if (!target || Array.isArray(target) || target instanceof Set || target instanceof Map)
    return fieldName(property);
  for (const field of plans.of(target.constructor as Type<object>).fields.values())
    if (field.property === property) return field.name;
  return property;
}
