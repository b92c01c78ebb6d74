import type { MigrationInterface, QueryRunner } from 'typeorm';
import { clientBytesV1 } from './client-bytes-v1';
import { placeV1 } from './owned-table-v1';
import { triggerFunctionV1 } from './record-triggers-v1';

const DOSES = { kind: 'dose', revised: false } as const;

/** The client's own seal over a dose. It counts against the quota, as every byte that a client chooses. */
export class DoseProofs1799200000000 implements MigrationInterface {
  readonly name = 'DoseProofs1799200000000';

  async up(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    // Stored doses have no proof, so their counts stay: only the trigger changes, and no row is rewritten.
    await queryRunner.query(`
      ALTER TABLE ${schema}.doses ADD COLUMN proof text;
      ${triggerFunctionV1({ ...DOSES, name: 'doses', clientBytes: ['proof'] }, schema)}`);
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    const { schema } = await placeV1(queryRunner);
    await clientBytesV1({ ...DOSES, table: 'doses', before: [], after: ['proof'] }).revert(queryRunner);
    await queryRunner.query(`ALTER TABLE ${schema}.doses DROP COLUMN proof`);
  }
}
