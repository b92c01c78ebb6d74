import type { Type } from '@nestjs/common';
import type { TransformFnParams } from 'class-transformer';

/** How the fields of a request become an object of its DTO class. It is built once for each class. */
export interface ClassPlan {
  dto: Type<object>;
  /** By the name in the request. */
  fields: Map<string, FieldPlan>;
  /** The fields that are `isExposed`. */
  exposed: FieldPlan[];
}

export interface FieldPlan {
  /** The name in the class. */
  property: string;
  /** The name in a request. It differs from `property` if `@Expose({ name })` says so. */
  name: string;
  type?: TypePlan;
  transforms: ((params: TransformFnParams) => unknown)[];
  /**
   * Whether its transforms run even if the request omits the field, as in class-transformer with `@Expose`.
   */
  isExposed: boolean;
}

/** The meaning of `@Type` on a field. */
export interface TypePlan {
  /** The declared type of the field; `unknown` if TypeScript emits none. */
  shape: 'list' | 'set' | 'map' | 'object' | 'unknown';
  /** Converts one scalar value; absent if the type is a DTO class. */
  convert?: (value: unknown) => unknown;
  /**
   * The DTO class; absent for scalars, and for a base class without fields if requests only contain subtypes.
   */
  plan?: ClassPlan;
  discriminator?: { property: string; isKept: boolean; plans: Map<unknown, ClassPlan> };
}

/** A DTO class or a route with unsupported decorators. Each sentence names the class and the decorator. */
export class UnsupportedRequestError extends Error {
  override readonly name = 'UnsupportedRequestError';

  constructor(readonly sentences: string[]) {
    super(sentences.join('\n'));
  }
}
