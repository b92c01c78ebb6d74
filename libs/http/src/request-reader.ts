import { type TransformFnParams, TransformationType } from 'class-transformer';
import { type ErrorDetail, ServiceError, validationError } from '@app/common';
import { fieldName, OpaqueJson } from '@app/opaque';
import type { ClassPlan, FieldPlan, TypePlan } from './request-plan';

/** Limits the answer: a request can break so many rules that the list would be longer than the request. */
export const MAX_DETAILS = 100;
/** Each nested object costs about 10 µs in class-validator, and no other request is answered meanwhile. */
const MAX_NESTED_OBJECTS = 1000;

/**
 * Converts one request to an object of its DTO class.
 *
 * It follows the decorators of class-transformer but does not run that library. The library drops fields with
 * the names of members of JavaScript's objects (`constructor`, `toString`) at any depth, copies opaque
 * values, and fails on some bodies.
 */
export class RequestReader {
  /** The errors that are found before any rule is checked, at most `MAX_DETAILS`. */
  readonly details: ErrorDetail[] = [];
  private nestedObjects = 0;

  /** @param path the path of the object, followed by a dot; empty for the whole request. */
  read(plan: ClassPlan, source: object, path = '', discriminator?: string): object {
    const request = new plan.dto() as Record<string, unknown>;
    const values = source as Record<string, unknown>;
    for (const name of Object.keys(values)) {
      if (name === discriminator) continue;
      const field = plan.fields.get(name);
      if (field) request[field.property] = this.valueOf(field, values[name], values, path);
      else this.refuse(path + fieldName(name), 'is not a field of this request');
    }
    for (const field of plan.exposed) {
      if (Object.hasOwn(values, field.name)) continue;
      const value = this.valueOf(field, undefined, values, path);
      // Keeps the default value of the class.
      if (value !== undefined) request[field.property] = value;
    }
    return request;
  }

  private valueOf(field: FieldPlan, sent: unknown, source: object, path: string): unknown {
    const { type, transforms } = field;
    if (!type && transforms.length === 0) return sent;
    const fieldPath = path + field.name;
    let value = sent;
    try {
      if (type) value = this.typed(type, value, fieldPath, transforms.length === 0);
      for (const transform of transforms) value = transform(paramsOf(field, value, source));
    } catch (error) {
      if (error instanceof ServiceError) throw error;
      this.refuse(fieldPath, 'has a value that cannot be read');
    }
    // A promise that nobody awaits may reject. Without a handler, the rejection ends the process.
    if (value instanceof Promise) value.catch(() => undefined);
    return value;
  }

  private typed(type: TypePlan, value: unknown, path: string, isLast: boolean): unknown {
    if (value === null || value === undefined || value instanceof OpaqueJson) return value;
    const { shape } = type;
    if (Array.isArray(value) ? shape === 'map' || shape === 'object' : isNoList(type, value)) {
      if (isLast) this.refuse(path, `must be ${Array.isArray(value) ? 'an object' : 'a list'}`);
      return value;
    }
    if (Array.isArray(value)) {
      const items = value.map((item, index) => this.item(type, item, `${path}.${index}`));
      return shape === 'set' ? new Set(items) : items;
    }
    if (shape !== 'map' || typeof value !== 'object') return this.item(type, value, path);
    const members = Object.entries(value);
    return new Map(members.map(([key, item]) => [key, this.item(type, item, `${path}.${fieldName(key)}`)]));
  }

  /** Converts one value of a list, or the only value. */
  private item(type: TypePlan, value: unknown, path: string): unknown {
    if (value === null || value === undefined || value instanceof OpaqueJson) return value;
    // Converting an object to a string or a number would lose it. It is kept, and the rules refuse it.
    if (type.convert) return typeof value === 'object' ? value : type.convert(value);
    if (typeof value !== 'object') return value;
    if (Array.isArray(value)) {
      this.refuse(path, 'must be an object');
      return value;
    }
    if (++this.nestedObjects > MAX_NESTED_OBJECTS)
      throw validationError([
        { field: path, message: `the request must hold at most ${MAX_NESTED_OBJECTS} objects in its fields` },
      ]);
    return this.nested(type, value, path);
  }

  private nested({ plan, discriminator }: TypePlan, value: object, path: string): unknown {
    if (!discriminator) return this.read(plan!, value, `${path}.`);
    const { property, isKept, plans } = discriminator;
    const name = Object.hasOwn(value, property) ? (value as Record<string, unknown>)[property] : undefined;
    const chosen = plans.get(name) ?? plan;
    if (!chosen) {
      this.refuse(`${path}.${property}`, `must be one of ${[...plans.keys()].join(', ')}`);
      return value;
    }
    if (isKept && chosen.fields.has(property)) return this.read(chosen, value, `${path}.`);
    const request = this.read(chosen, value, `${path}.`, property);
    return isKept && name !== undefined ? Object.assign(request, { [property]: name }) : request;
  }

  private refuse(field: string, rule: string): void {
    if (this.details.length < MAX_DETAILS) this.details.push({ field, message: `${field} ${rule}` });
  }
}

/**
 * Whether a list is declared and the value is not a list. `@ValidateNested` refuses a scalar in place of
 * objects.
 */
function isNoList({ shape, convert }: TypePlan, value: unknown): boolean {
  return (shape === 'list' || shape === 'set') && (typeof value === 'object' || convert !== undefined);
}

function paramsOf(field: FieldPlan, value: unknown, source: object): TransformFnParams {
  return { value, key: field.property, obj: source, type: TransformationType.PLAIN_TO_CLASS, options: {} };
}
