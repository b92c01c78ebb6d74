import type { ArgumentMetadata, Type } from '@nestjs/common';

/** The compiled types of parameters that have no DTO class: interfaces, `any`, type-only imports, scalars. */
const NO_CLASSES = new Set<unknown>([
  undefined,
  Object,
  Array,
  String,
  Number,
  Boolean,
  Date,
  Map,
  Set,
  Promise,
]);
/** The allowed types of a single path parameter, which is a string. */
const TEXT = new Set<unknown>([undefined, Object, String]);

/** The DTO class of a parameter, or a refusal. Without either, the value is passed on unchanged. */
export interface CheckedParameter {
  dto?: Type<object>;
  /** Why the parameter is not supported: part of the request would not be validated. */
  refusal?: string;
}

/** Decides how a parameter of a route is validated. */
export function checkParameter(metadata: ArgumentMetadata): CheckedParameter {
  const { type, metatype, data } = metadata;
  if (type === 'custom') return {};
  const dto = NO_CLASSES.has(metatype) ? undefined : (metatype as Type<object>);
  if (type === 'param') {
    if (data === undefined) return { dto };
    if (TEXT.has(metatype)) return {};
    return {
      refusal: `${decoratorOf(metadata)} is a string; a DTO class with @Type, or a pipe, makes it something else`,
    };
  }
  if (data !== undefined)
    return { refusal: `${decoratorOf(metadata)} leaves all other fields unread; it needs a DTO class` };
  if (dto) return { dto };
  return {
    refusal: `${decoratorOf(metadata)} needs a DTO class, and ${metatype?.name ?? 'its type'} is none`,
  };
}

function decoratorOf({ type, data }: ArgumentMetadata): string {
  return `@${type[0].toUpperCase()}${type.slice(1)}(${data === undefined ? '' : `'${data}'`})`;
}
