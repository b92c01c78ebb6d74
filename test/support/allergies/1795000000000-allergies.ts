import { ownedTableV1 } from '@app/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const ALLERGIES = ownedTableV1({
  name: 'allergies',
  kind: 'allergy',
  parent: { table: 'profiles', column: 'profile_id' },
  columns: { encrypted_data: 'text NOT NULL', status: 'text NOT NULL', reaction_data: 'text' },
  clientBytes: ['encrypted_data', 'reaction_data'],
});

export class Allergies1795000000000 implements MigrationInterface {
  readonly name = 'Allergies1795000000000';

  up(queryRunner: QueryRunner): Promise<void> {
    return ALLERGIES.create(queryRunner);
  }

  down(queryRunner: QueryRunner): Promise<void> {
    return ALLERGIES.drop(queryRunner);
  }
}
