import { InvalidArgumentError } from '../errors';
import { canonicalJson, isJsonObject, withoutUndefined } from '../json';
import type { StandardSchema } from './standard-schema';

/**
 * Checks details.
 * @param kind for the sentence.
 * @param isGiven whether a member is checked. Default: each is.
 * @throws InvalidArgumentError that names the member, and nothing of its content.
 */
export function checkDetails(
  schema: StandardSchema,
  kind: string,
  details: unknown,
  isGiven: (name: string) => boolean = () => true,
): void {
  if (!isJsonObject(details)) throw new InvalidArgumentError(`The details of a ${kind} must be an object.`);
  const result = schema['~standard'].validate(withoutUndefined(details));
  if (result instanceof Promise)
    throw new InvalidArgumentError(`The schema of a ${kind} must answer at once.`);
  for (const { path = [], expected } of result.issues ?? []) {
    const names = path.map((part) => String(typeof part === 'object' ? part.key : part));
    if (names.length > 0 && !isGiven(names[0])) continue;
    const what =
      names.length > 0 ? `The member "${names.join('.')}" of the ${kind} does` : `The ${kind} does`;
    throw new InvalidArgumentError(`${what} not fit${expected ? `: ${expected} is expected` : ''}.`);
  }
}

/** Checks the members of details to which a change gives another value. @throws as {@link checkDetails} */
export function checkChange(
  schema: StandardSchema,
  kind: string,
  before: object,
  changes: object | undefined,
): void {
  const was: { [member: string]: unknown } = { ...before };
  const after: { [member: string]: unknown } = { ...before, ...changes };
  checkDetails(schema, kind, after, (name) => canonicalJson(was[name]) !== canonicalJson(after[name]));
}
