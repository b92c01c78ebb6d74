import { type Caller, invalidField, notFound } from '@app/common';
import { Column } from 'typeorm';
import type { Database } from '../connection/database';
import { RevisedEntity } from '../schema/entities';
import type { Executor } from '../connection/statement';
import type { OwnedShape } from './owned-statements';
import { OwnedRepository, type UpdateRequest } from './owned.repository';
import { ClientBytes } from '../schema/table-decorators';

/** A record under a profile, with a blob that is encrypted under that profile's key. */
export abstract class ProfileRecordEntity extends RevisedEntity {
  @Column('uuid')
  profile_id: string;

  /** Opaque: JSON source text. */
  @ClientBytes()
  @Column('text')
  encrypted_data: string;
}

type ProfileRecordShape = Pick<OwnedShape, 'entity' | 'orderBy'> & Partial<Pick<OwnedShape, 'filters'>>;

/**
 * Data access to records of one kind under profiles: newest first, filtered by `profile_id` and the filters
 * of the kind.
 */
export abstract class ProfileRecordRepository<Row extends ProfileRecordEntity> extends OwnedRepository<Row> {
  protected constructor(database: Database, shape: ProfileRecordShape) {
    super(database, {
      parent: { table: 'profiles', column: 'profile_id' },
      direction: 'DESC',
      changedAt: 'updated_at',
      ...shape,
      filters: { profile_id: 'r.profile_id = ?', ...shape.filters },
    });
  }

  /**
   * An update that may change `profile_id`. A move to another profile of the account needs a new blob in the
   * same request, because the old blob is encrypted under the old profile's key.
   *
   * @throws ServiceError `validation_failed` for a move without a blob; otherwise the errors of `update`.
   */
  override async updateRecord(
    caller: Caller,
    id: string,
    request: UpdateRequest<Row>,
    executor?: Executor,
  ): Promise<Row> {
    const { profile_id: profileId, encrypted_data: blob } = request.changes;
    const needsLook = (profileId !== undefined && blob === undefined) || this.assertChange !== undefined;
    if (!needsLook) return this.update(caller, id, request, executor);
    const decide = async (current: Row) => {
      const isMove = profileId !== undefined && current.profile_id !== profileId.toLowerCase();
      if (isMove && blob === undefined) await this.refuseMove(caller, profileId);
      await this.assertChange?.(current, request.changes, caller);
      return request;
    };
    return this.modify(caller, id, request.condition, decide, executor);
  }

  private async refuseMove(caller: Caller, profileId: string): Promise<never> {
    if (!(await this.ownsParent(caller, profileId))) throw notFound();
    throw invalidField('encrypted_data', 'encrypted_data must be sent together with another profile_id');
  }
}
