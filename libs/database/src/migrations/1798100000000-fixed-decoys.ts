import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DecoyShapes1797100000001 } from './1797100000001-decoy-shapes';

/** Decoys of recovery-info have one shape for ever, so none is kept. */
export class FixedDecoys1798100000000 implements MigrationInterface {
  readonly name = 'FixedDecoys1798100000000';

  up(queryRunner: QueryRunner): Promise<void> {
    return new DecoyShapes1797100000001().down(queryRunner);
  }

  down(queryRunner: QueryRunner): Promise<void> {
    return new DecoyShapes1797100000001().up(queryRunner);
  }
}
