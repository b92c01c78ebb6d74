import { Injectable } from '@nestjs/common';
import { Database, ProfileRecordRepository } from '@app/database';
import { AppointmentEntity } from './entities/appointment.entity';

@Injectable()
export class AppointmentsRepository extends ProfileRecordRepository<AppointmentEntity> {
  constructor(database: Database) {
    super(database, {
      entity: AppointmentEntity,
      orderBy: 'created_at',
      filters: { status: 'r.status = ?' },
    });
  }
}
