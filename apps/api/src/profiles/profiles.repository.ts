import { Injectable } from '@nestjs/common';
import { Database, OwnedRepository } from '@app/database';
import { ProfileEntity } from './entities/profile.entity';

@Injectable()
export class ProfilesRepository extends OwnedRepository<ProfileEntity> {
  constructor(database: Database) {
    super(database, {
      entity: ProfileEntity,
      orderBy: 'created_at',
      direction: 'ASC',
      changedAt: 'updated_at',
      filters: {},
    });
  }
}
