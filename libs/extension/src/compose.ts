import type { AddedSettings } from '@app/config';
import { BASE_SCHEMA, mergeSchemas, type Schema } from '@app/database';
import type { Extension, Extensions, Override } from './extension';

/** A complete service, composed of its parts. */
export interface Composition {
  modules: NonNullable<Extension['modules']>;
  schema: Schema;
  settings: readonly AddedSettings[];
  corsHeaders: { allowed: readonly string[]; exposed: readonly string[] };
  overrides: readonly Override[];
  openApi: { title?: string; tags: Readonly<Record<string, string>> };
}

/**
 * Composes a service from its parts, in the given order.
 *
 * @throws ExtensionError that names the invalid class; see `mergeSchemas`.
 */
export function compose(...parts: Extensions[]): Composition {
  const extensions: Extension[] = parts.flatMap((part) => part);
  const schemas = extensions.map(({ entities = [], migrations = [] }) => ({ entities, migrations }));
  return {
    modules: extensions.flatMap(({ modules = [] }) => modules),
    schema: mergeSchemas([BASE_SCHEMA, ...schemas]),
    settings: extensions.flatMap(({ settings }) => (settings ? [settings] : [])),
    corsHeaders: {
      allowed: extensions.flatMap(({ corsHeaders }) => corsHeaders?.allowed ?? []),
      exposed: extensions.flatMap(({ corsHeaders }) => corsHeaders?.exposed ?? []),
    },
    overrides: extensions.flatMap(({ overrides = [] }) => overrides),
    openApi: {
      title: extensions.findLast(({ openApi }) => openApi?.title !== undefined)?.openApi?.title,
      tags: Object.assign({}, ...extensions.map(({ openApi }) => openApi?.tags)) as Record<string, string>,
    },
  };
}
