import type { Type } from '@nestjs/common';
import {
  getMetadataStorage,
  type ValidationArguments,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { rulesOf } from './request-rules';

type Condition = (request: object, value: unknown) => boolean;

interface FieldRules {
  property: string;
  /**
   * From `@ValidateIf`, `@IsOptional` and similar decorators. The field is validated only if all conditions
   * are true.
   */
  conditions: Condition[];
  checks: Check[];
}

interface Check {
  constraint: ValidatorConstraintInterface;
  /** The arguments of the decorator. */
  constraints: unknown[];
  /** Whether each value of a list is checked. */
  isEach: boolean;
  condition?: Condition;
}

/**
 * Recognises valid requests with the same constraints that class-validator uses.
 *
 * class-validator collects its metadata and builds its errors for each object again. This costs more than the
 * rest of a create. Here, the constraints of a DTO are collected once. All other requests go to
 * class-validator, whose errors clients see: requests that break a rule, and requests whose DTO has a rule
 * that needs more than its own value (nested objects, promises).
 */
export class ValidRequests {
  private readonly fields = new Map<Type<object>, FieldRules[] | undefined>();

  /** Whether the request satisfies every rule of its DTO. Also `false` if only class-validator can decide. */
  accepts(dto: Type<object>, request: object): boolean {
    if (!this.fields.has(dto)) this.fields.set(dto, collect(dto));
    const fields = this.fields.get(dto);
    if (!fields) return false;
    for (const field of fields) {
      const value = (request as Record<string, unknown>)[field.property];
      if (!areMet(field.conditions, request, value)) continue;
      for (const check of field.checks) {
        const { constraints } = check;
        const args = { property: field.property, value, object: request, targetName: dto.name, constraints };
        const result = holds(check, args);
        if (result === true) continue;
        // From now on, class-validator alone checks this asynchronous rule. A second check could cost a query
        // each time.
        if (result === undefined) this.fields.set(dto, undefined);
        return false;
      }
    }
    return true;
  }
}

function areMet(conditions: readonly Condition[], request: object, value: unknown): boolean {
  for (const condition of conditions) if (!condition(request, value)) return false;
  return true;
}

/** @returns `undefined` if the result is a promise. */
function holds({ constraint, isEach, condition }: Check, args: ValidationArguments): boolean | undefined {
  const value = args.value as unknown;
  if (condition && !condition(args.object, value)) return true;
  if (!isEach || !(Array.isArray(value) || value instanceof Set || value instanceof Map))
    return answerOf(constraint, value, args);
  for (const single of value.values()) {
    const result = answerOf(constraint, single, args);
    if (result !== true) return result;
  }
  return true;
}

function answerOf(
  constraint: ValidatorConstraintInterface,
  value: unknown,
  args: ValidationArguments,
): boolean | undefined {
  const result = constraint.validate(value, args) as unknown;
  if (!(result instanceof Promise)) return Boolean(result);
  result.catch(() => undefined);
  return undefined;
}

/** The rules of every field, or `undefined` if only class-validator supports them all. */
function collect(dto: Type<object>): FieldRules[] | undefined {
  const fields: FieldRules[] = [];
  for (const [property, rules] of rulesOf(dto)) {
    const field: FieldRules = { property, conditions: [], checks: [] };
    for (const rule of rules) {
      if (rule.type === 'conditionalValidation') {
        field.conditions.push(rule.constraints[0] as Condition);
      } else if (rule.type === 'customValidation' || rule.type === 'isDefined') {
        const constraints = getMetadataStorage().getTargetValidatorConstraints(rule.constraintCls);
        if (constraints.some(({ async }) => async)) return undefined;
        field.checks.push(
          ...constraints.map(({ instance }) => ({
            constraint: instance,
            constraints: rule.constraints,
            isEach: rule.each,
            condition: rule.validateIf,
          })),
        );
      } else if (rule.type !== 'whitelistValidation') {
        return undefined;
      }
    }
    fields.push(field);
  }
  return fields;
}
