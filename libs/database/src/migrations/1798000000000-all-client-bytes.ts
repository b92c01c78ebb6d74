import type { MigrationInterface, QueryRunner } from 'typeorm';
import { clientBytesV1 } from './client-bytes-v1';

/** The tables of which only the blobs counted. */
const TABLES = [
  clientBytesV1({
    table: 'profiles',
    kind: 'profile',
    before: ['name_data', 'wrapped_profile_dek'],
    after: ['kind', 'relationship', 'wrapped_profile_dek', 'wrapped_profile_dek_iv', 'name_data', 'name_iv'],
  }),
  clientBytesV1({
    table: 'medications',
    kind: 'medication',
    before: ['encrypted_data'],
    after: ['encrypted_data', 'route', 'dose_schedule'],
  }),
  clientBytesV1({
    table: 'appointments',
    kind: 'appointment',
    before: ['encrypted_data'],
    after: ['encrypted_data', 'status'],
  }),
];

/** Every byte of a record that a client chooses counts against the quota: also IVs, labels and schedules. */
export class AllClientBytes1798000000000 implements MigrationInterface {
  readonly name = 'AllClientBytes1798000000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await table.apply(queryRunner);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    for (const table of TABLES) await table.revert(queryRunner);
  }
}
