import { ExtensionError } from '@app/common';
import type { MigrationInterface } from 'typeorm';
import { BASE_SCHEMA, mergeSchemas, type MigrationClass, type Schema } from './schema';

const nothing = () => Promise.resolve();

function aMigration(name: string | undefined, className = 'Unnamed'): MigrationClass {
  const { [className]: made } = {
    [className]: class implements MigrationInterface {
      readonly name = name;
      up = nothing;
      down = nothing;
    },
  };
  return made;
}

const aSchema = (...migrations: MigrationClass[]): Schema => ({ entities: [], migrations });

describe('schemas put together', () => {
  it('have their migrations in the order of the timestamps, whoever brings them', () => {
    const [early, middle, late] = ['A1700000000000', 'Zebra1898000000000', 'B1899000000000'].map((name) =>
      aMigration(name),
    );
    const { migrations } = mergeSchemas([BASE_SCHEMA, aSchema(late, middle), aSchema(early)]);
    expect(migrations).toEqual([early, ...BASE_SCHEMA.migrations, middle, late]);
  });

  it('know a migration by its class where it has no name', () => {
    const plain = aMigration(undefined, 'Plain1780000000000');
    expect(mergeSchemas([aSchema(plain)]).migrations).toEqual([plain]);
  });

  it.each([
    [['Notes'], 'The name of the migration Notes must end with a timestamp of 13 digits.'],
    [['Notes1', 'Notes2'], 'The name of the migration Notes1 must end with'],
    [['Notes1780000000000', 'Notes1780000000000'], 'The migration Notes1780000000000 is there twice.'],
    [
      ['Notes1780000000000', 'Marks1780000000000'],
      'The migrations Notes1780000000000 and Marks1780000000000 have the same timestamp.',
    ],
    [['Initial1760000000000'], 'The migration Initial1760000000000 is there twice.'],
    [['Notes1760000000000'], 'The migrations Initial1760000000000 and Notes1760000000000 have the same'],
  ])('refuse migrations that collide: %j', (names, sentence) => {
    const merge = () => mergeSchemas([BASE_SCHEMA, ...names.map((name) => aSchema(aMigration(name)))]);
    expect(merge).toThrow(ExtensionError);
    expect(merge).toThrow(sentence);
  });
});
