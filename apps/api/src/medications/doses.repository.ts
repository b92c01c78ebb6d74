import { Injectable } from '@nestjs/common';
import { type Caller, notFound } from '@app/common';
import { Database, type ListRequest, OwnedRepository } from '@app/database';
import { DoseEntity } from './entities/dose.entity';

@Injectable()
export class DosesRepository extends OwnedRepository<DoseEntity> {
  constructor(database: Database) {
    super(database, {
      entity: DoseEntity,
      parent: { table: 'medications', column: 'medication_id' },
      orderBy: 'logged_at',
      direction: 'DESC',
      changedAt: 'created_at',
      filters: { medication_id: 'r.medication_id = ?' },
    });
  }

  /** Returns an empty list for a medication without doses. An unknown medication is a 404. */
  protected override async assertListable(caller: Caller, request: ListRequest): Promise<void> {
    if (!(await this.ownsParent(caller, request.filters!.medication_id as string))) throw notFound();
  }
}
