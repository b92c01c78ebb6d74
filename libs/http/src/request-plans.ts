import type { Type } from '@nestjs/common';
import { EmptyBody } from './empty-body';
import { type ClassPlan, type FieldPlan, UnsupportedRequestError } from './request-plan';
import { isNested, isOpaque, refusalOf, type Rule, rulesOf } from './request-rules';
import {
  type TransformerDecorators,
  transformedProperties,
  transformerDecorators,
} from './transformer-metadata';
import { planType } from './type-plan';

/**
 * The plans of DTO classes. docs/validation.md lists the supported parts of class-validator and
 * class-transformer.
 *
 * A plan contains everything that a class requires. If that is impossible, there is no plan, so nothing is
 * ignored.
 */
export class RequestPlans {
  private readonly plans = new Map<Type<object>, ClassPlan>();

  /**
   * @throws UnsupportedRequestError with all unsupported decorators of the class and of the classes of its
   *   fields.
   */
  of(dto: Type<object>): ClassPlan {
    const known = this.plans.get(dto);
    if (known) return known;
    const refusals: string[] = [];
    const made = new Map<Type<object>, ClassPlan>();
    const plan = this.make(dto, made, refusals);
    if (refusals.length > 0) throw new UnsupportedRequestError(refusals);
    for (const [nested, nestedPlan] of made) this.plans.set(nested, nestedPlan);
    return plan;
  }

  private make(dto: Type<object>, made: Map<Type<object>, ClassPlan>, refusals: string[]): ClassPlan {
    const known = this.plans.get(dto) ?? made.get(dto);
    if (known) return known;
    const plan: ClassPlan = { dto, fields: new Map(), exposed: [] };
    // Set before its fields are planned, because a class may contain objects of itself.
    made.set(dto, plan);
    const rules = rulesOf(dto);
    if (rules.size === 0 && dto !== EmptyBody)
      refusals.push(
        `${dto.name}: no field has a rule of class-validator; a body without fields is EmptyBody.`,
      );
    if (!canBeMade(dto)) refusals.push(`${dto.name}: its constructor must do without arguments.`);
    const planOf = (nested: Type<object>) => this.make(nested, made, refusals);
    for (const property of new Set([...rules.keys(), ...transformedProperties(dto)])) {
      const refuse = (refusal: string) => void refusals.push(`${dto.name}.${property}: ${refusal}.`);
      const field = planField(dto, property, { rules: rules.get(property) ?? [], planOf, refuse });
      if (!field) continue;
      if (plan.fields.has(field.name)) refuse(`@Expose gives it the name of another field, ${field.name}`);
      plan.fields.set(field.name, field);
      if (field.isExposed) plan.exposed.push(field);
    }
    return plan;
  }
}

interface FieldPlanning {
  rules: Rule[];
  planOf: (dto: Type<object>) => ClassPlan;
  refuse: (refusal: string) => void;
}

/** @returns `undefined` for a property that is validated but that a request must not set. */
function planField(dto: Type<object>, property: string, planning: FieldPlanning): FieldPlan | undefined {
  const { rules, refuse } = planning;
  for (const refusal of rules.map(refusalOf)) if (refusal !== undefined) refuse(refusal);
  // class-validator itself fails if a field has the name of a member of every object.
  if (property in Object.prototype) refuse('a field must not be named like a member of every object');
  const accessor = memberOf(dto, property);
  if (typeof accessor?.value === 'function') refuse('a method is no field');
  const decorators = transformerDecorators(dto, property);
  if (decorators.isExcluded || (accessor?.get && !accessor.set)) return undefined;
  const { type, transforms, expose } = decorators;
  if (rules.length === 0)
    refuse('a decorator of class-transformer needs a rule of class-validator beside it, or @Allow');
  refuseVersions(decorators, refuse);
  if (isOpaque(rules) && (type || transforms.length > 0 || expose?.options.name))
    refuse('@OpaqueBlob holds a value as it was sent, without @Type, @Transform or a name in @Expose');
  if (!type && isNested(rules)) refuse('@ValidateNested needs @Type, which names the class');
  const declared = Reflect.getMetadata('design:type', dto.prototype as object, property) as unknown;
  if (!type && transforms.length === 0 && [Set, Map].includes(declared as never))
    refuse(`a Set or a Map needs @Type, which makes one of what is sent`);
  return {
    property,
    name: expose?.options.name ?? property,
    type: type && planType(type, { ...planning, isNested: isNested(rules) }),
    transforms: transforms.map(({ transformFn }) => transformFn),
    isExposed: expose !== undefined,
  };
}

/**
 * Without groups and a version in the call, class-transformer skips decorators with groups and ignores
 * versions.
 */
function refuseVersions(
  { transforms, expose }: TransformerDecorators,
  refuse: FieldPlanning['refuse'],
): void {
  const decorators = [
    ...transforms.map(({ options }) => ({ name: '@Transform', options })),
    ...(expose ? [{ name: '@Expose', options: expose.options }] : []),
  ];
  for (const { name, options } of decorators) {
    if (options?.groups?.length) refuse(`${name} has groups, and a request names none`);
    if (options?.since !== undefined || options?.until !== undefined)
      refuse(`${name} has since or until, and a request names no version`);
  }
}

/** The accessor or method of that name in the class or a parent. */
function memberOf(dto: Type<object>, property: string): PropertyDescriptor | undefined {
  for (
    let at = dto.prototype as object;
    at !== Object.prototype && at;
    at = Object.getPrototypeOf(at) as object
  ) {
    const member = Object.getOwnPropertyDescriptor(at, property);
    if (member) return member;
  }
  return undefined;
}

function canBeMade(dto: Type<object>): boolean {
  try {
    new dto();
    return true;
  } catch {
    return false;
  }
}
