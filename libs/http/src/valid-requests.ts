import type { Type } from '@nestjs/common';
import {
  getMetadataStorage,
  type ValidationArguments,
  type ValidatorConstraintInterface,
} from 'class-validator';

interface FieldRules {
  isOptional: boolean;
  constraints: ValidatorConstraintInterface[];
}

/**
 * Recognises requests that are plainly valid, by the same constraints that class-validator would run.
 *
 * class-validator reads its metadata and builds its errors anew at each request, which costs more than all the rest of a
 * create. Here the constraints of a DTO are gathered once. What is not plainly valid is left to class-validator, whose
 * errors clients see.
 */
export class ValidRequests {
  private readonly rules = new Map<Type, Map<string, FieldRules> | undefined>();

  /** Whether every field of the DTO keeps its rules; `false` also where only class-validator can say. */
  accepts(dto: Type, request: object): boolean {
    const rules = this.rulesOf(dto);
    if (!rules) return false;
    const values = request as Record<string, unknown>;
    for (const [property, { isOptional, constraints }] of rules) {
      const value = values[property];
      if (value === undefined && isOptional) continue;
      const args = { property, value, object: request } as unknown as ValidationArguments;
      for (const constraint of constraints) if (constraint.validate(value, args) !== true) return false;
    }
    return true;
  }

  private rulesOf(dto: Type): Map<string, FieldRules> | undefined {
    if (!this.rules.has(dto)) this.rules.set(dto, gather(dto));
    return this.rules.get(dto);
  }
}

/** The rules of every field, or `undefined` where the DTO uses more of class-validator than this understands. */
function gather(dto: Type): Map<string, FieldRules> | undefined {
  const storage = getMetadataStorage();
  const rules = new Map<string, FieldRules>();
  for (const metadata of storage.getTargetValidationMetadatas(dto, '', false, false)) {
    const field = rules.get(metadata.propertyName) ?? { isOptional: false, constraints: [] };
    rules.set(metadata.propertyName, field);
    if (metadata.type === 'conditionalValidation') {
      field.isOptional = true;
    } else if (metadata.type === 'customValidation' && !metadata.each && !metadata.groups?.length) {
      const constraints = storage.getTargetValidatorConstraints(metadata.constraintCls);
      if (constraints.some(({ async }) => async)) return undefined;
      field.constraints.push(...constraints.map(({ instance }) => instance));
    } else {
      return undefined;
    }
  }
  return rules;
}
