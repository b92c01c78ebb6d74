import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

/** One decorator of class-validator on one property. */
export type Rule = ReturnType<ReturnType<typeof getMetadataStorage>['getTargetValidationMetadatas']>[number];

/** The constraint of `@OpaqueBlob`. */
const OPAQUE_RULE = 'opaqueBlob';

const DECORATOR_BY_TYPE: Record<string, string> = {
  nestedValidation: 'ValidateNested',
  promiseValidation: 'ValidatePromise',
  whitelistValidation: 'Allow',
  conditionalValidation: 'ValidateIf',
  isDefined: 'IsDefined',
  customValidation: 'Validate',
};

/** The rules of a class and its parents, by property, in the way that class-validator finds them. */
export function rulesOf(dto: Type<object>): Map<string, Rule[]> {
  const rules = new Map<string, Rule[]>();
  for (const rule of getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false)) {
    const ofProperty = rules.get(rule.propertyName);
    if (ofProperty) ofProperty.push(rule);
    else rules.set(rule.propertyName, [rule]);
  }
  return rules;
}

export function isOpaque(rules: readonly Rule[]): boolean {
  return rules.some(({ name }) => name === OPAQUE_RULE);
}

export function isNested(rules: readonly Rule[]): boolean {
  return rules.some(({ type }) => type === 'nestedValidation');
}

/** The unsupported part of a rule, or `undefined` if the whole rule is supported. */
export function refusalOf(rule: Rule): string | undefined {
  if (!(rule.type in DECORATOR_BY_TYPE)) return `the rule ${rule.type} is not known`;
  if (rule.groups?.length) return `${decoratorOf(rule)} has groups, and a request names none`;
  if (typeof rule.message === 'string' && rule.message.includes('$value'))
    return `the message of ${decoratorOf(rule)} has $value, and an answer must not repeat what a client sent`;
  return undefined;
}

/** The decorator of a rule, as written in the code. */
function decoratorOf({ type, name, constraintCls }: Rule): string {
  if (name === 'isLength') return '@Length';
  if (name) return `@${name[0].toUpperCase()}${name.slice(1)}`;
  const decorator = `@${DECORATOR_BY_TYPE[type]}`;
  return type === 'customValidation' ? `${decorator}(${constraintCls.name})` : decorator;
}
