import type { Type } from '@nestjs/common';
import {
  type ExposeMetadata,
  TransformationType,
  type TransformMetadata,
  type TypeMetadata,
} from 'class-transformer';
import type { defaultMetadataStorage } from 'class-transformer/types/storage';

/**
 * class-transformer has no public way to read its decorators. Only this file depends on the place where the
 * library keeps them (as `@nestjs/mapped-types` does). Its spec fails if a new version keeps them elsewhere.
 */
// eslint-disable-next-line @typescript-eslint/no-require-imports
const { defaultMetadataStorage: storage } = require('class-transformer/cjs/storage') as {
  defaultMetadataStorage: typeof defaultMetadataStorage;
};

/** The decorators of class-transformer on one property that affect the reading of a request. */
export interface TransformerDecorators {
  type?: TypeMetadata;
  /** In the order in which class-transformer runs them. */
  transforms: TransformMetadata[];
  expose?: ExposeMetadata;
  /**
   * Whether a request must not set the property: `@Exclude` on it, or on its class and no `@Expose` on it.
   */
  isExcluded: boolean;
}

export function transformerDecorators(dto: Type<object>, property: string): TransformerDecorators {
  const request = TransformationType.PLAIN_TO_CLASS;
  const expose = storage.getExposedProperties(dto, request).includes(property)
    ? storage.findExposeMetadata(dto, property)
    : undefined;
  return {
    type: storage.findTypeMetadata(dto, property),
    transforms: storage.findTransformMetadatas(dto, property, request),
    expose,
    isExcluded:
      storage.getExcludedProperties(dto, request).includes(property) ||
      (storage.getStrategy(dto) === 'excludeAll' && !expose),
  };
}

/** Every property of a class and its parents that has a decorator of class-transformer. */
export function transformedProperties(dto: Type<object>): string[] {
  const { _typeMetadatas, _transformMetadatas, _exposeMetadatas } = storage as unknown as Record<
    string,
    Map<unknown, Map<string | undefined, unknown>>
  >;
  const properties = new Set<string>();
  for (let target: unknown = dto; typeof target === 'function'; target = Object.getPrototypeOf(target)) {
    for (const decorated of [_typeMetadatas, _transformMetadatas, _exposeMetadatas])
      for (const property of decorated.get(target)?.keys() ?? [])
        if (property !== undefined) properties.add(property);
  }
  return [...properties];
}
