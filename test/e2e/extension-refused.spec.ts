import { Controller, Get, Module } from '@nestjs/common';
import { type Extension } from '@app/extension';
import { ServiceConfig } from '@app/config';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createApp } from '../../apps/api/src/configure-app';
import { ALLERGIES } from '../support/allergies/allergies.domain';
import { createDatabase, dropDatabase } from '../support/databases';
import { TEST_ENVIRONMENT } from '../support/service';
import { startServiceHere } from '../support/service-here';

/** The table of allergies, by hand, with what `triggers` makes. */
function allergiesBy(triggers: string, kind = 'allergy'): Extension {
  class Allergies1795000000001 implements MigrationInterface {
    up(queryRunner: QueryRunner): Promise<void> {
      return queryRunner.query(`
        CREATE TABLE allergies (LIKE appointments INCLUDING ALL, reaction_data text);
        CREATE FUNCTION count_allergies() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          UPDATE account_usage SET bytes = bytes + (SELECT sum(octet_length(encrypted_data)) FROM new_rows);
          UPDATE changes c SET bytes = 1 WHERE c.kind = '${kind}';
          RETURN NULL;
        END $$;
        ${triggers}`) as Promise<void>;
    }
    down = () => Promise.resolve();
  }
  return { ...ALLERGIES, migrations: [Allergies1795000000001] };
}

const TRIGGERS = (['INSERT', 'DELETE', 'UPDATE'] as const).map(
  (event) => `CREATE TRIGGER after_${event} AFTER ${event} ON allergies
    REFERENCING ${event === 'DELETE' ? 'OLD' : 'NEW'} TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION count_allergies();`,
);

@Controller('profiles')
class SecondProfilesController {
  @Get(':profile_id')
  read(): string {
    return '';
  }
}

@Module({ controllers: [SecondProfilesController] })
class SecondProfilesModule {}

describe('the service refuses to start with', () => {
  let databaseUrl: string;
  beforeEach(async () => (databaseUrl = await createDatabase()));
  afterEach(() => dropDatabase(databaseUrl));

  const start = (extension: Extension) =>
    startServiceHere({ DATABASE_URL: databaseUrl }, undefined, extension);

  it.each([
    [
      'a table whose records nobody counts',
      allergiesBy(''),
      /^The table allergies of AllergyEntity has no counters for INSERT, DELETE, UPDATE: create it with ownedTableV1/,
    ],
    [
      'a table of which a deletion is not counted',
      allergiesBy(TRIGGERS[0] + TRIGGERS[2]),
      /^The table allergies of AllergyEntity has no counters for DELETE:/,
    ],
    [
      'a table of which some trigger is disabled',
      allergiesBy(`${TRIGGERS.join('')} ALTER TABLE allergies DISABLE TRIGGER after_insert;`),
      /^The table allergies of AllergyEntity has no counters for INSERT:/,
    ],
    [
      'a table whose changes are told as those of another kind',
      allergiesBy(TRIGGERS.join(''), 'visit'),
      'The triggers of allergies enter no allergy into the feed, which AllergyEntity names with @RecordKind().',
    ],
    [
      'a column whose bytes nobody counts',
      allergiesBy(TRIGGERS.join('')),
      'The counters of allergies do not count reaction_data, which AllergyEntity marks with @ClientBytes().',
    ],
    [
      'a route that is there already',
      { modules: [SecondProfilesModule] },
      'SecondProfilesController.read and ProfilesController.get both answer GET /api/profiles/:profile_id.',
    ],
    [
      'a part that replaces nothing',
      { overrides: [{ provide: SecondProfilesController, with: (original: unknown) => original }] },
      'The service injects no SecondProfilesController that could be replaced.',
    ],
    [
      'an entity twice',
      { entities: [...ALLERGIES.entities!, ...ALLERGIES.entities!] },
      /^AllergyEntity is named twice/,
    ],
  ])('%s', async (_, extension, sentence) => {
    const attempt = start(extension);
    await expect(attempt).rejects.toThrow(sentence);
    await expect(attempt).rejects.toMatchObject({ name: 'ExtensionError' });
  });

  it('settings that nobody read', async () => {
    const config = new ServiceConfig({ ...TEST_ENVIRONMENT, DATABASE_URL: databaseUrl });
    await expect(createApp(config, ALLERGIES)).rejects.toThrow(
      'The settings ALLERGIES_PER_PROFILE, ALLERGY_FEED_TOKEN were not read: name them in the extension.',
    );
  });
});
