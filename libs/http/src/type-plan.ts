import type { Type } from '@nestjs/common';
import type { TypeHelpOptions, TypeMetadata } from 'class-transformer';
import type { ClassPlan, TypePlan } from './request-plan';
import { isOpaque, rulesOf } from './request-rules';

/** Conversions of single values by `@Type`, as in class-transformer. */
const CONVERSIONS = new Map<unknown, (value: unknown) => unknown>([
  [String, String],
  [Number, Number],
  [Boolean, Boolean],
  [Date, (value) => new Date(value as string)],
  [Buffer, (value) => Buffer.from(value as string)],
]);

const SHAPES = new Map<unknown, TypePlan['shape']>([
  [undefined, 'unknown'],
  [Object, 'unknown'],
  [Array, 'list'],
  [Set, 'set'],
  [Map, 'map'],
]);

export interface TypePlanning {
  /** Whether the field has `@ValidateNested`. */
  isNested: boolean;
  planOf: (dto: Type<object>) => ClassPlan;
  refuse: (refusal: string) => void;
}

/** Plans the conversion for a `@Type` decorator. */
export function planType(decorator: TypeMetadata, planning: TypePlanning): TypePlan {
  const shape = shapeOf(decorator, planning);
  const named = namedClass(decorator, planning);
  const convert = CONVERSIONS.get(named);
  const { discriminator, keepDiscriminatorProperty } = decorator.options;
  if (convert) {
    if (discriminator) planning.refuse('a discriminator needs a class in @Type');
    if (planning.isNested) planning.refuse('@ValidateNested needs a class in @Type');
    return { shape, convert };
  }
  if (!planning.isNested) planning.refuse('@Type with a class needs @ValidateNested beside it');
  if (!discriminator) return { shape, plan: named && planNested(named, planning) };
  if (shape === 'map') planning.refuse('a discriminator does not hold in a Map');
  if (!discriminator.property || !discriminator.subTypes?.length)
    planning.refuse('a discriminator needs a property and subTypes');
  const plans = new Map(
    (discriminator.subTypes ?? []).map(({ name, value }) => [
      name,
      planNested(value as Type<object>, planning),
    ]),
  );
  return {
    shape,
    plan: named && rulesOf(named).size > 0 ? planNested(named, planning) : undefined,
    discriminator: {
      property: discriminator.property,
      isKept: keepDiscriminatorProperty === true,
      plans: plans,
    },
  };
}

function shapeOf({ reflectedType }: TypeMetadata, { refuse }: TypePlanning): TypePlan['shape'] {
  const declared = reflectedType as Type<object> | undefined;
  if (CONVERSIONS.has(declared)) return 'unknown';
  if ([Array, Set, Map].some((list) => declared?.prototype instanceof list))
    refuse('a class of its own for a list does not hold beside @Type; take Array, Set or Map');
  return SHAPES.get(declared) ?? 'object';
}

function namedClass(
  { typeFunction, reflectedType }: TypeMetadata,
  { refuse }: TypePlanning,
): Type<object> | undefined {
  let looksAtRequest = false;
  const request = new Proxy({} as TypeHelpOptions, {
    get: () => {
      looksAtRequest = true;
      return {};
    },
  });
  const named = (typeFunction ? typeFunction(request) : reflectedType) as unknown;
  if (looksAtRequest) {
    refuse('the class that @Type names must not depend on the request; a discriminator may');
    return undefined;
  }
  if (typeof named === 'function') return named as Type<object>;
  refuse('@Type names no class (two files that import each other?)');
  return undefined;
}

function planNested(dto: Type<object>, { planOf, refuse }: TypePlanning): ClassPlan {
  if ([...rulesOf(dto).values()].some(isOpaque))
    refuse(`@Type names ${dto.name}, whose @OpaqueBlob holds only at the top of a body`);
  return planOf(dto);
}
