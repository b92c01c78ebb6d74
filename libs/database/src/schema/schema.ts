import { ExtensionError } from '@app/common';
import type { MigrationInterface } from 'typeorm';
import { DoneWorkEntity } from '../operations/done-work.entity';
import { EpochEntity } from '../operations/epoch.entity';
import { MIGRATIONS } from '../migrations';
import { SecretFingerprintEntity } from '../operations/secret-fingerprint.entity';
import { describeTables, type EntityClass } from './tables';

/**
 * The class of a migration. Its name ends with a timestamp in milliseconds since 1970, which orders the
 * migrations.
 */
export type MigrationClass = new () => MigrationInterface;

/** Tables, and the migrations that create them. */
export interface Schema {
  entities: readonly EntityClass[];
  migrations: readonly MigrationClass[];
}

/**
 * The tables that the database library itself needs, and the first migration, which creates the tables of
 * every domain.
 */
export const BASE_SCHEMA: Schema = {
  entities: [DoneWorkEntity, EpochEntity, SecretFingerprintEntity],
  migrations: MIGRATIONS,
};

/**
 * Combines schemas, with migrations in the order of their timestamps.
 *
 * @throws ExtensionError that names the class: for an entity as in `describeTables`; for a migration without
 *   a timestamp, or with the name or the timestamp of another.
 */
export function mergeSchemas(schemas: readonly Schema[]): Schema {
  const entities = schemas.flatMap((schema) => schema.entities);
  describeTables(entities);
  const migrations = new Map<number, MigrationClass>();
  const names = new Set<string>();
  for (const migration of schemas.flatMap((schema) => schema.migrations)) {
    const name = migrationName(migration);
    const timestamp = Number(/\d{13}$/.exec(name)?.[0]);
    if (Number.isNaN(timestamp))
      throw new ExtensionError(`The name of the migration ${name} must end with a timestamp of 13 digits.`);
    if (names.has(name)) throw new ExtensionError(`The migration ${name} is there twice.`);
    const other = migrations.get(timestamp);
    if (other)
      throw new ExtensionError(`The migrations ${migrationName(other)} and ${name} have the same timestamp.`);
    names.add(name);
    migrations.set(timestamp, migration);
  }
  const ordered = [...migrations].sort(([first], [second]) => first - second);
  return { entities, migrations: ordered.map(([, migration]) => migration) };
}

/** The name that TypeORM and its table of completed migrations use. */
export function migrationName(migration: MigrationClass): string {
  return new migration().name ?? migration.name;
}
