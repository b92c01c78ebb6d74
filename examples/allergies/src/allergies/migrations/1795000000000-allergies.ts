import { ownedTableV1 } from 'health-records-service/database';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLE = ownedTableV1({
  name: 'allergies',
  kind: 'allergy',
  parent: { table: 'profiles', column: 'profile_id' },
  columns: { status: 'text NOT NULL', encrypted_data: 'text NOT NULL' },
  clientBytes: ['status', 'encrypted_data'],
});

export class Allergies1795000000000 implements MigrationInterface {
  readonly name = 'Allergies1795000000000';

  up(queryRunner: QueryRunner): Promise<void> {
    return TABLE.create(queryRunner);
  }

  down(queryRunner: QueryRunner): Promise<void> {
    return TABLE.drop(queryRunner);
  }
}
